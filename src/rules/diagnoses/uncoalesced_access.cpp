// SPDX-License-Identifier: Apache-2.0
// Measured kernels whose warps touch more memory sectors than their data needs: neighbouring
// threads do not read or write neighbouring addresses. Seen, in order of preference, by the sectors
// that the addresses need against the ideal; by sectors a request beyond what the widest access
// needs; by passes a request through L1's data stage; by the recorder's own estimate.
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastExcess = 0.30;
// 32 lanes of 16 bytes are 16 sectors; more, with a margin, are not contiguous whatever the type.
constexpr double kMostSectors = 20;
constexpr double kIdealSectors = 4;  // lanes of 4 bytes
// The same as passes of 128 bytes: 4 for lanes of 16 bytes.
constexpr double kMostPasses = 8;
constexpr double kLeastAdvice = 30;
// Accesses that neither keep memory busy nor make warps wait cost nothing.
constexpr double kLeastBusy = 20;
constexpr double kLeastWaiting = 0.30;

struct Seen {
  bool evaluated = false, fires = false;
  double bound = 0;
  Evidence evidence;
};

Seen by_ideal(const analysis::MeasuredKernel& k) {
  const auto all = k.value("global_sectors_theoretical");
  const auto ideal = k.value("global_sectors_ideal");
  if (!all || !ideal) return {};
  if (!(*all > 0)) return {true, false, 0, {}};
  const double excess = std::clamp(1 - *ideal / *all, 0.0, 1.0);
  Seen seen{true, excess >= kLeastExcess && excess < 1, 1 / std::max(1 - excess, 1e-3), {}};
  seen.evidence = {fmt::format("{} of {} sectors are beyond what the data needs ({})",
                               amount(*all - *ideal), amount(*all), human_percent(Ratio{excess})),
                   "excess_sectors_ratio", excess};
  return seen;
}

Seen by_requests(const analysis::MeasuredKernel& k) {
  Seen seen;
  for (const std::string_view op : {"load", "store"}) {
    const auto sectors = k.value(fmt::format("global_{}_sectors", op));
    const auto requests = k.value(fmt::format("global_{}_requests", op));
    if (!sectors || !requests) continue;
    seen.evaluated = true;
    const double each = *requests > 0 ? *sectors / *requests : 0;
    if (each < kMostSectors || each / kIdealSectors < seen.bound) continue;
    seen.fires = true;
    seen.bound = each / kIdealSectors;
    seen.evidence = {fmt::format("a {} of a warp touches {:.1f} sectors; contiguous ones need 4 "
                                 "to 16",
                                 op, each),
                     "sectors_per_request", each};
  }
  return seen;
}

Seen by_passes(const analysis::MeasuredKernel& k) {
  const auto passes = k.value("lsu_wavefront_percent");
  const auto requests = k.value("lsu_request_percent");
  const auto queue = analysis::stall_share(k, "stall_local_global_queue");
  if (!passes || !requests || !queue) return {};
  const bool shared =
      k.value_or("shared_static_bytes", 0) + k.value_or("shared_dynamic_bytes", 0) > 0;
  const double each = *requests > 0 ? *passes / *requests : 0;
  Seen seen{true, false, each / (kIdealSectors / 4), {}};
  seen.fires = each >= kMostPasses && *passes >= analysis::kBoundPercent && !shared &&
               analysis::largest_stall(k).metric == "stall_local_global_queue";
  seen.evidence = {
      fmt::format("each access takes {:.1f} passes through L1 (contiguous ones 1 to 4), "
                  "and warps wait for its queue {} of the time",
                  each, human_percent(Ratio{*queue})),
      "passes_per_request", each};
  return seen;
}

Seen by_advice(const analysis::MeasuredKernel& k) {
  const auto advice = k.value("advice_uncoalesced_percent");
  if (!advice) return {};
  const double saved = std::min(*advice, 99.0) / 100;
  return {true,
          *advice >= kLeastAdvice,
          1 / (1 - saved),
          {fmt::format("the recorder's own rule says that coalesced accesses would save up to {} "
                       "(its counters are not on this page)",
                       percent(*advice)),
           "advice_percent", *advice}};
}

// Whether it matters here; true where the file does not tell.
bool costs(const analysis::MeasuredKernel& k) {
  if (k.limit == analysis::Roof::kCompute) return false;
  const auto busy = k.value("memory_percent");
  if (!busy || *busy >= kLeastBusy) return true;
  double waiting = 0;
  for (const std::string_view stall :
       {"stall_global_memory", "stall_local_global_queue", "stall_drain"}) {
    waiting += analysis::stall_share(k, stall).value_or(0);
  }
  return waiting >= kLeastWaiting;
}

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  Seen seen = by_ideal(k);
  if (!seen.evaluated) seen = by_requests(k);
  if (!seen.evaluated) seen = by_passes(k);
  if (!seen.fires && !k.value("global_sectors_ideal")) {
    if (const Seen advice = by_advice(k); advice.evaluated) seen = advice;
  }
  if (!seen.evaluated || !seen.fires || !costs(k)) return {seen.evaluated, {}};
  Finding f = kernel_finding(a, k, "uncoalesced_access", FaultOrder::kAccess, seen.bound);
  f.title =
      fmt::format("{}: neighbouring threads do not use neighbouring addresses", short_name(a, k));
  if (seen.evidence.key == "advice_percent") f.confidence = Confidence::kLow;
  f.evidence.push_back(std::move(seen.evidence));
  for (const std::string_view op : {"load", "store"}) {
    const double requests = k.value_or(fmt::format("global_{}_requests", op), 0);
    if (!(requests > 0)) continue;
    const double each = k.value_or(fmt::format("global_{}_sectors", op), 0) / requests;
    f.evidence.push_back(
        {fmt::format("{:.1f} sectors a {}", each, op), fmt::format("sectors_per_{}", op), each});
  }
  f.chain = {"the index of the fastest thread dimension is not the address's fastest one",
             "each access of a warp needs many sectors instead of four",
             "caches and memory move bytes that nobody uses"};
  f.falsifier =
      "swap the two indices, or stage the tile in shared memory: if the sectors do not "
      "fall, the accesses are scattered by the data";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "sectors and requests of global accesses (the memory tables)", &judge);
}

}  // namespace

Rule rule_uncoalesced_access() {
  return make_rule(
      {.id = "uncoalesced_access",
       .layer = Layer::kKernel,
       .title = "Memory accesses that are not coalesced",
       .why = "A warp's access is served in sectors of 32 bytes. Where its threads are far apart "
              "every thread needs a sector of its own, and up to eight times the bytes move.",
       .thresholds =
           {{"least_excess_ratio", kLeastExcess,
             "sectors beyond the ideal, of all; real kernels without the fault stay below 0.18 "
             "(tests/data/h200/ncu)"},
            {"most_sectors_per_request", kMostSectors,
             "where the ideal is not known: lanes of 16 bytes need 16"},
            {"most_passes_per_request", kMostPasses,
             "where no sectors are known: lanes of 16 bytes need 4 passes of 128 bytes"},
            {"least_advice_percent", kLeastAdvice,
             "the recorder's own estimate, where it is all that the page has"},
            {"least_memory_percent", kLeastBusy,
             "memory less busy than this, and warps that do not wait for it: not worth it"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
