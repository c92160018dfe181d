// SPDX-License-Identifier: Apache-2.0
#include "rules/kernel_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/owner_totals.h"
#include "base/human.h"

namespace rooflab::rules {
namespace {

constexpr std::size_t kLongestShapes = 80;  // one line of a terminal
constexpr std::uint32_t kMostNames = 5;

std::int64_t duration(const analysis::Analysis& a, model::WorkId work) {
  return a.profile->work.duration[work.row];
}

void add(Nanos& sum, std::int64_t ns) { sum = Nanos(saturating_add(sum.value, ns)); }

}  // namespace

bool in_window(const analysis::Analysis& a, model::WorkId work) {
  if (work.row >= a.profile->work.size()) return false;
  const std::int64_t start = a.profile->work.start[work.row];
  return start >= a.window.start.value && start < a.window.end.value;
}

SlowSum sum_of(const analysis::Analysis& a, const std::vector<analysis::SlowWork>& works) {
  SlowSum sum;
  for (const analysis::SlowWork& slow : works) {
    if (!in_window(a, slow.work)) continue;
    const std::int64_t now = duration(a, slow.work);
    sum.count += 1;
    sum.named += slow.named ? 1 : 0;
    sum.timed = sum.timed || slow.has_time;
    add(sum.now, now);
    add(sum.then, slow.has_time ? std::llround(slow.then.likely) : now);
    if (sum.worst == nullptr || now > duration(a, sum.worst->work)) sum.worst = &slow;
  }
  return sum;
}

RunSum sum_of(const analysis::Analysis& a, const analysis::WorkRuns& runs) {
  RunSum sum;
  for (const analysis::WorkRun& run : runs.runs) {
    if (run.count == 0 || !in_window(a, runs.works[run.first])) continue;
    sum.runs += 1;
    sum.works += run.count;
    sum.timed = sum.timed || run.has_time;
    add(sum.now, run.ns_now);
    add(sum.then, run.has_time ? std::llround(run.then.likely) : run.ns_now);
    sum.bytes_now += run.bytes_now;
    sum.bytes_then += run.bytes_then;
    if (sum.largest == nullptr || run.ns_now > sum.largest->ns_now) sum.largest = &run;
  }
  return sum;
}

AtRoof at_roof(const analysis::Analysis& a, analysis::Roof roof, double least_ratio) {
  AtRoof sum;
  for (const analysis::KernelRow& row : a.kernels.rows) {
    const double reached = ratio_of(row.roof_time, row.modelled_sum).value;
    if (row.limit != roof || reached < least_ratio) continue;
    // The roof of the vector units is no position where the matrix units could be used.
    const bool product = row.kernel_class == analysis::KernelClass::kGemm ||
                         row.kernel_class == analysis::KernelClass::kConv;
    if (product && !row.tensor_path && !a.faults.vector_products.empty()) continue;
    add(sum.time, row.modelled_sum.value);
    add(sum.roof_time, row.roof_time.value);
    sum.launches += row.modelled;
    if (sum.largest == nullptr || row.modelled_sum > sum.largest->modelled_sum) sum.largest = &row;
  }
  return sum;
}

std::optional<Finding> position_at_roof(const analysis::Analysis& a, analysis::Roof roof,
                                        double least_ratio, double least_share,
                                        std::string_view peak) {
  const AtRoof sum = at_roof(a, roof, least_ratio);
  const Ratio share = share_of_window(a, sum.time);
  if (sum.largest == nullptr || share.value < least_share) return {};
  Finding f;
  f.layer = Layer::kKernel;
  f.ratio = share;
  f.owners = {"compute"};
  f.where = std::string(a.profile->text(sum.largest->name));
  f.evidence.push_back(
      {fmt::format("{} launches take {} ({} of the window) and reach {} of the {} of {}",
                   human_count(sum.launches), human_time(sum.time), human_percent(share),
                   human_percent(ratio_of(sum.roof_time, sum.time)), peak, a.kernels.device_name),
       "at_roof_ns", static_cast<double>(sum.time.value)});
  f.evidence.push_back({fmt::format("largest: {}, {} in {} launches", f.where,
                                    human_time(sum.largest->sum), human_count(sum.largest->count)),
                        "largest_ns", static_cast<double>(sum.largest->sum.value)});
  return f;
}

Ratio share_of_window(const analysis::Analysis& a, Nanos time) {
  return ratio_of(time, analysis::window_total(a.accounting));
}

std::string kernel_name(const analysis::Analysis& a, model::WorkId work) {
  return std::string(a.profile->text(a.profile->work.name[work.row]));
}

std::string call_text(const analysis::Analysis& a, model::WorkId work) {
  const model::Profile& p = *a.profile;
  const model::SpanId op = work.row < a.ops.size() ? a.ops[work.row] : model::SpanId();
  if (op.row >= p.spans.size()) return {};
  std::string text(p.span_name(op));
  const model::ArgsId args = p.spans.args[op.row];
  if (args.row >= p.op_args.size()) return text;
  std::string shapes(p.text(p.op_args[args.row].dims));
  if (shapes.size() > kLongestShapes) shapes = shapes.substr(0, kLongestShapes) + "…";
  return shapes.empty() ? text : text + " " + shapes;
}

std::string operators_text(const analysis::Analysis& a, const analysis::WorkRuns& runs,
                           const analysis::WorkRun& run) {
  const model::Profile& p = *a.profile;
  std::string text;
  for (std::uint32_t k = 0; k < std::min(run.count, kMostNames); ++k) {
    const model::WorkId work = runs.works[run.first + k];
    const model::SpanId op = work.row < a.ops.size() ? a.ops[work.row] : model::SpanId();
    if (op.row >= p.spans.size()) continue;
    text += text.empty() ? "" : ", ";
    text += p.span_name(op);
  }
  if (run.count > kMostNames) text += fmt::format(", {} more", run.count - kMostNames);
  return text;
}

std::string generation_text(int generation) {
  return fmt::format("{}.{}", generation / 10, generation % 10);
}

}  // namespace rooflab::rules
