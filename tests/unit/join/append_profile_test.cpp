// SPDX-License-Identifier: Apache-2.0
#include "join/append_profile.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/validate.h"
#include "support/cases.h"
#include "support/profile_values.h"
#include "support/profiles.h"
#include "support/random_profile.h"

namespace rooflab::join {
namespace {

using model::Builder;
using model::Profile;

Profile appended(const std::vector<const Profile*>& parts, std::int64_t shift = 0) {
  Builder builder("test");
  for (const Profile* part : parts) append_profile(builder, *part, shift);
  return std::move(builder).build();
}

// Flows have no order of their own, and what build() counts is counted again under another input.
void sort_flows(Profile& p) {
  std::sort(p.forward_backward.begin(), p.forward_backward.end(), [](const auto& a, const auto& b) {
    return a.forward != b.forward ? a.forward < b.forward : a.backward < b.backward;
  });
  p.hygiene = {};
}

TEST(AppendProfile, ToNothingIsACopy) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Profile p = testing::random_profile(seed, static_cast<std::int64_t>(seed % 40));
    for (model::WorkId& work : p.measured.work) work = model::WorkId();
    p.provenance.metadata.clear();  // equal entries become one
    Profile q = appended({&p});
    ASSERT_TRUE(model::validate(q)) << "seed " << seed;
    q.provenance.input = p.provenance.input;
    sort_flows(p);
    sort_flows(q);
    EXPECT_EQ(testing::difference(p, q), "") << "seed " << seed;
  }
}

TEST(AppendProfile, ARecordingKeepsItsFlowsAndItsNotes) {
  Profile p = testing::import_or_fail(testing::test_data("h200/transformer_healthy.json.gz"));
  Profile q = appended({&p});
  ASSERT_FALSE(p.forward_backward.empty());
  EXPECT_EQ(p.hygiene.count("out_of_order"), q.hygiene.count("out_of_order"));
  EXPECT_EQ(p.hygiene.count("unlinked_work"), q.hygiene.count("unlinked_work"));
  q.provenance.input = p.provenance.input;
  sort_flows(p);
  sort_flows(q);
  EXPECT_EQ(testing::difference(p, q), "");
}

TEST(AppendProfile, WorkOfOnePartIsLinkedToTheCallOfAnother) {
  Builder calls("calls");
  calls.add({100,
             10,
             calls.intern("launch"),
             calls.thread_track(7, 8),
             model::SpanKind::kRuntimeCall,
             {},
             42});
  calls.profile().threads[0].name = calls.intern("main");
  const Profile a = std::move(calls).build();
  Builder kernels("kernels");
  model::WorkRow work;
  work.start = 115;
  work.duration = 5;
  work.name = kernels.intern("gemm");
  work.track = kernels.stream_track(2, 1);
  work.correlation = 42;
  kernels.add(work);
  kernels.profile().devices[0].multiprocessors = 256;
  const Profile b = std::move(kernels).build();
  ASSERT_EQ(b.hygiene.count("unlinked_work"), 1);

  const Profile p = appended({&a, &b}, 1000);
  ASSERT_EQ(p.work.size(), 1U);
  ASSERT_TRUE(p.work.launch[0].valid());
  EXPECT_EQ(p.span_name(p.work.launch[0]), "launch");
  EXPECT_EQ(p.spans.start[0], 1100);
  EXPECT_EQ(p.work.start[0], 1115);
  EXPECT_EQ(p.hygiene.count("unlinked_work"), 0);
  EXPECT_EQ(p.text(p.threads[0].name), "main");
  EXPECT_EQ(p.devices[0].index, 2);
  EXPECT_EQ(p.devices[0].multiprocessors, 256);
}

TEST(AppendProfile, TwoPartsHaveTheRowsOfBoth) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Profile a = testing::random_profile(seed, 20);
    const Profile b = testing::random_profile(seed + 1000, 20);
    const Profile both = appended({&a, &b});
    ASSERT_TRUE(model::validate(both)) << "seed " << seed;
    EXPECT_EQ(both.spans.size(), a.spans.size() + b.spans.size());
    EXPECT_EQ(both.work.size(), a.work.size() + b.work.size());
    EXPECT_EQ(both.metrics.size(), a.metrics.size() + b.metrics.size());
    EXPECT_EQ(both.samples.size(), a.samples.size() + b.samples.size());
    EXPECT_LE(both.devices.size(), a.devices.size() + b.devices.size());
  }
}

}  // namespace
}  // namespace rooflab::join
