// SPDX-License-Identifier: Apache-2.0
// Products with so few blocks that most multiprocessors have none, or so few tiles that the library
// splits their inner axis to have more blocks. Equal ones next to each other could be one batched
// product; a single one with a long inner axis can be split along it.
#include <fmt/format.h>

#include "base/human.h"
#include "rules/fixes.h"
#include "rules/kernel_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.10;
// Products shorter than this are a matter of launches, not of tiles (see small_kernels). Split ones
// are long enough to be split, and only found where a batched product could do them.
constexpr Nanos kShortest{10'000};

struct Sum {
  std::int64_t count = 0, split = 0;
  Nanos time;
  double blocks = 0, places = 0;  // weighted by time
  const analysis::FewTiles* longest = nullptr;
};

Sum sum_of_tiles(const analysis::Analysis& a) {
  Sum sum;
  const std::vector<std::int64_t>& duration = a.profile->work.duration;
  for (const analysis::FewTiles& few : a.faults.few_tiles) {
    const std::int64_t ns = saturating_add(duration[few.work.row], few.more_ns);
    if (!in_window(a, few.work) || (ns < kShortest.value && !few.split)) continue;
    sum.count += 1;
    sum.split += few.split ? 1 : 0;
    sum.time = Nanos(saturating_add(sum.time.value, ns));
    sum.blocks += few.blocks * static_cast<double>(ns);
    sum.places += few.places * static_cast<double>(ns);
    if (sum.longest == nullptr || ns > duration[sum.longest->work.row]) sum.longest = &few;
  }
  return sum;
}

std::string title_of(const analysis::FewTiles& few) {
  const std::string places =
      few.known_places ? fmt::format("{:.0f} multiprocessors", few.places) : "multiprocessors";
  if (few.split)
    return fmt::format("products of {:.0f} tiles are split to fill {}", few.blocks, places);
  return fmt::format("products of {:.0f} blocks leave most of the device's {} idle", few.blocks,
                     places);
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithShapes& /*has*/) {
  const Sum sum = sum_of_tiles(a);
  const Ratio share = share_of_window(a, sum.time);
  if (sum.longest == nullptr || share.value < kLeastShare) return Clear{};
  const RunSum runs = rules::sum_of(a, a.faults.batchable);

  Finding f;
  f.id = f.rule = "few_tiles";
  f.layer = Layer::kKernel;
  f.ratio = share;
  f.owners = {"compute.gemm"};
  if (runs.timed) f.remedy = {{"fill-device", {}}};
  f.where = kernel_name(a, sum.longest->work);
  f.title = title_of(*sum.longest);
  const double filled = sum.places > 0 ? sum.blocks / sum.places : 0;
  f.evidence.push_back(
      {fmt::format("{} launches with too few {} take {} ({} of the window); on average {} of "
                   "the multiprocessors have one",
                   human_count(sum.count), sum.split > 0 ? "tiles" : "blocks", human_time(sum.time),
                   human_percent(share), human_percent(Ratio{filled})),
       "few_tiles_ns", static_cast<double>(sum.time.value)});
  if (sum.split > 0) {
    f.evidence.push_back(
        {fmt::format("{} of them split their inner axis over more blocks and add the parts in a "
                     "second kernel",
                     human_count(sum.split)),
         "split_count", static_cast<double>(sum.split)});
  }
  f.evidence.push_back({"largest: " + call_text(a, sum.longest->work), "largest_ns",
                        static_cast<double>(a.profile->work.duration[sum.longest->work.row])});
  if (runs.runs > 0) {
    f.evidence.push_back(
        {fmt::format("{} kernels are of equal products next to each other, in {} rows: taken for "
                     "independent, which is not recorded",
                     human_count(runs.works), human_count(runs.runs)),
         "batchable_count", static_cast<double>(runs.works)});
  }
  f.chain = {"the result is small, so it has few tiles", "each tile is one block",
             sum.longest->split
                 ? "split along the inner axis, each block does little and its part is added later"
                 : "multiprocessors without a block idle until the product ends"};
  f.falsifier =
      "run two of them at once on two streams: if both take twice as long, something "
      "else than blocks limits them";
  f.fixes = shipped_fixes(f.rule, runs.runs > 0 ? "batchable" : "");
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_few_tiles() {
  return make_rule(
      {.id = "few_tiles",
       .layer = Layer::kKernel,
       .title = "Products too small to fill the device",
       .why = "A product is cut into tiles of its result, one for each block. With fewer blocks "
              "than half the multiprocessors most of the device does nothing, however good the "
              "kernel is.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window that these launches fill"},
                      {"few_ratio", 0.5, "blocks over multiprocessors"},
                      {"shortest_ns", static_cast<double>(kShortest.value),
                       "shorter products are a matter of launches"},
                      {"least_run", 3, "equal products in a row that count as batchable"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
