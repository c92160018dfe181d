// SPDX-License-Identifier: Apache-2.0
// The containment sweep: containment_bench [RANGES LAUNCHES], by default 16 million and 2.2
// million.
//
// Nested host ranges on several threads, some of them launches; each launch's kernel is given the
// operator around the launch (build_host_tree + ops_of_work). Beside it, interleaved: std::sort of
// the ranges' keys (track, start, end), shuffled as threads' records mix, and in file order. The
// target is a sweep of at most twice the shuffled sort. Also: finding the range around arbitrary
// times, which is what a launch without a record needs.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <tuple>
#include <vector>

#include "analysis/host_tree.h"
#include "base/huge_pages.h"
#include "model/builder.h"

namespace rooflab {
namespace {

constexpr int kRounds = 3;
constexpr std::int64_t kThreads = 8;  // main, autograd and loader threads of one process
constexpr std::size_t kDepth = 12;    // python frames and modules over operators

struct Key {
  std::uint32_t track;
  std::int64_t start, end;
};
bool before(const Key& a, const Key& b) {
  return std::tuple(a.track, a.start, -a.end) < std::tuple(b.track, b.start, -b.end);
}

// Trees of calls, thread by thread: each range has up to four children, a launch is a leaf.
model::Profile make_profile(std::size_t ranges, std::size_t launches) {
  model::Builder b("containment");
  std::mt19937_64 random(1);
  const auto up_to = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  const StringId op_name = b.intern("op");
  const StringId call_name = b.intern("launch");
  const StringId kernel_name = b.intern("kernel");
  const model::TrackId stream = b.stream_track(0, 7);
  std::size_t added = 0, launched = 0;
  for (std::int64_t thread = 0; thread < kThreads; ++thread) {
    const model::TrackId track = b.thread_track(1, thread);
    const std::size_t until = ranges / kThreads * static_cast<std::size_t>(thread + 1);
    std::vector<std::int64_t> open_end;
    std::int64_t now = 0;
    while (added < until) {
      while (!open_end.empty() && (open_end.back() <= now || up_to(4) == 0)) {
        now = std::max(now, open_end.back());
        open_end.pop_back();
      }
      const bool leaf = launched * ranges < launches * added && !open_end.empty();
      const std::int64_t room = open_end.empty() ? 1000000 : open_end.back() - now;
      const std::int64_t length =
          leaf || room < 8 ? std::min<std::int64_t>(room, 5) : room - 1 - up_to(3);
      model::SpanRow row;
      row.start = now;
      row.duration = length;
      row.track = track;
      row.name = leaf ? call_name : op_name;
      row.kind = leaf ? model::SpanKind::kRuntimeCall : model::SpanKind::kOp;
      if (leaf) {
        row.correlation = static_cast<std::int64_t>(++launched);
        model::WorkRow work;
        work.start = now;
        work.duration = 1;
        work.name = kernel_name;
        work.track = stream;
        work.correlation = row.correlation;
        b.add(work);
      }
      b.add(row);
      ++added;
      if (leaf || open_end.size() >= kDepth) {
        now += length;
      } else {
        open_end.push_back(now + length);
        now += 1;
      }
    }
  }
  return std::move(b).build();
}

std::vector<Key> keys_of(const model::Profile& p) {
  std::vector<Key> keys;
  keys.reserve(p.spans.size());
  for (std::size_t i = 0; i < p.spans.size(); ++i)
    keys.push_back({p.spans.track[i].row, p.spans.start[i], p.spans.end(i)});
  return keys;
}

template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void run(std::size_t ranges, std::size_t launches) {
  const model::Profile profile = make_profile(ranges, launches);
  const std::vector<Key> in_order = keys_of(profile);
  std::vector<Key> shuffled = in_order;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(2));
  std::size_t linked = 0, found = 0;
  std::printf("%zu ranges, %zu launches\n", profile.spans.size(), profile.work.size());
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Key> keys = shuffled;
    const double sort_s = seconds([&] { std::sort(keys.begin(), keys.end(), &before); });
    keys = in_order;
    const double sorted_s = seconds([&] { std::sort(keys.begin(), keys.end(), &before); });
    keys = {};
    analysis::HostTree tree;
    std::vector<model::SpanId> ops;
    const double tree_s = seconds([&] { tree = analysis::build_host_tree(profile); });
    const double ops_s = seconds([&] { ops = analysis::ops_of_work(profile, tree); });
    linked = static_cast<std::size_t>(
        std::count_if(ops.begin(), ops.end(), [](model::SpanId op) { return op.valid(); }));
    const double find_s = seconds([&] {
      found = 0;
      for (std::size_t i = 0; i < profile.work.size(); ++i) {
        const model::TrackId track = profile.spans.track[profile.work.launch[i].row];
        found += tree.innermost_at(profile, track, profile.work.start[i]).valid() ? 1 : 0;
      }
    });
    std::printf(
        "  std::sort shuffled %.3f s, in order %.3f s | tree %.3f s + operators %.3f s = "
        "%.2fx the shuffled, %.2fx the ordered sort | by time %.3f s\n",
        sort_s, sorted_s, tree_s, ops_s, (tree_s + ops_s) / sort_s, (tree_s + ops_s) / sorted_s,
        find_s);
  }
  std::printf("  %zu launches with an operator, %zu found by time\n", linked, found);
}

}  // namespace
}  // namespace rooflab

int main(int argc, char** argv) {
  rooflab::use_huge_pages();
  const auto number = [&](int i, std::size_t otherwise) {
    return argc > i ? static_cast<std::size_t>(std::strtoull(argv[i], nullptr, 10)) : otherwise;
  };
  const std::size_t ranges = number(1, 16000000), launches = number(2, 2200000);
  if (ranges < 8 || ranges > 200000000 || launches > ranges) {
    std::fprintf(stderr, "usage: containment_bench [RANGES LAUNCHES]\n");
    return 2;
  }
  rooflab::run(ranges, launches);
  return 0;
}
