// SPDX-License-Identifier: Apache-2.0
// NVTX: ranges, marks, and the names that programs give to domains and threads.
#include <algorithm>
#include <map>

#include "importers/nsys/range_name.h"
#include "importers/nsys/reader.h"

namespace rooflab::importers::nsys {
namespace {

// eventType (ENUM_NSYS_EVENT_TYPE).
constexpr std::int64_t kMark = 34, kThreadName = 39, kPushPop = 59, kStartEnd = 60, kDomain = 75;

// Ranges of other domains than the default one are called "domain:name", as nsys itself does.
class Domains {
 public:
  Domains(const Database& database, const Strings& strings, Tally& tally) {
    Query rows(database, "NVTX_EVENTS", {"eventType", "domainId", "text", "textId", "globalTid"},
               tally);
    if (!rows.has(1)) return;
    while (rows.next()) {
      if (rows.integer_or(0, 0) != kDomain) continue;
      std::string_view name = rows.text(2);
      if (const auto id = rows.integer(3); name.empty() && id) name = strings.view(*id);
      names_[{process_key(rows.integer_or(4, 0)), rows.integer_or(1, 0)}] =
          name.empty() ? std::string() : valid_text(name, tally) + ":";
    }
  }
  // The name and a colon; empty for the default domain.
  [[nodiscard]] const std::string& prefix(std::int64_t global_tid, std::int64_t domain) const {
    static const std::string kNone;
    if (names_.empty()) return kNone;
    const auto found = names_.find({process_key(global_tid), domain});
    return found == names_.end() ? kNone : found->second;
  }

 private:
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> names_;
};

// A range's place in the profile, by its text's number where it has one.
struct Meaning {
  StringId name;
  model::ArgsId args;
  bool is_operator = false, has_sizes = false;
};

class Meanings {
 public:
  Meanings(model::Builder& builder, Strings& strings, Tally& tally)
      : builder_(builder), strings_(strings), tally_(tally) {}

  Meaning of_text(std::string_view text, const std::string& prefix) {
    const RangeName parsed = parse_range_name(text);
    Meaning out;
    out.is_operator = parsed.is_operator && prefix.empty();
    out.name = prefix.empty() ? strings_.intern(parsed.name)
                              : builder_.intern(prefix + valid_text(parsed.name, tally_));
    if (out.is_operator && !parsed.sizes.empty()) {
      model::OpArgs args;
      args.dims = builder_.intern(compact_sizes(parsed.sizes));
      out.args = builder_.args(args);
      out.has_sizes = true;
    }
    return out;
  }

  Meaning of_id(std::int64_t id, const std::string& prefix) {
    if (!strings_.has(id)) return {strings_.intern(id), {}, false, false};  // counts it
    const auto [it, added] = by_id_.try_emplace(std::pair{id, prefix});
    if (added) it->second = of_text(strings_.view(id), prefix);
    return it->second;
  }

 private:
  model::Builder& builder_;
  Strings& strings_;
  Tally& tally_;
  std::map<std::pair<std::int64_t, std::string>, Meaning> by_id_;
};

}  // namespace

void Reader::read_ranges() {
  constexpr std::string_view kTable = "NVTX_EVENTS";
  enum : std::size_t { kType = 2, kThread, kText, kTextId, kDomainId };
  Query rows(db_, kTable, {"start", "end", "eventType", "globalTid", "text", "textId", "domainId"},
             tally_);
  if (!usable(rows, kTable, false)) return;
  const Domains domains(db_, strings_, tally_);
  Meanings meanings(builder_, strings_, tally_);
  while (rows.next()) {
    const std::int64_t type = rows.integer_or(kType, kPushPop);
    if (type != kPushPop && type != kStartEnd && type != kMark && type != kThreadName) continue;
    const std::int64_t global_tid = rows.integer_or(kThread, 0);
    const std::string& prefix = domains.prefix(global_tid, rows.integer_or(kDomainId, 0));
    const std::string_view text = rows.text(kText);
    const auto id = text.empty() ? rows.integer(kTextId) : std::nullopt;
    const Meaning meaning = id ? meanings.of_id(*id, prefix) : meanings.of_text(text, prefix);
    if (type == kThreadName) {
      builder_.profile()
          .threads[builder_.profile().tracks[thread(global_tid).row].thread.row]
          .name = meaning.name;
      continue;
    }
    const auto start = rows.integer(0);
    if (!start) {
      tally_.add(Note::kDroppedNoTime);
      continue;
    }
    if (type == kMark) {
      builder_.add_instant(*start, thread(global_tid), meaning.name);
      continue;
    }
    model::SpanRow row;
    row.kind = meaning.is_operator ? model::SpanKind::kOp : model::SpanKind::kUserRange;
    row.name = meaning.name;
    row.args = meaning.args;
    row.track = thread(global_tid);
    host_ops_ = host_ops_ || meaning.is_operator;
    shapes_ = shapes_ || meaning.has_sizes;
    if (const auto end = rows.integer(1)) {
      add_span({*start, *end}, row);
    } else {
      row.start = *start;
      open_ranges_.push_back(row);
    }
  }
  check_end(rows, kTable, false);
}

void Reader::close_ranges() {
  for (const model::SpanRow& row : open_ranges_) {
    tally_.add(Note::kOpenRange);
    add_span({row.start, std::max(row.start, last_time_)}, row);
  }
}

}  // namespace rooflab::importers::nsys
