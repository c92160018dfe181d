// SPDX-License-Identifier: Apache-2.0
// The answer of `rooflab why`, as a page for people and as the `data` block for scripts. Pure
// formatting: every figure comes from analysis, rules and verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/peers/peer.h"
#include "report/style.h"
#include "report/table.h"
#include "rules/rule.h"
#include "verdict/gain_basis.h"
#include "verdict/verdict.h"

namespace rooflab::report {

struct Suppressed {
  std::string rule, reason;
};

struct WhyReport {
  const analysis::Analysis* analysis = nullptr;
  rules::Findings findings;  // without the suppressed ones
  std::vector<Suppressed> suppressed;
  verdict::Verdict verdict;
  std::size_t files = 1;                    // answered together with this one
  std::optional<verdict::GainBasis> basis;  // absent: no graph was built
  // The ranks of one job, by place: `analysis` is then of the rank that decides, with the
  // accounting of all. Empty for a file of its own.
  std::vector<const analysis::Analysis*> ranks;
};

[[nodiscard]] std::string why_text(const WhyReport& report, const Style& style);
[[nodiscard]] std::string why_markdown(const WhyReport& report, const Style& style);
[[nodiscard]] Json why_json(const WhyReport& report);
// The accounting as a table: what --format csv prints.
[[nodiscard]] Table accounting_table(const WhyReport& report);

[[nodiscard]] std::string peer_text(const analysis::Peer& peer, const analysis::PeerReport& figures,
                                    const Style& style);
[[nodiscard]] Json peer_json(const analysis::Peer& peer, const analysis::PeerReport& figures);
[[nodiscard]] Table peer_table(const analysis::Peer& peer, const analysis::PeerReport& figures);

}  // namespace rooflab::report
