// SPDX-License-Identifier: Apache-2.0
// Products and convolutions whose sizes are no multiples of what the matrix units' fast loads need,
// on a kernel that is slow for that reason: its name says so, or it takes longer than a well-chosen
// kernel for padded sizes would. Says nothing about unaligned sizes that a library handles well.
#include <fmt/format.h>

#include "analysis/op_facts.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;

analysis::OpFacts facts_of(const analysis::Analysis& a, model::WorkId work) {
  const model::Profile& p = *a.profile;
  const model::SpanId op = work.row < a.ops.size() ? a.ops[work.row] : model::SpanId();
  if (op.row >= p.spans.size() || p.spans.args[op.row].row >= p.op_args.size()) return {};
  const model::OpArgs& texts = p.op_args[p.spans.args[op.row].row];
  return analysis::op_facts(
      p.span_name(op), analysis::parse_op_arguments(p.text(texts.dims), p.text(texts.types),
                                                    p.text(texts.strides), p.text(texts.concrete)));
}

void add_path(const analysis::Analysis& a, const analysis::SlowWork& worst, Finding& f) {
  std::string text = "kernel: " + f.where;
  if (worst.named) text += "; its name shows one for unaligned operands";
  const model::DeviceId device = a.profile->device_of(worst.work.row);
  if (worst.generation > 0 && device.row < a.profile->devices.size()) {
    const model::Device& d = a.profile->devices[device.row];
    if (d.compute_major > worst.generation / 10) {
      text += fmt::format(", written for compute capability {} (the device has {}.{})",
                          generation_text(worst.generation), d.compute_major, d.compute_minor);
    }
  }
  f.evidence.push_back({text, "kernel_generation", static_cast<double>(worst.generation)});
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithShapes& /*has*/) {
  const SlowSum sum = sum_of(a, a.faults.misaligned);
  const Ratio share = share_of_window(a, sum.now);
  if (sum.worst == nullptr || share.value < kLeastShare) return Clear{};
  const analysis::OpFacts facts = facts_of(a, sum.worst->work);

  Finding f;
  f.id = f.rule = "misaligned_gemm";
  f.layer = Layer::kKernel;
  f.ratio = share;
  f.owners = {"compute.gemm", "compute.conv"};
  if (sum.timed) f.remedy = {{"align-gemm", {}}};
  f.where = kernel_name(a, sum.worst->work);
  f.title = fmt::format("{} {} no multiple of {}: products take a slow kernel", facts.sizes,
                        facts.sizes.find(',') == std::string::npos ? "is" : "are", facts.alignment);
  f.evidence.push_back(
      {fmt::format("{} launches of products or convolutions with such sizes take {} ({} of the "
                   "window)",
                   human_count(sum.count), human_time(sum.now), human_percent(share)),
       "misaligned_ns", static_cast<double>(sum.now.value)});
  f.evidence.push_back({"largest: " + call_text(a, sum.worst->work), "largest_ns",
                        static_cast<double>(a.profile->work.duration[sum.worst->work.row])});
  if (sum.worst->has_time) {
    f.evidence.push_back(
        {fmt::format("padded, at the rate libraries reach on this device, it would take {} to {} "
                     "instead of {}",
                     human_time(Nanos(static_cast<std::int64_t>(sum.worst->then.shortest))),
                     human_time(Nanos(static_cast<std::int64_t>(sum.worst->then.longest))),
                     human_time(Nanos(a.profile->work.duration[sum.worst->work.row]))),
         "padded_likely_ns", sum.worst->then.likely});
  }
  add_path(a, *sum.worst, f);
  f.chain = {"a size along a contiguous axis is no multiple of 16 bytes",
             "the fast kernels cannot load such rows, so the library takes another one",
             "the matrix units wait for narrow loads"};
  f.falsifier =
      "run the product alone with each size rounded up: if it takes as long, sizes do not matter";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_misaligned_gemm() {
  return make_rule(
      {.id = "misaligned_gemm",
       .layer = Layer::kKernel,
       .title = "Sizes keep products off the fast kernels",
       .why = "Matrix units are fed by loads of 16 bytes: 8 elements of 16 bits, 4 of single "
              "precision, 16 of 8 bits. Rows whose length is no multiple of that cannot be loaded "
              "so, and the library falls back to a kernel with narrow loads, often one written "
              "for older devices.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window that these launches fill; below it padding cannot "
                       "gain 5 %"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
