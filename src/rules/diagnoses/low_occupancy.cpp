// SPDX-License-Identifier: Apache-2.0
// Measured kernels that wait, and of which few warps fit on a multiprocessor: which resource keeps
// more out, and how much less of it, or which block size, would let more in. Low occupancy alone is
// no fault: good matrix kernels run at 12 %.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/human.h"
#include "rules/measured_kernels.h"

namespace rooflab::rules {
namespace {

constexpr double kMostOccupancy = 50;
constexpr double kLeastGain = 1.10;

std::string limiter_words(std::string_view limiter) {
  if (limiter == "registers") return "registers";
  if (limiter == "shared_memory") return "shared memory";
  if (limiter == "warps") return "the block's size (warp slots)";
  if (limiter == "blocks") return "the number of blocks a multiprocessor holds";
  return "barriers";
}

// What would let twice as many warps in, where the limits allow it.
std::string remedy_words(const analysis::MeasuredKernel& k, const BlockLimit& limit) {
  const std::string& limiter = limit.limiters.front();
  const double twice = 2 * limit.blocks;
  if (limiter == "shared_memory") {
    const double bytes = k.value_or("shared_bytes_per_block", 0);
    if (bytes > 0) {
      return fmt::format("{} blocks fit with at most {} bytes of shared memory a block (now {})",
                         twice, human_count(std::llround(std::floor(bytes / 2))),
                         human_count(std::llround(bytes)));
    }
  }
  if (limiter == "registers") {
    const double registers = k.value_or("registers_per_thread", 0);
    if (registers > 1) {
      return fmt::format("{} blocks fit with at most {:.0f} registers a thread (now {:.0f})", twice,
                         std::floor(registers / 2), registers);
    }
  }
  const double threads = k.value_or("block_threads", 0);
  if (limiter == "blocks" && threads > 0)
    return fmt::format("a block of {:.0f} threads fills twice the warps", 2 * threads);
  if (limiter == "warps" && threads > 64)
    return fmt::format("a block of {:.0f} threads leaves less room unused", threads / 2);
  return {};
}

std::string all_limits(const analysis::MeasuredKernel& k) {
  std::string text;
  for (const char* name : {"registers", "shared_memory", "warps", "blocks", "barriers"}) {
    const auto blocks = k.value(fmt::format("occupancy_limit_{}", name));
    if (!blocks) continue;
    text +=
        fmt::format("{}{} {:.0f}", text.empty() ? "" : ", ",
                    std::string_view(name) == "shared_memory" ? "shared memory" : name, *blocks);
  }
  return text;
}

KernelJudgement judge(const analysis::Analysis& a, const analysis::MeasuredKernel& k) {
  const auto occupancy = k.value("theoretical_occupancy_percent");
  if (!occupancy || k.limit == analysis::Roof::kUnknown) return {};
  if (k.limit != analysis::Roof::kLatency || *occupancy > kMostOccupancy) return {true, {}};
  const double bound = std::min(100 / std::max(*occupancy, 1.0), headroom(k));
  if (bound < kLeastGain) return {true, {}};
  const BlockLimit limit = block_limit(k);
  const std::string limiter = limit.limiters.empty() ? "" : limit.limiters.front();
  Finding f = kernel_finding(a, k, "low_occupancy", FaultOrder::kOccupancy, bound, limiter);
  f.title = fmt::format("{}: only {} of the warps fit on a multiprocessor", short_name(a, k),
                        percent(*occupancy));
  if (!limiter.empty()) f.title += fmt::format(", {} keeps more out", limiter_words(limiter));
  f.evidence.push_back({fmt::format("occupancy {} at most, {} achieved", percent(*occupancy),
                                    percent(k.value_or("achieved_occupancy_percent", *occupancy))),
                        "theoretical_occupancy_percent", *occupancy});
  if (!limiter.empty()) {
    std::string who;
    for (const std::string& name : limit.limiters)
      who += (who.empty() ? "" : " and ") + limiter_words(name);
    f.evidence.push_back(
        {fmt::format("{:.0f} block{} a multiprocessor, limited by {} (limits: {})", limit.blocks,
                     limit.blocks == 1 ? "" : "s", who, all_limits(k)),
         "blocks_per_multiprocessor", limit.blocks});
    if (const std::string words = remedy_words(k, limit); !words.empty())
      f.evidence.push_back({words, "", 0});
  }
  f.chain = {limiter.empty() ? "few warps fit on a multiprocessor"
                             : limiter_words(limiter) + " keeps more blocks off the multiprocessor",
             "too few warps are there to hide the waits of each other",
             "no part of the device is busy"};
  f.falsifier =
      "lower the occupancy further, with unused shared memory: if the time does not grow, "
      "occupancy is not what it waits for";
  return {true, std::move(f)};
}

Outcome check(const analysis::Analysis& a, const WithCounters& /*has*/) {
  return each_kernel(a, "theoretical occupancy and how busy the device is (the occupancy section)",
                     &judge);
}

}  // namespace

Rule rule_low_occupancy() {
  return make_rule(
      {.id = "low_occupancy",
       .layer = Layer::kKernel,
       .title = "Too few warps to hide latency",
       .why = "A multiprocessor hides the waits of one warp with the work of others. Registers, "
              "shared memory, block slots, warp slots or barriers decide how many fit. It matters "
              "only where nothing is busy.",
       .thresholds = {{"most_occupancy_percent", kMostOccupancy,
                       "warps that fit, of all; twice as many must have room"},
                      {"least_gain", kLeastGain, "of the bound: less is not worth it"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
