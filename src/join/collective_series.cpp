// SPDX-License-Identifier: Apache-2.0
#include "join/collective_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace rooflab::join {
namespace {

using model::WorkId;

// "[0, 1, 2]"; empty for a list that was cut ("[0, 1, ...]") or is none.
std::vector<std::int64_t> ranks_of(std::string_view text) {
  std::vector<std::int64_t> out;
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return out;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  while (at < end) {
    while (at < end && (*at == ' ' || *at == ',')) ++at;
    if (at == end) break;
    std::int64_t rank = 0;
    const auto parsed = std::from_chars(at, end, rank);
    if (parsed.ec != std::errc() || rank < 0) return {};
    out.push_back(rank);
    at = parsed.ptr;
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool between_two(std::string_view name) { return contains(name, "send") || contains(name, "recv"); }

// Ranks may contribute different amounts to these.
bool may_be_uneven(std::string_view name) {
  return contains(name, "gather") || contains(name, "scatter") || contains(name, "all_to_all") ||
         contains(name, "alltoall");
}

const model::Collective* collective_of(const model::Profile& p, WorkId w) {
  const model::CollectiveId id = p.work.collective[w.row];
  return id.valid() && id.row < p.collectives.size() ? &p.collectives[id.row] : nullptr;
}

std::string words(const model::Profile& p, const model::Collective& c) {
  return fmt::format("{} of {} {}", p.text(c.name), c.in_elements, p.text(c.dtype));
}

}  // namespace

std::vector<Series> collective_series(const model::Profile& p) {
  std::map<std::pair<std::string, std::string>, Series> by_group;
  for (std::uint32_t row = 0; row < p.work.size(); ++row) {
    const model::Collective* c = collective_of(p, WorkId(row));
    if (c == nullptr || p.text(c->name).empty() || between_two(p.text(c->name))) continue;
    const std::string name(p.text(c->group_name));
    const std::string ranks(p.text(c->group_ranks));
    Series& s = by_group[{name, ranks}];
    if (s.works.empty()) {
      s.group = name + (ranks.empty() ? "" : " " + ranks);
      s.members = ranks_of(ranks);
    }
    s.works.emplace_back(row);
  }
  std::vector<Series> out;
  for (auto& [key, series] : by_group) {
    std::stable_sort(series.works.begin(), series.works.end(),
                     [&](WorkId a, WorkId b) { return p.work.start[a.row] < p.work.start[b.row]; });
    out.push_back(std::move(series));
  }
  return out;
}

std::string difference(const model::Profile& a, WorkId in_a, const model::Profile& b, WorkId in_b) {
  const model::Collective& x = *collective_of(a, in_a);
  const model::Collective& y = *collective_of(b, in_b);
  const bool same_kind = a.text(x.name) == b.text(y.name) && a.text(x.dtype) == b.text(y.dtype);
  const bool same_size = x.in_elements == y.in_elements && x.out_elements == y.out_elements;
  if (same_kind && (same_size || may_be_uneven(a.text(x.name)))) return {};
  return words(a, x) + " is " + words(b, y) + " there";
}

}  // namespace rooflab::join
