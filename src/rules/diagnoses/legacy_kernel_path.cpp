// SPDX-License-Identifier: Apache-2.0
// Matrix products by kernels that were written for an older device generation, and that are slow
// here. Libraries use such kernels on purpose where they are good enough: only half the expected
// rate counts. Products with unaligned sizes and those on the vector units have rules of their own.
#include <fmt/format.h>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.10;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/, const WithShapes& /*has*/,
              const WithKnownDevice& /*has*/) {
  const SlowSum sum = sum_of(a, a.faults.old_path);
  const Ratio share = share_of_window(a, sum.now);
  if (sum.worst == nullptr || share.value < kLeastShare) return Clear{};

  Finding f;
  f.id = f.rule = "legacy_kernel_path";
  f.layer = Layer::kKernel;
  f.ratio = share;
  f.owners = {"compute.gemm"};
  f.remedy = {{"new-kernels", {}}};
  f.where = kernel_name(a, sum.worst->work);
  f.title = fmt::format("products run on kernels written for compute capability {}",
                        generation_text(sum.worst->generation));
  f.evidence.push_back(
      {fmt::format("{} launches take {} ({} of the window), at less than half the "
                   "rate that libraries reach on this device",
                   human_count(sum.count), human_time(sum.now), human_percent(share)),
       "old_kernels_ns", static_cast<double>(sum.now.value)});
  f.evidence.push_back({fmt::format("largest: {} by {}", call_text(a, sum.worst->work), f.where),
                        "largest_ns",
                        static_cast<double>(a.profile->work.duration[sum.worst->work.row])});
  f.chain = {"the library has no kernel for this device and these operands, or is older than it",
             "it takes one for an older generation",
             "instructions that only newer devices have stay unused"};
  f.falsifier =
      "run the product alone with the newest library: if the kernel's name stays, the "
      "library knows no better one";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_legacy_kernel_path() {
  return make_rule(
      {.id = "legacy_kernel_path",
       .layer = Layer::kKernel,
       .title = "Products run on kernels of an older device",
       .why = "Each device generation brings matrix instructions that only kernels written for it "
              "use. An old library, an unusual type or layout, or a framework built for older "
              "devices leaves them unused.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window that these launches fill"},
                      {"slow_ratio", 0.5,
                       "expected time over own time; libraries take old kernels on purpose where "
                       "they are good enough"}},
       .tested_on_real_input = false},
      &check);
}

}  // namespace rooflab::rules
