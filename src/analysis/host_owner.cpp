// SPDX-License-Identifier: Apache-2.0
// One pass down the rows: parents stand before their children, so a span's class needs its parent's
// only.
#include "analysis/host_owner.h"

#include <algorithm>
#include <array>

namespace rooflab::analysis {
namespace {

using model::SpanId;
using model::SpanKind;

constexpr std::array<std::string_view, 10> kClassNames{"input",     "compile", "alloc",     "sync",
                                                       "copy_call", "off_cpu", "framework", "range",
                                                       "host_code", "unknown"};

// Which names of user ranges (and operators) mark units of work, by StringId row.
std::vector<bool> unit_names(const model::Profile& p, MarkedNames& names, const Units& units) {
  std::vector<bool> is_unit(p.strings.size(), false);
  std::vector<bool> seen(p.strings.size(), false);
  const std::string unit_range = without_numbers(units.marker);
  for (std::size_t row = 0; row < p.spans.size(); ++row) {
    const SpanKind kind = p.spans.kind[row];
    if (kind != SpanKind::kUserRange && kind != SpanKind::kOp) continue;
    const StringId name = p.spans.name[row];
    if (name.row >= seen.size() || seen[name.row]) continue;
    seen[name.row] = true;
    const bool is_marker = (names.of(name, use_of(kind)) & bit(Marker::kStep)) != 0;
    const bool is_range =
        units.source == UnitSource::kUserRange && without_numbers(p.text(name)) == unit_range;
    is_unit[name.row] = is_marker || is_range;
  }
  return is_unit;
}

class Classifier {
 public:
  Classifier(const model::Profile& p, MarkedNames& names, const Units& units,
             const Selection& selection)
      : p_(p), names_(names), is_unit_(unit_names(p, names, units)) {
    if (!selection.input_range.empty()) input_range_ = p.strings.find(selection.input_range);
  }

  HostClass of(std::size_t row) {
    const SpanKind kind = p_.spans.kind[row];
    const StringId name = p_.spans.name[row];
    const NameUse use = use_of(kind);
    if (input_range_.valid() && name == input_range_ && use != NameUse::kNone) {
      return HostClass::kInput;
    }
    const MarkerBits bits = use == NameUse::kOverhead ? MarkerBits{0} : names_.of(name, use);
    if ((bits & bit(Marker::kInput)) != 0) return HostClass::kInput;
    if ((bits & bit(Marker::kCompile)) != 0) return HostClass::kCompile;
    if ((bits & bit(Marker::kAlloc)) != 0) return HostClass::kAlloc;
    if ((bits & bit(Marker::kSync)) != 0) return HostClass::kSync;
    if ((bits & bit(Marker::kCopyCall)) != 0) return HostClass::kCopyCall;
    if (kind == SpanKind::kOffCpu) return HostClass::kOffCpu;
    if (kind == SpanKind::kOsCall && (bits & bit(Marker::kOsWait)) != 0) return HostClass::kOffCpu;
    const bool is_unit = name.row < is_unit_.size() && is_unit_[name.row];
    if (is_unit && (kind == SpanKind::kOp || kind == SpanKind::kUserRange)) {
      return HostClass::kUnknown;
    }
    if (kind == SpanKind::kOp) return HostClass::kFramework;
    if (kind == SpanKind::kUserRange) return HostClass::kRange;
    return use == NameUse::kFrame || use == NameUse::kCall ? HostClass::kHostCode
                                                           : HostClass::kUnknown;
  }

 private:
  const model::Profile& p_;
  MarkedNames& names_;
  std::vector<bool> is_unit_;
  StringId input_range_;
};

// Of two nested spans of the same class the inner one is the closer cause, except for input: there
// the outermost is the pipeline and what lies inside is its detail, but a range that the user named
// beats a code frame.
bool inner_is_cause(HostClass c, SpanKind outer, SpanKind inner) {
  if (c != HostClass::kInput) return true;
  return outer == SpanKind::kPython && inner != SpanKind::kPython;
}

}  // namespace

std::string_view to_string(HostClass c) { return kClassNames[static_cast<std::size_t>(c)]; }

HostOwners host_owners(const model::Profile& profile, const HostTree& tree, MarkedNames& names,
                       const Units& units, const Selection& selection) {
  const auto& spans = profile.spans;
  HostOwners out;
  out.best.resize(spans.size(), HostClass::kUnknown);
  out.cause.resize(spans.size());
  Classifier classify(profile, names, units, selection);
  for (std::size_t row = 0; row < spans.size(); ++row) {
    const HostClass own = classify.of(row);
    const SpanId parent = tree.parent[row];
    out.best[row] = own;
    if (own != HostClass::kUnknown) out.cause[row] = SpanId(row);
    if (!parent.valid()) continue;
    // What the thread was taken off its core for has a better name than that it was.
    if (spans.kind[row] == SpanKind::kOffCpu && spans.kind[parent.row] == SpanKind::kOsCall) {
      out.cause[row] = parent;
    }
    const HostClass outer = out.best[parent.row];
    const SpanId outer_cause = out.cause[parent.row];
    if (!outer_cause.valid() || outer > own) continue;
    if (outer == own && inner_is_cause(own, spans.kind[outer_cause.row], spans.kind[row])) {
      continue;
    }
    out.best[row] = outer;
    out.cause[row] = outer_cause;
  }
  return out;
}

std::string owner_label(std::string_view span_name, SpanKind kind) {
  if (kind != SpanKind::kPython) return std::string(span_name);
  // Frames read "path/file.py(123): function".
  const std::size_t colon = span_name.rfind("): ");
  if (colon == std::string_view::npos) return std::string(span_name);
  const std::string_view function = span_name.substr(colon + 3);
  if (function.substr(0, 2) != "__") return std::string(function);
  // "__next__" alone says nothing: keep the file's name.
  const std::size_t line = span_name.rfind('(', colon);
  if (line == std::string_view::npos) return std::string(span_name);
  const std::string_view place = span_name.substr(0, line);
  const std::size_t slash = place.find_last_of("/\\");
  const std::string_view file = slash == std::string_view::npos ? place : place.substr(slash + 1);
  return std::string(file) + ": " + std::string(function);
}

std::string without_numbers(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) {
      out += c;
    } else if (out.empty() || out.back() != '#') {
      out += '#';
    }
  }
  return out;
}

}  // namespace rooflab::analysis
