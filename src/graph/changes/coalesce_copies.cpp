// SPDX-License-Identifier: Apache-2.0
// The small copies of a step between two waits for something else become one pinned copy.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/human.h"
#include "graph/edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "coalesce-copies";
// Below this a copy's fixed cost outweighs its bytes at any link's rate (64 KiB take about 1 us).
constexpr std::int64_t kSmallBytes = 64 * 1024;

struct Joined {
  model::WorkId first;
  std::uint32_t anchor = kNoAnchor;
  std::int64_t bytes = 0;
};

class Coalesce {
 public:
  Coalesce(const Graph& g, Outlook outlook, Scenario& s)
      : g_(g),
        p_(*g.analysis->profile),
        s_(s),
        rate_(link_rate(g, outlook).value_or(16e9)),
        fixed_ns_(ceiling_for(outlook, "pinned_copy_fixed_ns")),
        drops_glue_(outlook != Outlook::kLeast) {}

  std::int64_t run() {
    const std::vector<std::uint32_t> unit = unit_of_anchors(g_);
    std::uint32_t now = 0;
    for (std::uint32_t i = 0; i < g_.anchor_count(); ++i) {
      if (unit[i] != now) close();
      now = unit[i];
      const std::uint32_t works = g_.anchors[i + 1].first_work - g_.anchors[i].first_work;
      if (works == 1) add(i, g_.works_of_anchor[g_.anchors[i].first_work]);
    }
    close();
    return count_;
  }

 private:
  void add(std::uint32_t i, model::WorkId w) {
    const std::int64_t bytes = p_.work.bytes[w.row];
    if (!crosses_link(p_, w) || bytes < 0 || bytes > kSmallBytes || reads_back(g_, i)) return;
    const bool up = p_.work.direction[w.row] == model::CopyDirection::kHostToDevice;
    Joined& j = joined_[up ? 0 : 1];
    ++count_;
    unblock(g_, i, s_);
    if (!j.first.valid()) {
      j = {w, i, bytes};
      return;
    }
    j.bytes += bytes;
    drop_anchor(g_, i, drops_glue_, s_);
    drop_wait_after(i, w);
  }

  // The synchronising call after a copy that is gone goes with it.
  void drop_wait_after(std::uint32_t i, model::WorkId w) {
    if (i + 1 >= g_.anchor_count()) return;
    const Anchor& a = g_.anchors[i + 1];
    if (a.wait == Wait::kWork && a.target == w) drop_anchor(g_, i + 1, drops_glue_, s_);
  }

  void close() {
    for (Joined& j : joined_) {
      if (j.first.valid()) {
        const double ns = static_cast<double>(j.bytes) / rate_ * 1e9 + fixed_ns_;
        s_.work_ns[j.first.row] = static_cast<std::int64_t>(ns);
      }
      j = {};
    }
  }

  const Graph& g_;
  const model::Profile& p_;
  Scenario& s_;
  double rate_, fixed_ns_;
  bool drops_glue_;  // at worst, gathering the pieces costs what the loop around the copies did
  std::array<Joined, 2> joined_;
  std::int64_t count_ = 0;
};

Result<Applied> apply(const Graph& g, const std::vector<std::string>& arguments, Outlook outlook,
                      Scenario& s) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 0, 0));
  Applied out;
  out.count = Coalesce(g, outlook, s).run();
  out.what = fmt::format("{} copies up to {} become one a step and direction",
                         human_count(out.count), human_bytes(Bytes(kSmallBytes)));
  out.assumes = {"the pieces can be staged in one page-locked buffer"};
  return out;
}

}  // namespace

Change change_coalesce_copies() {
  return {kName, "", "make the small copies of a step one pinned copy", &apply};
}

}  // namespace rooflab::graph
