// SPDX-License-Identifier: Apache-2.0
// Measured kernels whose busiest part is an arithmetic pipe or the schedulers. A position, no
// fault: less arithmetic, or another pipe, makes them faster.
#include <fmt/format.h>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

std::string pipe_words(std::string_view pipe) {
  if (pipe == "tensor") return "the matrix units";
  if (pipe == "fma") return "the multiply-add pipe (fma)";
  if (pipe == "alu") return "the integer pipe (alu)";
  if (pipe == "fp64") return "the double-precision pipe";
  if (pipe == "fp16") return "the half-precision pipe";
  if (pipe == "xu") return "the special-function pipe (xu)";
  if (pipe == "issue") return "the schedulers (issue slots)";
  return "the multiprocessors";
}

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  if (k.limit == analysis::Roof::kUnknown) return {};
  if (k.limit != analysis::Roof::kCompute) return {true, {}};
  Finding f = kernel_finding(a, k, "compute_bound_kernel", FaultOrder::kPosition, 0, k.level);
  f.title = fmt::format("{} is bound by {}, {} busy", short_name(a, k), pipe_words(k.level),
                        percent(k.level_percent));
  std::string text = fmt::format("{} {} busy", pipe_words(k.level), percent(k.level_percent));
  if (const auto issue = k.value("issue_percent"); issue && k.level != "issue")
    text += fmt::format(", issue slots {}", percent(*issue));
  if (const auto memory = k.value("memory_percent"))
    text += fmt::format(", memory {}", percent(*memory));
  f.evidence.push_back({text, "compute_percent", k.level_percent});
  const auto flops = analysis::measured_flops(k);
  if (flops && *flops > 0 && k.median.value > 0) {
    const double rate = *flops / (static_cast<double>(k.median.value) * 1e-9);
    f.evidence.push_back({fmt::format("{} while its counters were read", human_flops(rate)),
                          "flops_per_second", rate});
  }
  f.chain = {pipe_words(k.level) + " issue or work nearly every cycle",
             "memory and latency are hidden behind them",
             "only less arithmetic, or a faster pipe for it, makes the kernel faster"};
  f.falsifier =
      "leave out half of the arithmetic: if its time does not fall, this is not its limit";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "how busy memory and the pipes are (the speed-of-light section)", &judge);
}

}  // namespace

Rule rule_compute_bound_kernel() {
  return make_rule(
      {.id = "compute_bound_kernel",
       .layer = Layer::kKernel,
       .title = "Measured kernels that arithmetic limits",
       .why = "The busiest pipe sets the kernel's pace, or the schedulers where no one pipe does. "
              "Load and store instructions are not counted as compute. A position, not a fault.",
       .thresholds = {{"least_percent", analysis::kBoundPercent,
                       "busy share from which a part limits: below it on all sides the vendor's "
                       "speed-of-light rule says latency"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
