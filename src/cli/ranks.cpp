// SPDX-License-Identifier: Apache-2.0
#include "cli/ranks.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "graph/late_rank.h"
#include "join/match_ranks.h"

namespace rooflab::cli {
namespace {

using Held = std::vector<std::optional<model::Profile>>;

// "b.rank1.json" -> "b.rank#.json".
std::string without_rank(const std::string& path) {
  std::string out = path;
  for (std::size_t at = out.find("rank"); at != std::string::npos; at = out.find("rank", at + 4)) {
    std::size_t from = at + 4;
    if (from < out.size() && (out[from] == '_' || out[from] == '-')) ++from;
    std::size_t to = from;
    while (to < out.size() && std::isdigit(static_cast<unsigned char>(out[to])) != 0) ++to;
    if (to > from) out.replace(from, to - from, "#");
  }
  return out;
}

bool claim(const Held& profiles, const std::vector<std::size_t>& group) {
  std::vector<const model::Profile*> some;
  for (const std::size_t i : group) some.push_back(&*profiles[i]);
  return join::claim_one_job(some);
}

analysis::Analysis joint_of(const LoadedRanks& r) {
  const auto late = graph::late_rank(r.analyses[0]);
  const std::size_t lead = late ? late->place : 0;
  analysis::Analysis out = r.analyses[lead];
  out.metrics.gpu_busy_ratio = 0;
  for (const analysis::Analysis& rank : r.analyses) {
    out.metrics.gpu_busy_ratio +=
        rank.metrics.gpu_busy_ratio / static_cast<double>(r.analyses.size());
  }
  for (std::size_t place = 0; place < r.analyses.size(); ++place) {
    if (place == lead) continue;
    for (analysis::DeviceAccounting device : r.analyses[place].accounting.devices) {
      device.stretches.clear();           // they name rows of another profile,
      device.device = model::DeviceId();  // and so does this
      out.accounting.devices.push_back(std::move(device));
    }
  }
  return out;
}

}  // namespace

std::vector<std::vector<std::size_t>> jobs_among(const Held& profiles) {
  std::vector<std::size_t> all;
  std::map<std::string, std::vector<std::size_t>> by_name;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    if (!profiles[i]) continue;
    all.push_back(i);
    by_name[without_rank(profiles[i]->provenance.input)].push_back(i);
  }
  if (claim(profiles, all)) return {all};
  std::vector<std::vector<std::size_t>> out;
  for (const auto& [name, group] : by_name) {
    if (claim(profiles, group)) out.push_back(group);
  }
  return out;
}

Result<std::unique_ptr<LoadedRanks>> join_ranks(Held& profiles,
                                                const std::vector<std::size_t>& group,
                                                const hw::DeviceCatalog& catalog,
                                                const analysis::Selection& selection) {
  std::vector<const model::Profile*> given;
  for (const std::size_t i : group) given.push_back(&*profiles[i]);
  auto out = std::make_unique<LoadedRanks>();
  std::vector<std::size_t> order;
  RL_TRY(out->job, join::match_ranks(given, order));
  for (std::size_t place = 0; place < order.size(); ++place) {
    RL_TRY(auto analysis,
           analysis::analyse_rank(*given[order[place]], catalog, selection, out->job, place));
    out->analyses.push_back(std::move(analysis));
  }
  // Nothing can fail any more: the profiles move in, and the analyses follow them.
  out->profiles.reserve(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    out->profiles.push_back(std::move(*profiles[group[order[place]]]));
    out->analyses[place].profile = &out->profiles.back();
  }
  std::vector<const analysis::Analysis*> pointers;
  for (const analysis::Analysis& a : out->analyses) pointers.push_back(&a);
  out->comparison = analysis::compare_ranks(pointers);
  for (analysis::Analysis& a : out->analyses) a.ranks = &out->comparison;
  out->joint = joint_of(*out);
  return out;
}

}  // namespace rooflab::cli
