// SPDX-License-Identifier: Apache-2.0
// Kernels that only change the order of values in memory: between channels-first and channels-last
// around convolutions, and strided copies (contiguous(), transposes). The same change of layout
// lets batch normalisation stream that now has one channel to a block.
#include <fmt/format.h>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;

struct Sum {
  std::int64_t count = 0;
  Nanos all, convolution;
  model::WorkId longest;
};

Sum sum_of_copies(const analysis::Analysis& a) {
  Sum sum;
  const std::vector<std::int64_t>& duration = a.profile->work.duration;
  for (const analysis::LayoutCopy& copy : a.faults.layout) {
    if (!in_window(a, copy.work)) continue;
    const std::int64_t ns = duration[copy.work.row];
    sum.count += 1;
    sum.all = Nanos(saturating_add(sum.all.value, ns));
    if (copy.convolution) sum.convolution = Nanos(saturating_add(sum.convolution.value, ns));
    if (!sum.longest.valid() || ns > duration[sum.longest.row]) sum.longest = copy.work;
  }
  return sum;
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/) {
  const Sum sum = sum_of_copies(a);
  const Ratio share = share_of_window(a, sum.all);
  if (!sum.longest.valid() || share.value < kLeastShare) return Clear{};
  const bool around_convolutions = sum.convolution.value > sum.all.value / 2;

  Finding f;
  f.id = f.rule = "layout_transforms";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {"compute.layout"};
  if (around_convolutions) f.remedy = {{"channels-last", {}}};
  f.where = kernel_name(a, sum.longest);
  f.title = around_convolutions ? "convolution operands change layout on the device"
                                : "tensors are copied into another memory layout";
  f.evidence.push_back(
      {fmt::format("{} kernels that only change the layout take {} ({} of the window), {} of it "
                   "around convolutions",
                   human_count(sum.count), human_time(sum.all), human_percent(share),
                   human_percent(ratio_of(sum.convolution, sum.all))),
       "layout_ns", static_cast<double>(sum.all.value)});
  if (const SlowSum norms = sum_of(a, a.faults.channel_norms);
      around_convolutions && norms.count > 0) {
    f.evidence.push_back(
        {fmt::format("{} batch normalisation kernels work on one channel in each block and take {} "
                     "({} of the window); streaming their operands takes {}",
                     human_count(norms.count), human_time(norms.now),
                     human_percent(share_of_window(a, norms.now)), human_time(norms.then)),
         "channel_norms_ns", static_cast<double>(norms.now.value)});
    f.owners.push_back("compute.norm");
  }
  f.evidence.push_back({fmt::format("largest: {} for {}", f.where, call_text(a, sum.longest)),
                        "largest_ns",
                        static_cast<double>(a.profile->work.duration[sum.longest.row])});
  f.chain = {around_convolutions ? "tensors are stored channels-first, the matrix units want "
                                   "channels-last"
                                 : "an operator gets a tensor whose strides it cannot use",
             "a kernel copies the tensor into the other order", "memory is read and written twice"};
  f.falsifier = around_convolutions
                    ? "store model and input channels-last: if these kernels stay, an operator "
                      "between them has no such form"
                    : "make the tensor contiguous where it is made: if the copies stay, their "
                      "source is elsewhere";
  f.fixes = shipped_fixes(f.rule, around_convolutions ? "convolution" : "");
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_layout_transforms() {
  return make_rule(
      {.id = "layout_transforms",
       .layer = Layer::kFramework,
       .title = "Copies that only change the layout",
       .why = "Matrix units multiply channels-last operands; channels-first tensors are converted "
              "before and after each convolution. Transposed and strided tensors are copied "
              "before operators that need contiguous ones.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window that these kernels fill"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
