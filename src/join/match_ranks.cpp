// SPDX-License-Identifier: Apache-2.0
#include "join/match_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "base/human.h"
#include "join/collective_series.h"

namespace rooflab::join {
namespace {

using model::Profile;
using model::WorkId;

// Recordings of one job begin and end within a few steps of each other.
constexpr std::ptrdiff_t kMostShift = 256;
// Ends of one collective agree within some 10 us (tests/data/h200/ddp), and clocks of two machines
// drift some 10 ppm; two runs of one program differ by milliseconds a step.
constexpr std::int64_t kMostResidual = 500'000;

Result<model::Job> refused(std::string message, std::string where) {
  return fail(ErrorCode::kInconclusive, std::move(message), std::move(where),
              "the files are answered one by one");
}

std::int64_t median(std::vector<std::int64_t> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Times count from each file's own epoch; 0 where the file does not say which that is.
std::int64_t epoch_difference(const Profile& a, const Profile& b) {
  const std::int64_t from = a.provenance.epoch_ns;
  const std::int64_t to = b.provenance.epoch_ns;
  const auto odd = [](std::int64_t ns) { return ns <= 0 || ns > 2 * model::kTimeLimit; };
  return odd(from) || odd(to) ? 0 : to - from;
}

std::int64_t size_of(std::int64_t ns) {
  return std::abs(std::max(ns, -std::numeric_limits<std::int64_t>::max()));
}

struct Clock {
  std::int64_t offset = 0, residual = 0;
};

Clock clock_of(const std::vector<std::int64_t>& differences) {
  Clock c;
  c.offset = median(differences);
  std::vector<std::int64_t> distance;
  distance.reserve(differences.size());
  for (const std::int64_t d : differences) {
    distance.push_back(size_of(saturating_add(d, -c.offset)));
  }
  c.residual = median(std::move(distance));
  return c;
}

// The works of two ranks that are one collective: a[i + shift] and b[i].
struct Shift {
  std::ptrdiff_t by = 0;
  std::size_t count = 0;
  Clock clock;
};

std::optional<Shift> try_shift(const Profile& a, const std::vector<WorkId>& in_a, const Profile& b,
                               const std::vector<WorkId>& in_b, std::ptrdiff_t by) {
  std::vector<std::int64_t> ends;
  for (std::size_t i = 0; i < in_b.size(); ++i) {
    const std::ptrdiff_t k = static_cast<std::ptrdiff_t>(i) + by;
    if (k < 0 || k >= static_cast<std::ptrdiff_t>(in_a.size())) continue;
    const WorkId other = in_a[static_cast<std::size_t>(k)];
    if (!difference(a, other, b, in_b[i]).empty()) return {};
    ends.push_back(saturating_add(b.work.end(in_b[i].row), -a.work.end(other.row)));
  }
  if (ends.empty() || 2 * ends.size() < std::min(in_a.size(), in_b.size())) return {};
  return Shift{by, ends.size(), clock_of(ends)};
}

// Closer ends; where they are as close, more collectives.
bool fits_better(const Shift& a, const Shift& b) {
  if (a.clock.residual != b.clock.residual) return a.clock.residual < b.clock.residual;
  return a.count > b.count;
}

// Equal counts are taken as they are. Else steps repeat, so that several shifts fit by name and
// size: the ends of the right one keep one distance.
std::optional<Shift> best_shift(const Profile& a, const std::vector<WorkId>& in_a, const Profile& b,
                                const std::vector<WorkId>& in_b) {
  if (in_a.size() == in_b.size()) return try_shift(a, in_a, b, in_b, 0);
  std::optional<Shift> best;
  for (std::ptrdiff_t by = -kMostShift; by <= kMostShift; ++by) {
    const auto shift = try_shift(a, in_a, b, in_b, by);
    if (!shift) continue;
    if (!best || fits_better(*shift, *best)) best = shift;
  }
  return best;
}

std::string first_difference(const Profile& a, const std::vector<WorkId>& in_a, const Profile& b,
                             const std::vector<WorkId>& in_b) {
  for (std::size_t i = 0; i < std::min(in_a.size(), in_b.size()); ++i) {
    const std::string text = difference(a, in_a[i], b, in_b[i]);
    if (!text.empty()) return fmt::format("collective {}, {}", i + 1, text);
  }
  return fmt::format("{} collectives are {} there", in_a.size(), in_b.size());
}

// One group's collectives on the ranks that are in it.
struct Group {
  std::vector<std::size_t> places;
  std::vector<std::vector<WorkId>> works;  // by index in `places`, equal lengths
};

class Matcher {
 public:
  explicit Matcher(std::vector<const Profile*> profiles) : profiles_(std::move(profiles)) {
    for (const Profile* p : profiles_) {
      model::JobRank rank;
      rank.rank = p->rank.rank;
      rank.input = p->provenance.input;
      job_.ranks.push_back(std::move(rank));
    }
  }

  Result<model::Job> run() {
    RL_CHECK_OK(match_groups());
    if (groups_.empty()) return refused(nothing_matched(), job_.ranks[0].input);
    RL_CHECK_OK(align_clocks());
    for (const Group& g : groups_) add_collectives(g);
    std::stable_sort(job_.collectives.begin(), job_.collectives.end(),
                     [](const model::JobCollective& a, const model::JobCollective& b) {
                       return a.arrivals[a.last].start < b.arrivals[b.last].start;
                     });
    return std::move(job_);
  }

 private:
  struct Part {
    std::size_t place = 0;
    Series series;
  };

  Result<void> match_groups() {
    std::map<std::string, std::vector<Part>> by_group;
    for (std::size_t place = 0; place < profiles_.size(); ++place) {
      for (Series& s : collective_series(*profiles_[place])) {
        by_group[s.group].push_back({place, std::move(s)});
      }
    }
    for (auto& [group, parts] : by_group) {
      if (complete(parts)) {
        RL_CHECK_OK(match_group(group, parts));
      } else {
        for (const Part& part : parts) {
          job_.ranks[part.place].unmatched += part.series.works.size();
        }
        job_.notes.push_back(fmt::format(
            "collectives of group {} are not split: not all of its ranks are given", group));
      }
    }
    return {};
  }

  // All of the group's ranks are here; a list that was cut stands for the whole job.
  [[nodiscard]] bool complete(const std::vector<Part>& parts) const {
    if (parts.size() < 2) return false;
    const std::vector<std::int64_t>& members = parts[0].series.members;
    if (members.empty()) {
      return static_cast<std::int64_t>(parts.size()) == profiles_[0]->rank.world_size;
    }
    if (members.size() != parts.size()) return false;
    for (const Part& part : parts) {
      const std::int64_t rank = job_.ranks[part.place].rank;
      if (!std::binary_search(members.begin(), members.end(), rank)) return false;
    }
    return true;
  }

  Result<void> match_group(const std::string& group, const std::vector<Part>& parts) {
    const Part& first = parts[0];
    const std::vector<WorkId>& in_first = first.series.works;
    // [begin, end) of the first rank's collectives that all others have too.
    std::ptrdiff_t begin = 0;
    std::ptrdiff_t end = static_cast<std::ptrdiff_t>(in_first.size());
    std::vector<std::ptrdiff_t> shifts{0};
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const Profile& a = *profiles_[first.place];
      const Profile& b = *profiles_[parts[i].place];
      const std::vector<WorkId>& in_b = parts[i].series.works;
      const auto shift = best_shift(a, in_first, b, in_b);
      if (!shift) {
        return tl::unexpected<Error>(
            refused(fmt::format("ranks {} and {} do not run the same collectives in group {}: {}",
                                a.rank.rank, b.rank.rank, group,
                                first_difference(a, in_first, b, in_b)),
                    b.provenance.input)
                .error());
      }
      shifts.push_back(shift->by);
      begin = std::max(begin, shift->by);
      end = std::min(end, shift->by + static_cast<std::ptrdiff_t>(in_b.size()));
    }
    if (begin >= end) return {};
    Group out;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::vector<WorkId>& works = parts[i].series.works;
      out.places.push_back(parts[i].place);
      out.works.emplace_back(works.begin() + (begin - shifts[i]),
                             works.begin() + (end - shifts[i]));
      job_.ranks[parts[i].place].unmatched += works.size() - out.works.back().size();
    }
    job_.notes.push_back(fmt::format("{} collectives of group {} matched by order, name and size",
                                     human_count(end - begin), group));
    groups_.push_back(std::move(out));
    return {};
  }

