// SPDX-License-Identifier: Apache-2.0
#include "graph/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "hw/ceilings.h"

namespace rooflab::graph {
namespace {

using analysis::HostClass;
using model::WorkId;

// Code of the program between two launches that a replay would also skip: shorter than this it is
// the glue between operators, longer it does something that must stay.
constexpr std::int64_t kGlueNs = 200'000;

bool is_glue(const HostPart& part) {
  switch (part.host_class) {
    case HostClass::kFramework:
      return true;
    case HostClass::kRange:
    case HostClass::kHostCode:
    case HostClass::kUnknown:
      return part.recorder || part.ns < kGlueNs;
    case HostClass::kInput:
    case HostClass::kCompile:
    case HostClass::kAlloc:
    case HostClass::kSync:
    case HostClass::kCopyCall:
    case HostClass::kOffCpu:
      break;
  }
  return part.recorder;
}

bool follows(const Graph& g, std::uint32_t i, std::uint32_t before) {
  if (g.anchors[i].after != before) return false;
  for (std::uint32_t k = g.anchors[i].first_part; k < g.anchors[i + 1].first_part; ++k) {
    if (!is_glue(g.parts[k])) return false;
  }
  return true;
}

bool named(const Graph& g, model::SpanId span, std::string_view name) {
  const model::Profile& p = *g.analysis->profile;
  for (model::SpanId at = span; at.valid(); at = g.analysis->tree.parent[at.row]) {
    if (p.span_name(at) == name) return true;
  }
  return false;
}

}  // namespace

double pick(Outlook outlook, double least, double likely, double most) {
  switch (outlook) {
    case Outlook::kLeast:
      return least;
    case Outlook::kLikely:
      return likely;
    case Outlook::kMost:
      break;
  }
  return most;
}

double ceiling_for(Outlook outlook, std::string_view name) {
  const hw::Ceiling& c = hw::ceiling(name);
  return pick(outlook, c.low, c.likely, c.high);
}

std::vector<std::uint32_t> unit_of_anchors(const Graph& g) {
  const std::vector<analysis::Unit>& units = g.analysis->units.units;
  std::vector<std::uint32_t> out(g.anchor_count(), 0);
  std::uint32_t unit = 0;
  for (std::size_t i = 0; i < g.anchor_count(); ++i) {
    const auto start = [&](std::uint32_t u) {
      return units[u].host_end > units[u].host_start ? units[u].host_start : units[u].device_start;
    };
    while (unit < units.size() && start(unit).value <= g.anchors[i].begin) ++unit;
    out[i] = unit;
  }
  return out;
}

void drop_anchor(const Graph& g, std::uint32_t i, bool with_glue, Scenario& s) {
  s.call_ns[i] = 0;
  s.waits[i] = 0;
  for (std::uint32_t k = g.anchors[i].first_part; k < g.anchors[i + 1].first_part; ++k) {
    if (with_glue ? is_glue(g.parts[k]) : g.parts[k].host_class == HostClass::kFramework) {
      s.part_ns[k] = 0;
    }
  }
  for (std::uint32_t k = g.anchors[i].first_work; k < g.anchors[i + 1].first_work; ++k) {
    s.work_state[g.works_of_anchor[k].row] = WorkState::kGone;
  }
}

std::vector<CaptureRun> capture_runs(const Graph& g, const Scenario& s, std::size_t least_works) {
  const std::vector<std::uint32_t> unit = unit_of_anchors(g);
  std::vector<CaptureRun> runs;
  CaptureRun run;
  std::uint32_t last = kNoAnchor;
  const auto close = [&] {
    if (static_cast<std::size_t>(run.works) >= least_works && run.anchors.size() > 1) {
      runs.push_back(run);
    }
    run = {};
  };
  for (std::uint32_t i = 0; i < g.anchor_count(); ++i) {
    const Anchor& a = g.anchors[i];
    const std::uint32_t works = g.anchors[i + 1].first_work - a.first_work;
    const bool waits = a.wait != Wait::kNone && s.waits[i] != 0;
    const bool joins = !run.anchors.empty() && follows(g, i, last) && unit[i] == unit[last];
    if (!joins) close();
    last = i;
    if (works == 0 || waits || !a.span.valid()) {
      close();
      continue;
    }
    if (s.work_state[g.works_of_anchor[a.first_work].row] == WorkState::kGone) continue;
    run.anchors.push_back(i);
    run.works += works;
  }
  close();
  return runs;
}

namespace {

// What the run's calls, and the host time between them, cost.
std::int64_t host_cost(const Graph& g, const CaptureRun& run, const Scenario& s) {
  std::int64_t sum = 0;
  for (std::size_t n = 0; n < run.anchors.size(); ++n) {
    const std::uint32_t i = run.anchors[n];
    sum = saturating_add(sum, s.call_ns[i]);
    if (n == 0) continue;
    for (std::uint32_t k = g.anchors[i].first_part; k < g.anchors[i + 1].first_part; ++k) {
      sum = saturating_add(sum, s.part_ns[k]);
    }
  }
  return sum;
}

}  // namespace

void replay_as_graphs(const Graph& g, const std::vector<CaptureRun>& runs, Outlook outlook,
                      Scenario& s) {
  s.replay_gap_ns = ceiling_for(outlook, "graph_node_gap_ns");
  const auto launch = static_cast<std::int64_t>(ceiling_for(outlook, "graph_launch_ns"));
  for (const CaptureRun& run : runs) {
    if (host_cost(g, run, s) <= launch) continue;  // few cheap launches cost less than a graph
    for (std::size_t n = 0; n < run.anchors.size(); ++n) {
      const std::uint32_t i = run.anchors[n];
      const Anchor& a = g.anchors[i];
      s.call_ns[i] = n == 0 ? launch : 0;
      if (n == 0) continue;
      for (std::uint32_t k = a.first_part; k < g.anchors[i + 1].first_part; ++k) s.part_ns[k] = 0;
      for (std::uint32_t k = a.first_work; k < g.anchors[i + 1].first_work; ++k) {
        const WorkId w = g.works_of_anchor[k];
        if (s.work_state[w.row] == WorkState::kAsRecorded) {
          s.work_state[w.row] = WorkState::kGraphNode;
        }
      }
    }
  }
}

std::int64_t remove_host(const Graph& g, const std::vector<HostClass>& classes,
                         std::string_view name, Scenario& s) {
  const model::Profile& p = *g.analysis->profile;
  std::int64_t count = 0;
  for (std::size_t k = 0; k < g.parts.size(); ++k) {
    const HostPart& part = g.parts[k];
    if (std::find(classes.begin(), classes.end(), part.host_class) == classes.end()) continue;
    if (!name.empty()) {
      if (!part.cause.valid()) continue;
      const std::string label =
          analysis::owner_label(p.span_name(part.cause), p.spans.kind[part.cause.row]);
      if (label != name && p.span_name(part.cause) != name) continue;
    }
    if (s.part_ns[k] > 0) ++count;
    s.part_ns[k] = 0;
  }
  return count;
}

std::int64_t remove_waits(const Graph& g, std::string_view name, Scenario& s) {
  const model::WorkTable& work = g.analysis->profile->work;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < g.anchor_count(); ++i) {
    const Anchor& a = g.anchors[i];
    if (a.wait == Wait::kNone || s.waits[i] == 0) continue;
    // A copy to the device blocks for the sake of its memory, not of its result.
    const bool reads = a.wait == Wait::kWork ||
                       work.direction[a.target.row] == model::CopyDirection::kDeviceToHost;
    if (!reads || (!name.empty() && !named(g, a.span, name))) continue;
    s.waits[i] = 0;
    ++count;
  }
  return count;
}

