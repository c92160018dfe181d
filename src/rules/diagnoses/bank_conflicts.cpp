// SPDX-License-Identifier: Apache-2.0
// Measured kernels whose shared memory accesses are served in more passes than they need: threads
// of a warp use different rows of one bank.
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastExcess = 0.25;
constexpr double kLeastAdvice = 30;
// Shared memory that is neither busy nor waited for costs nothing.
constexpr double kLeastBusy = 20;
constexpr double kLeastWaiting = 0.20;

struct Seen {
  bool evaluated = false;
  double excess = 0;
  std::string text;
  bool counted = true;  // false: the recorder's estimate
};

Seen look(const analysis::MeasuredKernel& k) {
  const auto all = k.value("shared_wavefronts_theoretical");
  const auto ideal = k.value("shared_wavefronts_ideal");
  if (all && ideal) {
    const double excess = *all > 0 ? std::clamp(1 - *ideal / *all, 0.0, 0.999) : 0;
    return {true, excess,
            fmt::format("{} of {} passes through shared memory are conflicts ({}): {:.1f} passes "
                        "where one would do",
                        amount(*all - *ideal), amount(*all), human_percent(Ratio{excess}),
                        *ideal > 0 ? *all / *ideal : 0)};
  }
  const auto conflicts = k.value("shared_bank_conflicts");
  const auto passes = k.value("shared_wavefronts");
  if (conflicts && (*conflicts == 0 || (passes && *passes > 0))) {
    const double excess = *conflicts == 0 ? 0 : std::clamp(*conflicts / *passes, 0.0, 0.999);
    return {
        true, excess,
        fmt::format("{} of {} passes through shared memory are conflicts ({})", amount(*conflicts),
                    amount(passes.value_or(0)), human_percent(Ratio{excess}))};
  }
  if (const auto advice = k.value("advice_bank_conflicts_percent")) {
    const bool fires = *advice >= kLeastAdvice;
    return {true, fires ? std::min(*advice, 99.0) / 100 : 0,
            fmt::format("the recorder's own rule says that accesses without conflicts would save "
                        "up to {} (its counters are not on this page)",
                        percent(*advice)),
            false};
  }
  return {};
}

bool costs(const analysis::MeasuredKernel& k) {
  if (k.limit == analysis::Roof::kCompute) return false;
  const auto busy = k.value("shared_wavefront_percent");
  if (!busy || *busy >= kLeastBusy) return true;
  return analysis::stall_share(k, "stall_shared_memory").value_or(0) +
             analysis::stall_share(k, "stall_shared_queue").value_or(0) >=
         kLeastWaiting;
}

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const Seen seen = look(k);
  if (!seen.evaluated || seen.excess < kLeastExcess || !costs(k)) return {seen.evaluated, {}};
  Finding f =
      kernel_finding(a, k, "bank_conflicts", FaultOrder::kBankConflicts, 1 / (1 - seen.excess));
  f.title = fmt::format("{}: shared memory accesses conflict on banks", short_name(a, k));
  if (!seen.counted) f.confidence = Confidence::kLow;
  f.evidence.push_back({seen.text, "conflict_ratio", seen.excess});
  if (const auto busy = k.value("shared_wavefront_percent")) {
    f.evidence.push_back({fmt::format("shared memory is {} busy", percent(*busy)),
                          "shared_wavefront_percent", *busy});
  }
  f.chain = {"threads of one warp use different rows of the same bank",
             "the access is served in as many passes as the fullest bank has rows",
             "warps wait for shared memory while most banks idle"};
  f.falsifier =
      "pad the rows of the tile by one element: if the passes do not fall, the pattern "
      "conflicts otherwise";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "passes and bank conflicts of shared memory (the memory tables)", &judge);
}

}  // namespace

Rule rule_bank_conflicts() {
  return make_rule(
      {.id = "bank_conflicts",
       .layer = Layer::kKernel,
       .title = "Bank conflicts in shared memory",
       .why =
           "Shared memory has 32 banks of four bytes, one row a cycle each. Rows of a tile whose "
           "length is a multiple of 32 words put a column into one bank.",
       .thresholds = {{"least_excess_ratio", kLeastExcess,
                       "passes that are conflicts, of all; tuned library kernels have up to 0.17 "
                       "(tests/data/h200/ncu)"},
                      {"least_advice_percent", kLeastAdvice,
                       "the recorder's own estimate, where it is all that the page has"},
                      {"least_shared_percent", kLeastBusy,
                       "shared memory less busy than this, and not waited for: not worth it"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
