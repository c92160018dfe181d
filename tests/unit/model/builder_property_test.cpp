// SPDX-License-Identifier: Apache-2.0
// What must hold for Builder::build whatever is added in whatever order.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <tuple>

#include "model/builder.h"
#include "model/validate.h"
#include "support/profile_values.h"
#include "support/random_profile.h"

namespace rooflab::model {
namespace {

using testing::Random;
using testing::random_profile;

struct Call {
  std::int64_t pid = 0, tid = 0, start = 0, duration = 0, correlation = 0;
};
struct Kernel {
  std::int64_t device = 0, stream = 0, pid = 0, start = 0, duration = 0, correlation = 0;
};
struct Rows {
  std::vector<Call> calls;
  std::vector<Kernel> kernels;
};

// Correlations are drawn from few numbers: some calls share one, some kernels have no call.
Rows random_rows(Random& r) {
  Rows rows;
  for (std::int64_t n = r.in(0, 60); n > 0; --n)
    rows.calls.push_back({r.in(0, 1), r.in(0, 2), r.in(0, 200), r.in(-2, 40), r.in(-1, 50)});
  for (std::int64_t n = r.in(0, 60); n > 0; --n)
    rows.kernels.push_back(
        {r.in(0, 1), r.in(0, 2), r.in(0, 1), r.in(0, 300), r.in(-2, 20), r.in(-1, 50)});
  return rows;
}

Profile build(const Rows& rows) {
  Builder b("x");
  // Tracks are numbered by first use: fixed here, so that only the order of rows varies.
  for (std::int64_t pid = 0; pid < 2; ++pid)
    for (std::int64_t tid = 0; tid < 3; ++tid) (void)b.thread_track(pid, tid);
  for (std::int64_t device = 0; device < 2; ++device)
    for (std::int64_t stream = 0; stream < 3; ++stream)
      for (std::int64_t pid = 0; pid < 2; ++pid) (void)b.stream_track(device, stream, pid);
  for (const Call& call : rows.calls) {
    SpanRow row;
    row.start = call.start;
    row.duration = call.duration;
    row.track = b.thread_track(call.pid, call.tid);
    row.kind = SpanKind::kRuntimeCall;
    row.correlation = call.correlation;
    b.add(row);
  }
  for (const Kernel& kernel : rows.kernels) {
    WorkRow row;
    row.start = kernel.start;
    row.duration = kernel.duration;
    row.track = b.stream_track(kernel.device, kernel.stream, kernel.pid);
    row.correlation = kernel.correlation;
    b.add(row);
  }
  return std::move(b).build();
}

// Each work with what its launch looks like: the same for every order of equal rows.
using LinkedWork = std::tuple<std::uint32_t, std::int64_t, std::int64_t, std::int64_t, bool,
                              std::int64_t, std::int64_t>;
std::vector<LinkedWork> linked_work(const Profile& p) {
  std::vector<LinkedWork> out;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const SpanId launch = p.work.launch[i];
    const bool linked = launch.valid();
    out.emplace_back(p.work.track[i].row, p.work.start[i], p.work.duration[i],
                     p.work.correlation[i], linked, linked ? p.spans.start[launch.row] : 0,
                     linked ? p.spans.correlation[launch.row] : 0);
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(BuilderProperties, EveryResultKeepsTheInvariants) {
  EXPECT_TRUE(rc::check("validate(build(rows))", [](std::uint64_t seed) {
    const Result<void> valid = validate(random_profile(seed, 80));
    if (!valid) RC_FAIL(valid.error().message);
  }));
}

TEST(BuilderProperties, NothingIsDroppedAndLinksAgreeOnProcessAndCorrelation) {
  EXPECT_TRUE(rc::check("links", [](std::uint64_t seed) {
    Random r(seed);
    const Rows rows = random_rows(r);
    const Profile p = build(rows);
    RC_ASSERT(p.spans.size() == rows.calls.size());
    RC_ASSERT(p.work.size() == rows.kernels.size());
    std::int64_t unlinked = 0;
    for (std::size_t i = 0; i < p.work.size(); ++i) {
      const Track& stream = p.tracks[p.work.track[i].row];
      const SpanId launch = p.work.launch[i];
      const std::int64_t pid = p.processes[stream.process.row].pid;
      const bool exists = std::any_of(rows.calls.begin(), rows.calls.end(), [&](const Call& call) {
        return call.pid == pid && call.correlation == p.work.correlation[i] &&
               call.correlation >= 0;
      });
      RC_ASSERT(launch.valid() == exists);
      unlinked += launch.valid() ? 0 : 1;
      if (!launch.valid()) continue;
      RC_ASSERT(p.spans.correlation[launch.row] == p.work.correlation[i]);
      RC_ASSERT(p.tracks[p.spans.track[launch.row].row].process == stream.process);
    }
    RC_ASSERT(p.hygiene.count("unlinked_work") == unlinked);
  }));
}

TEST(BuilderProperties, TheOrderOfRowsDoesNotMatter) {
  EXPECT_TRUE(rc::check("row order", [](std::uint64_t seed) {
    Random r(seed);
    Rows rows = random_rows(r);
    const Profile a = build(rows);
    std::mt19937_64 shuffle(seed);
    std::shuffle(rows.calls.begin(), rows.calls.end(), shuffle);
    std::shuffle(rows.kernels.begin(), rows.kernels.end(), shuffle);
    const Profile b = build(rows);
    RC_ASSERT(a.spans.start == b.spans.start);
    RC_ASSERT(a.spans.duration == b.spans.duration);
    RC_ASSERT(a.spans.track == b.spans.track);
    RC_ASSERT(a.work.start == b.work.start);
    RC_ASSERT(linked_work(a) == linked_work(b));
    for (const char* code : {"unlinked_work", "negative_duration", "zero_duration",
                             "zero_duration_host", "duplicate_correlation", "stream_overlap"})
      RC_ASSERT(a.hygiene.count(code) == b.hygiene.count(code));
  }));
}

// Rows that are in order already come out as they went in, with nothing to repair.
TEST(BuilderProperties, BuildingABuiltProfileChangesNothing) {
  EXPECT_TRUE(rc::check("idempotent", [](std::uint64_t seed) {
    Random r(seed);
    const Profile first = build(random_rows(r));
    Rows again;
    for (std::size_t i = 0; i < first.spans.size(); ++i) {
      const Thread& thread = first.threads[first.tracks[first.spans.track[i].row].thread.row];
      again.calls.push_back({first.processes[thread.process.row].pid, thread.tid,
                             first.spans.start[i], first.spans.duration[i],
                             first.spans.correlation[i]});
    }
    for (std::size_t i = 0; i < first.work.size(); ++i) {
      const Track& stream = first.tracks[first.work.track[i].row];
      again.kernels.push_back({first.devices[stream.device.row].index, stream.stream,
                               first.processes[stream.process.row].pid, first.work.start[i],
                               first.work.duration[i], first.work.correlation[i]});
    }
    const Profile second = build(again);
    RC_ASSERT(second.hygiene.count("out_of_order") == 0);
    RC_ASSERT(second.hygiene.count("negative_duration") == 0);
    RC_ASSERT(second.work.launch == first.work.launch);
    testing::ProfileValues a = testing::values_of(first), b = testing::values_of(second);
    for (const auto& [name, values] : a.numbers)
      if (name.rfind("hygiene", 0) != 0) RC_ASSERT(values == b.numbers[name]);
  }));
}

}  // namespace
}  // namespace rooflab::model
