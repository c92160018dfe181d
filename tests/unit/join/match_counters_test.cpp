// SPDX-License-Identifier: Apache-2.0
// Measured launches find their launches in a trace by name, size and order, or are refused with
// the reason.
#include "join/match_counters.h"

#include <gtest/gtest.h>

#include "model/builder.h"

namespace rooflab::join {
namespace {

class Both {
 public:
  void traced(const char* name, std::int32_t blocks, std::int64_t start) {
    model::WorkRow row;
    row.start = start;
    row.duration = 10;
    row.name = builder_.intern(name);
    row.track = builder_.stream_track(0, 7);
    row.config = config(blocks);
    builder_.add(row);
  }
  void measured(const char* name, std::int32_t blocks) {
    builder_.add(
        model::MeasuredRow{builder_.intern(name), builder_.device(0), config(blocks), order_++, 1});
  }
  model::Profile build() { return std::move(builder_).build(); }

 private:
  model::LaunchConfigId config(std::int32_t blocks) {
    model::LaunchConfig c;
    if (blocks > 0) {
      c.grid = {blocks, 1, 1};
      c.block = {128, 1, 1};
    }
    return builder_.launch_config(c);
  }
  model::Builder builder_{"test"};
  std::int64_t order_ = 0;
};

TEST(MatchCounters, OneByOneWhereBothLaunchEquallyOften) {
  Both both;
  both.traced("void mm<32>(float const*, int)", 4, 100);
  both.traced("void mm<32>(float const*, int)", 4, 50);
  both.traced("void mm<32>(float const*, int)", 8, 70);
  both.measured("void mm<(int)32>(const float *, int)", 4);
  both.measured("void mm<(int)32>(const float *, int)", 4);
  model::Profile p = both.build();
  const CounterMatch match = match_counters(p);
  EXPECT_EQ(match.by_order, 2);
  EXPECT_TRUE(match.refused.empty());
  EXPECT_EQ(p.work.start[p.measured.work[0].row], 50);
  EXPECT_EQ(p.work.start[p.measured.work[1].row], 100);
  EXPECT_EQ(match.text(),
            "2 of 2 measured launches were found in the trace; 2 by name, grid, block and order");
}

TEST(MatchCounters, BySizeWhereTheNumbersDiffer) {
  Both both;
  for (std::int64_t i = 0; i < 5; ++i) both.traced("k(int)", 4, 10 * i);
  both.measured("k(int)", 4);
  model::Profile p = both.build();
  EXPECT_EQ(match_counters(p).by_size, 1);
  EXPECT_TRUE(p.measured.work[0].valid());
}

TEST(MatchCounters, ShortNamesMatchWhereOneKernelHasThem) {
  Both both;
  both.traced("void ns::mm<float, 32>(float const*)", 4, 0);
  both.measured("mm", 4);
  model::Profile p = both.build();
  EXPECT_EQ(match_counters(p).matched(), 1);

  Both several;
  several.traced("void ns::mm<float, 32>(float const*)", 4, 0);
  several.traced("void ns::mm<float, 64>(float const*)", 4, 0);
  several.measured("mm", 4);
  several.measured("void ns::mm<double, 64>(float const*)", 4);
  model::Profile q = several.build();
  const CounterMatch match = match_counters(q);
  EXPECT_EQ(match.matched(), 0);
  ASSERT_EQ(match.refused.size(), 2U);
  EXPECT_EQ(match.refused[0].why,
            "the trace has several kernels of that name and the counters do not tell which");
  EXPECT_EQ(match.refused[1].why, "the trace has only other instances of that template");
}

TEST(MatchCounters, RefusesWithTheReason) {
  Both both;
  both.traced("k(int)", 4, 0);
  both.traced("m(int)", 4, 0);
  both.traced("m(int)", 8, 0);
  both.measured("other(int)", 4);
  both.measured("k(int)", 5);
  both.measured("m(int)", 0);
  model::Profile p = both.build();
  const CounterMatch match = match_counters(p);
  EXPECT_EQ(match.matched(), 0);
  ASSERT_EQ(match.refused.size(), 3U);
  EXPECT_EQ(match.refused[0].why, "the trace launches it with other grids or blocks only");
  EXPECT_EQ(match.refused[1].why, "its size was not recorded and the trace has several");
  EXPECT_EQ(match.refused[2].why, "the trace has no kernel of that name");
  for (const model::WorkId work : p.measured.work) EXPECT_FALSE(work.valid());
}

TEST(MatchCounters, ByNameWhereASideHasNoSizes) {
  Both both;
  both.traced("k(int)", 0, 0);
  both.measured("k(int)", 5);
  model::Profile p = both.build();
  EXPECT_EQ(match_counters(p).by_name, 1);
}

}  // namespace
}  // namespace rooflab::join
