// SPDX-License-Identifier: Apache-2.0
// Measured kernels that wait while atomics of many threads queue up for few addresses.
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastOfAccesses = 0.10;
constexpr double kLeastWaiting = 0.50;
// Every slice of L2 does one atomic operation a cycle, and devices have dozens: so few in all are
// operations on the same few addresses, one after another.
constexpr double kMostPerCycle = 4;

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const auto with = k.value("atomic_requests");
  const auto without = k.value("reduction_requests");
  if ((!with && !without) || k.limit == analysis::Roof::kUnknown) return {};
  const double atomics = with.value_or(0) + without.value_or(0);
  const double others =
      k.value_or("global_load_requests", 0) + k.value_or("global_store_requests", 0);
  if (k.limit != analysis::Roof::kLatency || atomics < kLeastOfAccesses * (atomics + others) ||
      atomics == 0) {
    return {true, {}};
  }
  double waiting = 0;
  bool known = false;
  for (const std::string_view stall : {"stall_drain", "stall_shared_memory", "stall_global_memory",
                                       "stall_local_global_queue", "stall_memory_fence"}) {
    const auto share = analysis::stall_share(k, stall);
    known = known || share.has_value();
    waiting += share.value_or(0);
  }
  if (known && waiting < kLeastWaiting) return {true, {}};
  const double operations = k.value_or("atomic_sectors", 0) + k.value_or("reduction_sectors", 0);
  const double cycles = k.value_or("cycles_elapsed", 0);
  const double rate = cycles > 0 ? operations / cycles : 0;
  if (operations > 0 && rate > kMostPerCycle) return {true, {}};
  Finding f = kernel_finding(a, k, "atomic_contention", FaultOrder::kAtomics,
                             known ? 1 / (1 - std::min(waiting, 0.99)) : headroom(k));
  f.title = fmt::format("{}: atomics queue up for few addresses", short_name(a, k));
  f.evidence.push_back({fmt::format("{} of {} memory instructions are atomics", amount(atomics),
                                    amount(atomics + others)),
                        "atomic_ratio", atomics / (atomics + others)});
  if (operations > 0 && rate > 0) {
    f.evidence.push_back(
        {fmt::format("{} operations at L2, {:.2g} a cycle where every slice could do one",
                     amount(operations), rate),
         "operations_per_cycle", rate});
  }
  if (known) {
    f.evidence.push_back({fmt::format("warps wait for memory {} of the time, and memory is {} busy",
                                      human_percent(Ratio{std::min(waiting, 1.0)}),
                                      percent(k.value_or("memory_percent", k.level_percent))),
                          "waiting_ratio", waiting});
  }
  f.chain = {"many threads update the same few addresses",
             "L2 does the updates of one address one after another",
             "all warps wait for their turn while the device idles"};
  f.falsifier =
      "give each block an address of its own: if the time does not fall, the updates do "
      "not contend";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "atomic instructions (the memory tables)", &judge);
}

}  // namespace

Rule rule_atomic_contention() {
  return make_rule(
      {.id = "atomic_contention",
       .layer = Layer::kKernel,
       .title = "Atomics that queue up",
       .why = "Atomic updates of one address are done one after another at L2. Where all threads "
              "update few addresses, the kernel takes as long as that queue.",
       .thresholds = {{"least_access_ratio", kLeastOfAccesses,
                       "atomic instructions, of all global ones"},
                      {"least_waiting_ratio", kLeastWaiting,
                       "time of warps that wait for memory, of all"},
                      {"most_per_cycle", kMostPerCycle,
                       "operations at L2 in a cycle: more are on many addresses"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