  [[nodiscard]] std::string nothing_matched() const {
    std::size_t unmatched = 0;
    for (const model::JobRank& rank : job_.ranks) unmatched += rank.unmatched;
    if (unmatched == 0) return "the rank files record no collectives to match them by";
    return fmt::format("{} of {} ranks are given: no group of ranks is complete", job_.ranks.size(),
                       profiles_[0]->rank.world_size);
  }

  // Each rank against one whose clock is known already, through any group they share.
  Result<void> align_clocks() {
    std::vector<bool> known(profiles_.size(), false);
    known[0] = true;
    for (bool more = true; more;) {
      more = false;
      for (const Group& g : groups_) {
        const auto base = std::find_if(g.places.begin(), g.places.end(),
                                       [&](std::size_t place) { return known[place]; });
        if (base == g.places.end()) continue;
        const auto from = static_cast<std::size_t>(base - g.places.begin());
        for (std::size_t i = 0; i < g.places.size(); ++i) {
          if (known[g.places[i]]) continue;
          RL_CHECK_OK(align(g, from, i));
          known[g.places[i]] = more = true;
        }
      }
    }
    for (std::size_t place = 0; place < known.size(); ++place) {
      if (!known[place]) {
        job_.notes.push_back(
            fmt::format("the clock of rank {} is taken as it is: it shares no "
                        "matched collective with the others",
                        job_.ranks[place].rank));
      }
    }
    return {};
  }

