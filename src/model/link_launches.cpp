// SPDX-License-Identifier: Apache-2.0
#include "model/link_launches.h"

#include <algorithm>
#include <limits>

namespace rooflab::model {
namespace {

struct Call {
  std::int64_t correlation;
  std::uint32_t span;
};

// The calls of one process by correlation. Recorders number calls densely, so a direct table
// usually does; ids spread over a wide range are searched instead.
class CallIndex {
 public:
  void add(std::int64_t correlation, std::uint32_t span) { calls_.push_back({correlation, span}); }

  std::int64_t finish(const SpanTable& spans) {
    const auto less = [&](const Call& a, const Call& b) {
      if (a.correlation != b.correlation) return a.correlation < b.correlation;
      return spans.start[a.span] < spans.start[b.span];
    };
    if (!std::is_sorted(calls_.begin(), calls_.end(), less))
      std::sort(calls_.begin(), calls_.end(), less);
    const std::int64_t duplicates = keep_outermost(spans);
    build_direct();
    return duplicates;
  }

  [[nodiscard]] SpanId find(std::int64_t correlation) const {
    if (!direct_.empty()) {
      if (correlation < base_ || correlation - base_ >= static_cast<std::int64_t>(direct_.size()))
        return {};
      return SpanId(direct_[static_cast<std::size_t>(correlation - base_)]);
    }
    const auto it =
        std::lower_bound(calls_.begin(), calls_.end(), correlation,
                         [](const Call& call, std::int64_t c) { return call.correlation < c; });
    return it != calls_.end() && it->correlation == correlation ? SpanId(it->span) : SpanId();
  }
  [[nodiscard]] bool empty() const { return calls_.empty(); }

 private:
  // A runtime call and the driver call inside it may share an id: the outer one is the launch.
  std::int64_t keep_outermost(const SpanTable& spans) {
    std::int64_t duplicates = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      if (kept > 0 && calls_[kept - 1].correlation == calls_[i].correlation) {
        duplicates += spans.kind[calls_[kept - 1].span] == spans.kind[calls_[i].span] ? 1 : 0;
        continue;
      }
      calls_[kept++] = calls_[i];
    }
    calls_.resize(kept);
    return duplicates;
  }

  void build_direct() {
    if (calls_.empty()) return;
    base_ = calls_.front().correlation;
    const std::int64_t last = calls_.back().correlation;
    const auto room = static_cast<std::int64_t>(calls_.size() * 8 + 1024);
    if (base_ < 0 || last - base_ >= room) return;
    direct_.assign(static_cast<std::size_t>(last - base_) + 1, SpanId::kNone);
    for (const Call& call : calls_)
      direct_[static_cast<std::size_t>(call.correlation - base_)] = call.span;
  }

  std::vector<Call> calls_;
  std::vector<std::uint32_t> direct_;
  std::int64_t base_ = 0;
};

bool is_call(SpanKind kind) {
  return kind == SpanKind::kRuntimeCall || kind == SpanKind::kDriverCall;
}

SpanId find_launch(const std::vector<CallIndex>& calls, const Profile& p, ProcessId process,
                   std::int64_t correlation, std::int64_t work_start) {
  if (process.valid()) return calls[process.row].find(correlation);
  SpanId best;
  std::int64_t best_start = std::numeric_limits<std::int64_t>::min();
  for (const CallIndex& index : calls) {
    if (index.empty()) continue;
    const SpanId found = index.find(correlation);
    if (!found.valid()) continue;
    const std::int64_t start = p.spans.start[found.row];
    const bool closer = !best.valid() || (start <= work_start && start > best_start) ||
                        (best_start > work_start && start < best_start);
    if (!closer) continue;
    best = found;
    best_start = start;
  }
  return best;
}

}  // namespace

LinkCounts link_launches(Profile& p) {
  LinkCounts counts;
  std::vector<CallIndex> calls(p.processes.size());
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    if (!is_call(p.spans.kind[i]) || p.spans.correlation[i] < 0) continue;
    ++counts.calls;
    const ProcessId process = p.tracks[p.spans.track[i].row].process;
    if (process.valid())
      calls[process.row].add(p.spans.correlation[i], static_cast<std::uint32_t>(i));
  }
  for (CallIndex& index : calls) counts.duplicates += index.finish(p.spans);
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const std::int64_t correlation = p.work.correlation[i];
    if (correlation >= 0) {
      const ProcessId process = p.tracks[p.work.track[i].row].process;
      p.work.launch[i] = find_launch(calls, p, process, correlation, p.work.start[i]);
    }
    counts.unlinked += p.work.launch[i].valid() ? 0 : 1;
  }
  return counts;
}

std::int64_t link_ops_by_external_id(Profile& p, const std::vector<std::int64_t>& span_external_ids,
                                     const std::vector<std::int64_t>& work_external_ids) {
  std::vector<Call> wanted;  // external id, work row
  for (std::size_t i = 0; i < work_external_ids.size(); ++i) {
    if (work_external_ids[i] >= 0 && !p.work.launch[i].valid()) {
      wanted.push_back({work_external_ids[i], static_cast<std::uint32_t>(i)});
    }
  }
  if (wanted.empty()) return 0;
  const auto less = [](const Call& a, const Call& b) { return a.correlation < b.correlation; };
  std::sort(wanted.begin(), wanted.end(), less);
  std::int64_t named = 0;
  for (std::size_t i = 0; i < span_external_ids.size(); ++i) {
    if (span_external_ids[i] < 0) continue;
    const auto [begin, end] =
        std::equal_range(wanted.begin(), wanted.end(), Call{span_external_ids[i], 0}, less);
    for (auto it = begin; it != end; ++it) {
      named += p.work.op[it->span].valid() ? 0 : 1;
      p.work.op[it->span] = SpanId(i);
    }
  }
  return named;
}

}  // namespace rooflab::model