std::optional<double> link_rate(const Graph& g, Outlook outlook) {
  const hw::DeviceEntry* device = g.analysis->hardware;
  if (device == nullptr || device->host_link.value <= 0) return {};
  return device->host_link.value * ceiling_for(outlook, "host_link_share");
}

bool crosses_link(const model::Profile& p, WorkId w) {
  if (p.work.kind[w.row] != model::WorkKind::kCopy) return false;
  const model::CopyDirection d = p.work.direction[w.row];
  return d == model::CopyDirection::kHostToDevice || d == model::CopyDirection::kDeviceToHost;
}

bool reads_back(const Graph& g, std::uint32_t i) {
  const Anchor& a = g.anchors[i];
  if (a.first_work == g.anchors[i + 1].first_work) return false;
  const WorkId w = g.works_of_anchor[a.first_work];
  const model::WorkTable& work = g.analysis->profile->work;
  if (work.direction[w.row] != model::CopyDirection::kDeviceToHost) return false;
  if (a.wait == Wait::kOwnWork) return true;
  for (std::uint32_t next = i + 1; next < g.anchor_count() && next < i + 3; ++next) {
    if (g.anchors[next].wait == Wait::kWork && g.anchors[next].target == w) return true;
  }
  return false;
}

void unblock(const Graph& g, std::uint32_t i, Scenario& s) {
  s.waits[i] = 0;
  s.call_ns[i] = std::min(s.call_ns[i], g.launch_call_median_ns);
  if (g.anchors[i].first_work == g.anchors[i + 1].first_work) return;
  const WorkId w = g.works_of_anchor[g.anchors[i].first_work];
  // The synchronising call that follows a blocking copy.
  for (std::uint32_t next = i + 1; next < g.anchor_count() && next < i + 3; ++next) {
    const Anchor& a = g.anchors[next];
    if (a.wait == Wait::kWork && a.target == w) s.waits[next] = 0;
  }
}

Result<void> expect_arguments(const char* change, const std::vector<std::string>& arguments,
                              std::size_t least, std::size_t most) {
  if (arguments.size() >= least && arguments.size() <= most) return {};
  return fail(
      ErrorCode::kUsage,
      fmt::format("the change {} takes {} arguments, not {}", change,
                  least == most ? std::to_string(least) : fmt::format("{} to {}", least, most),
                  arguments.size()),
      change, "`rooflab whatif --help` lists the changes");
}

Result<double> positive_number(const char* change, const std::string& text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  if (whole && std::isfinite(value) && value > 0) return value;
  return fail(ErrorCode::kUsage, "not a positive number: " + text, change);
}

}  // namespace rooflab::graph
