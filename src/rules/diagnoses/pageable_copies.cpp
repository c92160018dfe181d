// SPDX-License-Identifier: Apache-2.0
// Copies between host and device from ordinary (pageable) memory that nothing hides. The driver
// must stage such memory through a buffer of its own, so the copy runs far below the link's rate
// and the caller waits for it. Says nothing about copies hidden under kernels: they cost no device
// time.
#include <fmt/format.h>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "rules/fixes.h"
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;
// Below this a copy costs its fixed price, not its bytes: 10 us at 6 GB/s, the slow end of pageable
// rates.
constexpr double kSmallCopyBytes = 64e3;

bool is_pageable_copy(std::string_view owner) {
  return analysis::in_branch(owner, "copy.exposed") && owner.ends_with(".pageable");
}

std::string_view direction_text(model::CopyDirection d) {
  if (d == model::CopyDirection::kHostToDevice) return "host to device";
  return d == model::CopyDirection::kDeviceToHost ? "device to host" : "other direction";
}

void add_rates(const analysis::Analysis& a, Finding& f) {
  for (const analysis::CopyGroup& group : a.copies) {
    if (group.memory != model::MemoryKind::kPageable || group.count == 0) continue;
    std::string text =
        fmt::format("{}: {} copies, {} in {}", direction_text(group.direction),
                    human_count(group.count), human_bytes(group.bytes), human_time(group.sum));
    if (group.bytes_per_second() > 0)
      text += fmt::format(", {}", human_rate(group.bytes_per_second()));
    if (a.hardware != nullptr && a.hardware->host_link.value > 0) {
      text += fmt::format(" (the link carries {})", human_rate(a.hardware->host_link.value));
    }
    f.evidence.push_back({std::move(text), "bytes_per_second", group.bytes_per_second()});
    if (group.sized > 0) {
      const double mean = static_cast<double>(group.bytes.value) / static_cast<double>(group.sized);
      if (mean < kSmallCopyBytes) {
        f.evidence.push_back(
            {fmt::format("they are small, {} on average: their number costs more than their bytes",
                         human_bytes(Bytes(static_cast<std::int64_t>(mean)))),
             "mean_bytes", mean});
      }
    }
  }
}

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/) {
  Nanos exposed;
  std::string worst;
  std::vector<std::string> owners;
  for (const analysis::OwnerShare& share : analysis::owner_totals(a.accounting)) {
    if (!is_pageable_copy(share.owner)) continue;
    if (worst.empty()) worst = share.owner;
    owners.push_back(share.owner);
    exposed += share.time;
  }
  const Ratio ratio = ratio_of(exposed, analysis::window_total(a.accounting));
  if (ratio.value < kLeastShare) return Clear{};
  Finding f;
  f.id = f.rule = "pageable_copies";
  f.layer = Layer::kSystem;
  f.ratio = ratio;
  f.owners = owners;
  f.remedy = {{"pin-copies", {}}};
  f.where = worst;
  f.title = "copies from pageable host memory hold up the device";
  f.evidence.push_back(
      {fmt::format("{} of the window ({}) is spent in pageable copies that nothing hides",
                   human_time(exposed), human_percent(ratio)),
       "exposed_ns", static_cast<double>(exposed.value)});
  add_rates(a, f);
  f.chain = {"the host buffer is ordinary pageable memory",
             "the driver stages it piece by piece through a pinned buffer of its own",
             "the copy runs below the link's rate and the caller cannot run ahead",
             "kernels wait for the data"};
  f.falsifier =
      "pin the buffer and record again: if the achieved rate does not rise, the host's memory or "
      "the link is "
      "the limit";
  f.fixes = shipped_fixes(f.rule, {});
  return std::vector<Finding>{std::move(f)};
}

}  // namespace

Rule rule_pageable_copies() {
  return make_rule({.id = "pageable_copies",
                    .layer = Layer::kSystem,
                    .title = "Copies from pageable memory that nothing hides",
                    .why = "Only page-locked host memory can be read by the device's copy engine "
                           "directly. Pageable memory goes "
                           "through a staging buffer: a lower rate, and a call that returns late.",
                    .thresholds = {{"least_share_ratio", kLeastShare,
                                    "share of the window; below it pinning cannot gain 1.05x"},
                                   {"small_copy_bytes", kSmallCopyBytes,
                                    "mean size below which the fixed cost of a copy (about 10 us) "
                                    "exceeds that of its bytes"}},
                    .tested_on_real_input = true},
                   &check);
}

}  // namespace rooflab::rules