  Result<void> align(const Group& g, std::size_t from, std::size_t to) {
    const Profile& a = *profiles_[g.places[from]];
    const Profile& b = *profiles_[g.places[to]];
    std::vector<std::int64_t> ends;
    for (std::size_t k = 0; k < g.works[to].size(); ++k) {
      ends.push_back(
          saturating_add(b.work.end(g.works[to][k].row), -a.work.end(g.works[from][k].row)));
    }
    const Clock clock = clock_of(ends);
    if (clock.residual > kMostResidual) {
      return tl::unexpected<Error>(
          refused(fmt::format("ranks {} and {} run the same collectives, but their ends differ by "
                              "{} more or less: these are two runs",
                              a.rank.rank, b.rank.rank, human_time(Nanos(clock.residual))),
                  b.provenance.input)
              .error());
    }
    const model::JobRank& base = job_.ranks[g.places[from]];
    model::JobRank& rank = job_.ranks[g.places[to]];
    rank.time_offset_ns = saturating_add(base.time_offset_ns, clock.offset);
    const std::int64_t apart = saturating_add(clock.offset, epoch_difference(a, b));
    rank.clock_offset_ns = saturating_add(base.clock_offset_ns, apart);
    rank.clock_residual_ns = std::max(base.clock_residual_ns, clock.residual);
    job_.notes.push_back(fmt::format(
        "clock of rank {}: {} {} rank {}'s by the ends of {} collectives, which agree "
        "within {}",
        rank.rank, human_time(Nanos(size_of(apart))), apart < 0 ? "behind" : "ahead of", base.rank,
        human_count(static_cast<std::int64_t>(ends.size())), human_time(Nanos(clock.residual))));
    return {};
  }

  void add_collectives(const Group& g) {
    for (std::size_t k = 0; k < g.works[0].size(); ++k) {
      model::JobCollective c;
      c.arrivals.resize(profiles_.size());
      c.last = g.places[0];
      c.transfer_ns = std::numeric_limits<std::int64_t>::max();
      for (std::size_t i = 0; i < g.places.size(); ++i) {
        const std::size_t place = g.places[i];
        const model::WorkTable& work = profiles_[place]->work;
        const WorkId w = g.works[i][k];
        const std::int64_t back = -job_.ranks[place].time_offset_ns;
        c.arrivals[place] = {w, saturating_add(work.start[w.row], back),
                             saturating_add(work.end(w.row), back)};
        c.transfer_ns = std::min(c.transfer_ns, work.duration[w.row]);
        if (c.arrivals[place].start > c.arrivals[c.last].start) c.last = place;
        ++job_.ranks[place].matched;
      }
      job_.collectives.push_back(std::move(c));
    }
  }

  std::vector<const Profile*> profiles_;
  model::Job job_;
  std::vector<Group> groups_;
};

}  // namespace

bool claim_one_job(const std::vector<const Profile*>& profiles) {
  if (profiles.size() < 2) return false;
  std::set<std::int64_t> ranks;
  for (const Profile* p : profiles) {
    const bool fits = p->rank.rank >= 0 && p->rank.world_size > 1 &&
                      p->rank.world_size == profiles[0]->rank.world_size;
    if (!fits || !ranks.insert(p->rank.rank).second) return false;
  }
  return true;
}

Result<model::Job> match_ranks(const std::vector<const Profile*>& profiles,
                               std::vector<std::size_t>& order) {
  if (!claim_one_job(profiles)) {
    return refused("the files are not different ranks of one world size",
                   profiles.empty() ? "" : profiles[0]->provenance.input);
  }
  order.resize(profiles.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return profiles[a]->rank.rank < profiles[b]->rank.rank;
  });
  std::vector<const Profile*> sorted;
  for (const std::size_t i : order) sorted.push_back(profiles[i]);
  return Matcher(std::move(sorted)).run();
}

}  // namespace rooflab::join
