// SPDX-License-Identifier: Apache-2.0
#include "model/validate.h"

#include <gtest/gtest.h>

#include <functional>

#include "model/builder.h"

namespace rooflab::model {
namespace {

Profile small_profile() {
  Builder b("x");
  const TrackId thread = b.thread_track(1, 1);
  const TrackId stream = b.stream_track(0, 7, 1);
  for (std::int64_t i = 0; i < 3; ++i) {
    SpanRow span;
    span.start = i * 10;
    span.duration = 5;
    span.track = thread;
    span.kind = SpanKind::kRuntimeCall;
    span.correlation = i;
    b.add(span);
    WorkRow work;
    work.start = i * 10 + 3;
    work.duration = 5;
    work.track = stream;
    work.correlation = i;
    b.add(work);
  }
  return std::move(b).build();
}

TEST(Validate, AcceptsWhatTheBuilderMakes) {
  EXPECT_TRUE(validate(small_profile()));
  EXPECT_TRUE(validate(Profile()));
}

struct Break {
  const char* says;
  std::function<void(Profile&)> change;
};

TEST(Validate, NamesTheInvariantThatDoesNotHold) {
  const std::vector<Break> breaks = {
      {"spans.duration row 2", [](Profile& p) { p.spans.duration.pop_back(); }},
      {"spans.duration row 1", [](Profile& p) { p.spans.duration[1] = -1; }},
      {"spans.duration row 2", [](Profile& p) { p.spans.start[2] = kTimeLimit + 1; }},
      {"work.duration row 0", [](Profile& p) { p.work.duration[0] = kTimeLimit + 1; }},
      {"spans.start row 2", [](Profile& p) { p.spans.start[2] = 9; }},
      {"spans.start row 1",
       [](Profile& p) {
         p.spans.start[1] = 0;
         p.spans.duration[1] = 6;
       }},
      {"spans.track row 0", [](Profile& p) { p.spans.track[0] = TrackId(); }},
      {"spans.track row 1", [](Profile& p) { p.spans.track[1] = TrackId(99U); }},
      {"spans.kind row 1", [](Profile& p) { p.spans.kind[1] = static_cast<SpanKind>(11); }},
      {"spans.name row 0", [](Profile& p) { p.spans.name[0] = StringId(99U); }},
      {"spans.args row 0", [](Profile& p) { p.spans.args[0] = ArgsId(0U); }},
      {"work.track row 2", [](Profile& p) { p.work.track[2] = p.spans.track[0]; }},
      {"work.start row 1", [](Profile& p) { p.work.start[1] = 2; }},
      {"work.duration row 0", [](Profile& p) { p.work.duration[0] = -5; }},
      {"work.launch row 0", [](Profile& p) { p.work.launch[0] = SpanId(3U); }},
      {"work.op row 1", [](Profile& p) { p.work.op[1] = SpanId(3U); }},
      {"work.direction row 1",
       [](Profile& p) { p.work.direction[1] = static_cast<CopyDirection>(7); }},
      {"work.config row 1", [](Profile& p) { p.work.config[1] = LaunchConfigId(0U); }},
      {"tracks.thread row 0", [](Profile& p) { p.tracks[0].thread = ThreadId(); }},
      {"tracks.device row 1", [](Profile& p) { p.tracks[1].device = DeviceId(); }},
      {"tracks.device row 1", [](Profile& p) { p.tracks[1].device = DeviceId(5U); }},
      {"threads.process row 0", [](Profile& p) { p.threads[0].process = ProcessId(5U); }},
      {"devices.vendor row 0", [](Profile& p) { p.devices[0].vendor = static_cast<Vendor>(6); }},
      {"stacks.caller row 0",
       [](Profile& p) {
         p.stacks.push_back({StringId(), StackId(0U), StringId(), StringId()});
       }},
      {"forward_backward.forward row 0",
       [](Profile& p) {
         p.forward_backward.push_back({SpanId(), SpanId(0U)});
       }},
  };
  for (const Break& broken : breaks) {
    Profile p = small_profile();
    broken.change(p);
    const Result<void> result = validate(p);
    ASSERT_FALSE(result) << broken.says;
    EXPECT_EQ(result.error().message.rfind(broken.says, 0), 0U)
        << result.error().message << " instead of " << broken.says;
  }
}

}  // namespace
}  // namespace rooflab::model
