// SPDX-License-Identifier: Apache-2.0
#include "verdict/summary.h"

#include <fmt/format.h>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "graph/late_rank.h"

namespace rooflab::verdict {
namespace {

// Below this share of the window copies cost by what they make the host do, not by their bytes.
constexpr double kHeldUpBelow = 0.10;

// The named activity behind an owner, without the method that frameworks append after a '#'.
std::string owner_tail(const std::string& owner) {
  const std::size_t colon = owner.find(':');
  const std::string tail = colon == std::string::npos ? owner : owner.substr(colon + 1);
  return tail.substr(0, tail.find('#'));
}

// " (OWNER)", or ", most in OWNER (x %)" where the limit has more than that one owner.
std::string most_in(const LimitShare& leader) {
  if (human_percent(leader.owner_ratio) == human_percent(leader.ratio)) {
    return " (" + leader.owner + ")";
  }
  return fmt::format(", most in {} ({})", leader.owner, human_percent(leader.owner_ratio));
}

// A named owner speaks for itself, with the share that the table gives it.
std::string named_owner(const LimitShare& leader, std::string_view what, std::string_view verb,
                        std::string_view all) {
  const std::string share = human_percent(leader.owner_ratio);
  std::string text = fmt::format("The GPU waits for {}: {} {} {} of the time", what,
                                 owner_tail(leader.owner), verb, share);
  const std::string sum = human_percent(leader.ratio);
  if (sum != share) text += fmt::format(" ({} in all {})", all, sum);
  return text;
}

std::string busy_sentence(const analysis::Analysis& a, const LimitShare& leader,
                          std::string_view kernels) {
  return fmt::format("The GPU is busy {}; kernels limited by {} lead with {} of the time",
                     human_percent(analysis::window_busy_ratio(a.accounting)), kernels,
                     human_percent(leader.ratio));
}

std::string straggler_sentence(const analysis::Analysis& a, const std::string& share) {
  const auto late = graph::late_rank(a);
  if (!late) return fmt::format("Ranks wait for later ones {} of the time", share);
  const analysis::RankComparison& ranks = *a.ranks;
  const analysis::Analysis& own = *ranks.analyses[late->place];
  const double step =
      static_cast<double>(own.window.length().value) / static_cast<double>(ranks.steps);
  std::string text = fmt::format("Rank {} is late: the other ranks wait for it {} of the time",
                                 late->rank, human_percent(Ratio{late->wait_ns / step}));
  if (!late->on_device && !ranks.excess.empty() && !ranks.excess[0].label.empty()) {
    text += fmt::format(", mostly for {}", ranks.excess[0].label);
  }
  return text;
}

}  // namespace

std::string sentence(const analysis::Analysis& a, const LimitShare& leader) {
  const std::string share = human_percent(leader.ratio);
  switch (leader.limit) {
    case Limit::kInput:
      return named_owner(leader, "input", "starves it", "input");
    case Limit::kLaunch:
      return fmt::format(
          "The GPU waits for launches: the host's launch path leaves it idle {} of the time{}",
          share, most_in(leader));
    case Limit::kSync:
      return fmt::format(
          "The GPU waits while the host blocks in synchronising calls, {} of the time", share);
    case Limit::kHost: {
      const bool named = leader.owner.find(':') != std::string::npos;
      return named ? named_owner(leader, "the host", "keeps it idle", "host")
                   : fmt::format("The GPU waits for the host {} of the time{}", share,
                                 most_in(leader));
    }
    case Limit::kTransfer:
      // The device's copy engine may be idle while the host is held up by many small copies.
      if (leader.ratio.value < kHeldUpBelow) {
        return fmt::format(
            "Copies between host and device hold up the host; by themselves they take only {} of "
            "the time",
            share);
      }
      return fmt::format("Copies that nothing hides take {} of the time{}", share, most_in(leader));
    case Limit::kComm:
      return fmt::format("Communication that nothing hides takes {} of the time", share);
    case Limit::kStraggler:
      return straggler_sentence(a, share);
    case Limit::kMemory:
      return busy_sentence(a, leader, "memory");
    case Limit::kCompute:
      return busy_sentence(a, leader, "compute");
    case Limit::kLatency:
      return busy_sentence(a, leader, "latency (far below every roof)");
    case Limit::kDevice:
      return fmt::format("The GPU is busy {}; its kernels' roof is unknown (no shapes or counters)",
                         human_percent(analysis::window_busy_ratio(a.accounting)));
    case Limit::kCpu:
    case Limit::kWaiting:
    case Limit::kNone:
      break;
  }
  return "No device work in the window";
}

}  // namespace rooflab::verdict
