// SPDX-License-Identifier: Apache-2.0
// Many copies of a few kilobytes in each step: each pays a call, a hand-over to the copy engine and
// often a wait, so their number costs and not their bytes. Says nothing about values that the host
// reads back and waits for one by one (`host_sync`), nor about copies inside the device.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/copies.h"
#include "rules/fixes.h"
#include "rules/idle_evidence.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;
constexpr std::int64_t kLeastPerStep = 8;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  const SmallCopies copies = small_copies(a);
  const auto steps = static_cast<std::int64_t>(std::max<std::size_t>(a.window.unit_count, 1));
  const Nanos window = analysis::window_total(a.accounting);
  const Ratio share = ratio_of(copies.owned(), window);
  if (copies.count < kLeastPerStep * steps || share.value < kLeastShare) return Clear{};

  Finding f;
  f.id = f.rule = "small_copies";
  f.layer = Layer::kFramework;
  f.ratio = share;
  f.owners = {"copy.exposed.h2d", "copy.exposed.d2h", "idle.starved.copy_call"};
  f.remedy = {{"coalesce-copies", {}}};
  f.where = std::string(a.profile->text(copies.activity));
  f.title = fmt::format("many small copies ({}){}", per_step(a, copies.count),
                        f.where.empty() ? "" : ": " + f.where);
  const Bytes mean(copies.bytes.value / copies.count);
  f.evidence.push_back(
      {fmt::format("{} copies of at most {} between host and device, {}, {} on average",
                   human_count(copies.count), human_bytes(Bytes(kSmallCopyBytes)),
                   per_step(a, copies.count), human_bytes(mean)),
       "small_copies_count", static_cast<double>(copies.count)});
  f.evidence.push_back(
      {fmt::format("{} of the window ({}): {} in the copies, {} waiting for the calls, operators "
                   "and waits around them",
                   human_time(copies.owned()), human_percent(share), human_time(copies.exposed),
                   human_time(copies.idle)),
       "owned_ns", static_cast<double>(copies.owned().value)});
  const auto each = [&](Nanos time) { return human_time(Nanos(time.value / copies.count)); };
  std::string cost = fmt::format("each costs {} on the device and {} in its call",
                                 each(copies.device), each(copies.calls));
  if (a.hardware != nullptr && a.hardware->host_link.value > 0) {
    const double ns = static_cast<double>(copies.bytes.value) / a.hardware->host_link.value * 1e9;
    cost += fmt::format("; the link needs {} for the bytes of all of them",
                        human_time(Nanos(static_cast<std::int64_t>(ns))));
  }
  f.evidence.push_back({std::move(cost), "device_ns", static_cast<double>(copies.device.value)});
  f.chain = {"each small tensor is copied on its own",
             "every copy pays its call, its hand-over and often a wait",
             "the device idles between copies that take it microseconds"};
  f.falsifier =
      "copy the same bytes as one buffer: if the step takes as long, the number of copies does not "
      "matter";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_small_copies() {
  return make_rule(
      {.id = "small_copies",
       .layer = Layer::kFramework,
       .title = "Many small copies",
       .why = "A copy has a fixed price of several microseconds on the host and on the device. "
              "Below about 64 KiB that price exceeds the time for its bytes, so one copy of a "
              "packed buffer replaces many at the price of one.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "share of the window they own, with the idle they end"},
                      {"least_per_step", static_cast<double>(kLeastPerStep),
                       "copies a step; with fewer, packing them saves a few calls only"},
                      {"small_copy_bytes", static_cast<double>(kSmallCopyBytes),
                       "a fixed price of 1-10 us equals the time of 64 KiB at 6-60 GB/s"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
