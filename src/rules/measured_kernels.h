// SPDX-License-Identifier: Apache-2.0
// What the rules about measured kernels share: one finding a kernel, with its share of the time and
// a bound of what the kernel and the whole could gain. Bounds are "at most" and never added: the
// faults of one kernel overlap.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/kernel_counters.h"
#include "analysis/kernel_position.h"
#include "rules/rule.h"

namespace rooflab::rules {

// Which of a kernel's faults to look at first: what decides over other counters stands before them.
// Local memory traffic is in every counter of the memory system, contended atomics make all else
// wait, access patterns set the traffic that the rest is judged by; lanes and blocks without work
// come before what more warps, tensor instructions or fewer barriers would hide. A position says
// least.
enum class FaultOrder : std::uint8_t {
  kSpills,
  kAtomics,
  kAccess,
  kBankConflicts,
  kDivergence,
  kSmallGrid,
  kTail,
  kOccupancy,
  kTensor,
  kBarrier,
  kTraffic,
  kPosition
};

struct KernelJudgement {
  bool evaluated = false;  // its counters allow an answer
  std::optional<Finding> finding;
};
using KernelCheck =
    std::function<KernelJudgement(const analysis::Analysis&, const analysis::MeasuredKernel&)>;
// `needs`: said where no kernel has the counters.
[[nodiscard]] Outcome each_kernel(const analysis::Analysis& a, const char* needs,
                                  const KernelCheck& check);

// Without title, evidence, chain and falsifier. `bound` <= 1: none is told.
[[nodiscard]] Finding kernel_finding(const analysis::Analysis& a,
                                     const analysis::MeasuredKernel& kernel, const char* rule,
                                     FaultOrder order, double bound,
                                     std::string_view fix_condition = {});
// "mm_reg": a kernel's name without types and parameters, short enough for a title.
[[nodiscard]] std::string short_name(const analysis::Analysis& a,
                                     const analysis::MeasuredKernel& kernel);
// "80.7 %" of 80.7.
[[nodiscard]] std::string percent(double value);
// "60.1 billion" of 60136652800; counts below a million in full.
[[nodiscard]] std::string amount(double count);
// "waiting for data from global memory" of "stall_global_memory".
[[nodiscard]] std::string stall_words(std::string_view metric);

// Blocks that a multiprocessor holds, by the tightest of its limits, and the names of those.
struct BlockLimit {
  double blocks = 0;                  // 0: not measured
  std::vector<std::string> limiters;  // "registers", "shared_memory", "warps", "blocks", "barriers"
};
[[nodiscard]] BlockLimit block_limit(const analysis::MeasuredKernel& kernel);
// How much faster a kernel can be whose busiest part is at `level_percent`, unless it does less
// work. 0: not known.
[[nodiscard]] double headroom(const analysis::MeasuredKernel& kernel);

}  // namespace rooflab::rules
