// SPDX-License-Identifier: Apache-2.0
// Kernels that only convert between element types. Those that are undone within a few kernels are
// counted apart: they need not be.
#include <fmt/format.h>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;

struct Sum {
  std::int64_t count = 0, returned = 0;
  Nanos all, round_trips;
  model::WorkId longest;
};

Sum sum_of_casts(const analysis::Analysis& a) {
  Sum sum;
  const std::vector<std::int64_t>& duration = a.profile->work.duration;
  for (const analysis::Cast& cast : a.faults.casts) {
    if (!in_window(a, cast.work)) continue;
    const std::int64_t ns = duration[cast.work.row];
    sum.count += 1;
    sum.all = Nanos(saturating_add(sum.all.value, ns));
    if (cast.round_trip) {
      sum.returned += 1;
      sum.round_trips = Nanos(saturating_add(sum.round_trips.value, ns));
    }
    if (!sum.longest.valid() || ns > duration[sum.longest.row]) sum.longest = cast.work;
  }
  return sum;
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithShapes& /*has*/) {
  const Sum sum = sum_of_casts(a);
  const Ratio share = share_of_window(a, sum.all);
  if (!sum.longest.valid() || share.value < kLeastShare) return Clear{};

  Finding f;
  f.id = f.rule = "dtype_conversions";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {"compute.layout", "compute.elementwise"};
  f.remedy = {{"remove-casts", {}}};
  f.where = kernel_name(a, sum.longest);
  f.title = sum.returned > 0 ? "values are converted between element types and back"
                             : "values are converted between element types";
  f.evidence.push_back(
      {fmt::format("{} conversions take {} ({} of the window)", human_count(sum.count),
                   human_time(sum.all), human_percent(share)),
       "conversions_ns", static_cast<double>(sum.all.value)});
  f.evidence.push_back({fmt::format("{} of them ({}) are undone within a few kernels",
                                    human_count(sum.returned), human_time(sum.round_trips)),
                        "round_trips_ns", static_cast<double>(sum.round_trips.value)});
  f.evidence.push_back({"largest: " + call_text(a, sum.longest), "largest_ns",
                        static_cast<double>(a.profile->work.duration[sum.longest.row])});
  f.chain = {"an operator needs, or is given, another element type than its neighbours",
             "a kernel reads the tensor in one type and writes it in the other",
             "memory is passed twice more for each of them"};
  f.falsifier = "keep one type through the chain: if the conversions stay, an operator forces them";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_dtype_conversions() {
  return make_rule(
      {.id = "dtype_conversions",
       .layer = Layer::kFramework,
       .title = "Kernels that only convert types",
       .why = "A conversion reads and writes the whole tensor and computes nothing. Mixed "
              "precision needs some (weights kept in single precision); converting each "
              "operator's input and result back and forth is waste.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window that these kernels fill"},
                      {"reach_kernels", 4, "kernels after which a conversion back still counts"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
