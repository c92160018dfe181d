// SPDX-License-Identifier: Apache-2.0
// Measured kernels of whose memory accesses many are to local memory: registers that spilled, or
// arrays indexed at run time, which cannot stand in registers either.
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastOfAccesses = 0.10;
// Kernels that load by bulk copies have next to no other accesses: a few spills are then most.
constexpr double kLeastOfInstructions = 0.01;

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const auto loads = k.value("local_load_requests");
  const auto stores = k.value("local_store_requests");
  if (!loads || !stores) return {};
  const double local = *loads + *stores;
  double all = local;
  for (const std::string_view metric :
       {"global_load_requests", "global_store_requests", "atomic_requests", "reduction_requests"}) {
    all += k.value_or(metric, 0);
  }
  const double share = all > 0 ? local / all : 0;
  const auto instructions = k.value("instructions");
  const double of_instructions = instructions && *instructions > 0 ? local / *instructions : 1;
  const bool hidden = k.limit == analysis::Roof::kCompute;
  if (share < kLeastOfAccesses || of_instructions < kLeastOfInstructions || hidden)
    return {true, {}};
  Finding f =
      kernel_finding(a, k, "register_spills", FaultOrder::kSpills, 1 / (1 - std::min(share, 0.99)));
  f.title = fmt::format("{}: {} of its memory accesses are to local memory", short_name(a, k),
                        human_percent(Ratio{share}));
  f.evidence.push_back({fmt::format("{} local loads and {} local stores beside {} other accesses",
                                    amount(*loads), amount(*stores), amount(all - local)),
                        "local_ratio", share});
  const auto written = k.value("dram_write_bytes");
  const auto sectors = k.value("global_store_sectors");
  constexpr double kSectorBytes = 32;
  if (written && sectors && *written > 2 * kSectorBytes * *sectors) {
    f.evidence.push_back(
        {fmt::format("device memory is written {} where the kernel's stores are {}",
                     human_bytes(Bytes(static_cast<std::int64_t>(std::min(*written, 9e18)))),
                     human_bytes(Bytes(
                         static_cast<std::int64_t>(std::min(kSectorBytes * *sectors, 9e18))))),
         "dram_write_bytes", *written});
  }
  if (const auto registers = k.value("registers_per_thread")) {
    f.evidence.push_back(
        {fmt::format("{:.0f} registers a thread", *registers), "registers_per_thread", *registers});
  }
  if (const auto spills = k.value("spill_requests"); spills && *spills == 0) {
    f.evidence.push_back(
        {"the recorder counts none of them as spills: an array indexed at run "
         "time does the same",
         "", 0});
  }
  f.chain = {"values of a thread do not fit its registers, or are an array indexed at run time",
             "the compiler keeps them in local memory, which is device memory behind caches",
             "each use is a memory access"};
  f.falsifier =
      "compile with -Xptxas -v: without spills and a stack frame, the local accesses are "
      "something else";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "local memory accesses (the memory tables)", &judge);
}

}  // namespace

Rule rule_register_spills() {
  return make_rule(
      {.id = "register_spills",
       .layer = Layer::kKernel,
       .title = "Values of a thread in local memory",
       .why = "What does not fit a thread's registers is kept in local memory, and every use of it "
              "becomes a load or store through L1, L2 and device memory.",
       .thresholds = {{"least_access_ratio", kLeastOfAccesses,
                       "local accesses, of all local and global ones"},
                      {"least_instruction_ratio", kLeastOfInstructions,
                       "local accesses, of all instructions: a tuned product spills 0.0004 of "
                       "them, and no harm is done (tests/data/h200/ncu)"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
