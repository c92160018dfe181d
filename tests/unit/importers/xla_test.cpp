// SPDX-License-Identifier: Apache-2.0
// XPlane and the Chrome trace beside it: both files of one recording on an H200 say the same, other
// projects' recordings on MI300X give the figures that their own tools give, hand-made spaces cover
// what those lack.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/cases.h"
#include "support/mutate.h"
#include "support/profiles.h"
#include "support/wire_message.h"

namespace rooflab::importers {

Importer importer_xplane();
Importer importer_xla_trace();

namespace {

using model::Profile;
using model::SpanKind;
using model::WorkKind;
using ::testing::HasSubstr;
using testing::import_or_fail;
using testing::import_with;
using testing::Message;

struct Busy {
  std::int64_t sum = 0, busy = 0, span = 0;
};

// Of one device: the sum of its work, the union, and from the first start to the last end.
Busy busy_of(const Profile& p, std::int64_t device) {
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  Busy out;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.devices[p.device_of(i).row].index != device) continue;
    ranges.emplace_back(p.work.start[i], p.work.end(i));
    out.sum += p.work.duration[i];
  }
  std::sort(ranges.begin(), ranges.end());
  if (ranges.empty()) return out;
  std::int64_t until = ranges[0].first;
  for (const auto& [start, end] : ranges) {
    out.busy += std::max<std::int64_t>(0, end - std::max(start, until));
    until = std::max(until, end);
  }
  out.span = until - ranges[0].first;
  return out;
}

TEST(Xla, BothFilesOfOneRecordingSayTheSame) {
  const Profile plane = import_or_fail(testing::test_data("h200/jax/vm.xplane.pb"));
  const Profile trace = import_or_fail(testing::test_data("h200/jax/vm.trace.json.gz"));
  EXPECT_EQ(plane.provenance.importer, "xplane");
  EXPECT_EQ(trace.provenance.importer, "xla_trace");
  for (const Profile* p : {&plane, &trace}) {
    ASSERT_EQ(p->work.size(), 30U);
    const Busy busy = busy_of(*p, 0);
    EXPECT_EQ(busy.sum, 1654201);
    EXPECT_EQ(busy.busy, 1633176);
    EXPECT_EQ(busy.span, 46771981);
    EXPECT_EQ(testing::count_spans(*p, SpanKind::kUserRange), 5U);
    EXPECT_EQ(testing::count_spans(*p, SpanKind::kRuntimeCall), 30U);
    EXPECT_EQ(p->hygiene.count("unlinked_work"), 0);
    EXPECT_EQ(p->provenance.stacks_recorded, true);
    const model::LaunchConfig& c = p->launch_configs[p->work.config[0].row];
    EXPECT_EQ(c.grid, (std::array<std::int32_t, 3>{512, 1, 1}));
    EXPECT_EQ(c.block, (std::array<std::int32_t, 3>{256, 1, 1}));
    EXPECT_EQ(c.registers, 168);
    EXPECT_EQ(c.shared_bytes, 196640);
    EXPECT_EQ(c.occupancy_percent, 12.5F);
  }
  EXPECT_EQ(plane.work.start, trace.work.start);
  EXPECT_EQ(plane.work.duration, trace.work.duration);
  // What only the XPlane knows.
  EXPECT_EQ(plane.text(plane.devices[0].name), "NVIDIA H200");
  EXPECT_EQ(plane.devices[0].multiprocessors, 132);
  EXPECT_EQ(plane.processes[0].pid, 670);
  EXPECT_EQ(plane.provenance.epoch_ns, 1796050940645474954);
  EXPECT_GT(plane.memory_events.size(), 0U);
}

TEST(XlaCases, MI300xWithCopiesAndConvolutions) {
  ROOFLAB_CASE(path, "public/xplane/jax_legacy_mi300_conv.xplane.pb");
  const Profile p = import_or_fail(path);
  EXPECT_EQ(p.devices.size(), 2U);  // six of eight did nothing
  EXPECT_EQ(busy_of(p, 7).busy, 3586493);
  EXPECT_EQ(busy_of(p, 7).span, 15761301);
  EXPECT_EQ(busy_of(p, 0).busy, 889028);
  EXPECT_EQ(busy_of(p, 0).span, 27867728);
  EXPECT_EQ(testing::count_work(p, WorkKind::kCopy), 53U);
  EXPECT_EQ(testing::count_work(p, WorkKind::kKernel), 25U);
  EXPECT_EQ(p.hygiene.count("implausible_launch_details"), 25);
  EXPECT_EQ(p.hygiene.count("unlinked_work"), 0);
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.work.kind[i] != WorkKind::kCopy) continue;
    EXPECT_EQ(p.work.bytes[i], 655360);
    EXPECT_EQ(p.work.direction[i], model::CopyDirection::kPeerToPeer);
  }
}

TEST(XlaCases, MI350WithFusedAttention) {
  ROOFLAB_CASE(path, "public/xplane/jax_te_fused_attn.xplane.pb");
  const Profile p = import_or_fail(path);
  EXPECT_EQ(p.devices.size(), 1U);
  EXPECT_EQ(busy_of(p, 0).busy, 12133127);
  EXPECT_EQ(busy_of(p, 0).sum, 12133585);
  EXPECT_EQ(busy_of(p, 0).span, 12956751);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kRuntimeCall), 150U);
  EXPECT_EQ(p.hygiene.count("unlinked_work"), 0);
  EXPECT_EQ(p.devices[0].vendor, model::Vendor::kAmd);
}

// ---- made by hand

Message name_entry(std::int64_t id, const std::string& name) {
  return Message().number(1, id).message(2, Message().number(1, id).text(2, name));
}
Message event(std::int64_t name, std::int64_t offset_ps, std::int64_t duration_ps) {
  return Message().number(1, name).number(2, offset_ps).number(3, duration_ps);
}

// A device with a stream, lines derived from it and a step; a host thread that launches.
std::string space(std::int64_t line_start) {
  const auto stat = [](std::int64_t name, std::int64_t value) {
    return Message().number(1, name).number(4, value);
  };
  const auto text = [](std::int64_t name, const std::string& value) {
    return Message().number(1, name).text(5, value);
  };
  Message kernel = event(1, 2'000'400, 3'000'400);
  kernel.message(4, stat(1, 9)).message(4, Message().number(1, 2).number(7, 5));
  Message copy = event(2, 6'000'000, 500'000);
  copy.message(4, text(3, "kind_src:pinned kind_dst:device size:4096 dest:0 async:1"));
  Message counted = Message().number(1, 1).number(5, 12);
  const Message stream = Message()
                             .number(1, 3)
                             .text(2, "Stream #3(Compute,MemcpyH2D)")
                             .number(3, line_start)
                             .message(4, kernel)
                             .message(4, copy)
                             .message(4, counted);
  const auto derived = [&](const std::string& name) {
    return Message().text(2, name).number(3, line_start).message(4, event(1, 2'000'000, 9'000'000));
  };
  const Message device =
      Message()
          .text(2, "/device:GPU:2")
          .message(3, derived("XLA Modules"))
          .message(3, derived("XLA Ops"))
          .message(3, derived("Steps"))
          .message(3, stream)
          .message(4, name_entry(1, "fusion.kd"))
          .message(4, name_entry(2, "MemcpyH2D"))
          .message(5, name_entry(1, "correlation_id"))
          .message(5, name_entry(2, "kernel_details"))
          .message(5, name_entry(3, "memcpy_details"))
          .message(5, name_entry(4, "device_vendor"))
          .message(5, name_entry(5, "regs:32 grid:7,1,1 block:64,1,1 occ_pct:50"))
          .message(6, text(4, "AMD"));
  Message launch = event(1, 1'000'000, 500'000);
  launch.message(4, stat(1, 9));
  Message step = event(2, 0, 9'000'000);
  step.message(4, stat(2, 0));
  const Message thread = Message()
                             .number(1, 77)
                             .text(2, "python3")
                             .number(3, line_start)
                             .message(4, launch)
                             .message(4, step)
                             .message(4, event(3, 100'000, 200'000));
  const Message host = Message()
                           .text(2, "/host:CPU")
                           .message(3, thread)
                           .message(4, name_entry(1, "hipModuleLaunchKernel"))
                           .message(4, name_entry(2, "train"))
                           .message(4, name_entry(3, "$loop.py:3 load"))
                           .message(5, name_entry(1, "correlation_id"))
                           .message(5, name_entry(2, "step_num"))
                           .message(5, name_entry(3, "process_id"))
                           .message(6, stat(3, 11));
  return Message().message(1, host).message(1, device).text(4, "host").bytes();
}

Profile plane(const std::string& bytes) {
  auto p = import_with(importer_xplane(), bytes);
  if (!p) ADD_FAILURE() << p.error().message;
  return p ? std::move(*p) : Profile();
}

TEST(XPlane, OnlyStreamsAreWork) {
  const Profile p = plane(space(5000));
  ASSERT_EQ(p.work.size(), 2U);
  EXPECT_EQ(p.text(p.work.name[0]), "fusion");
  EXPECT_EQ(p.work.start[0], 7000);
  EXPECT_EQ(p.work.duration[0], 3001);  // 2000.4 to 5000.8 ns: both ends rounded
  ASSERT_TRUE(p.work.launch[0].valid());
  EXPECT_EQ(p.span_name(p.work.launch[0]), "hipModuleLaunchKernel");
  const model::LaunchConfig& c = p.launch_configs[p.work.config[0].row];
  EXPECT_EQ(c.registers, 32);
  EXPECT_EQ(c.grid, (std::array<std::int32_t, 3>{7, 1, 1}));
  EXPECT_EQ(p.work.kind[1], WorkKind::kCopy);
  EXPECT_EQ(p.work.bytes[1], 4096);
  EXPECT_EQ(p.work.direction[1], model::CopyDirection::kHostToDevice);
  EXPECT_EQ(p.work.source_memory[1], model::MemoryKind::kPinned);
  EXPECT_EQ(p.devices[0].index, 2);
  EXPECT_EQ(p.devices[0].vendor, model::Vendor::kAmd);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kUserRange), 1U);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kPython), 1U);
  EXPECT_EQ(testing::count_spans(p, SpanKind::kDeviceRange), 1U);
  EXPECT_EQ(p.processes[0].pid, 11);
  EXPECT_EQ(p.hygiene.count("events_without_time"), 1);
  EXPECT_EQ(p.provenance.epoch_ns, 0);
}

TEST(XPlane, LinesThatCountFrom1970) {
  const Profile p = plane(space(1'757'516'928'109'201'518));
  EXPECT_EQ(p.provenance.epoch_ns, 1'757'516'928'109'000'000);
  EXPECT_EQ(p.work.start[0], 201518 + 2000);
  EXPECT_FALSE(p.hygiene.forbids(model::Claim::kTimes));
}

TEST(XPlane, ADeviceWithoutStreamsGivesItsOperations) {
  const Message device =
      Message()
          .text(2, "/device:TPU:0")
          .message(3, Message().text(2, "XLA Modules").message(4, event(1, 0, 9'000'000)))
          .message(3, Message().text(2, "XLA Ops").message(4, event(1, 0, 4'000'000)))
          .message(4, name_entry(1, "fusion.1"));
  const Profile p = plane(Message().message(1, device).bytes());
  ASSERT_EQ(p.work.size(), 1U);
  EXPECT_EQ(p.work.duration[0], 4000);
}

TEST(XPlane, ACutFileGivesWhatIsWhole) {
  const std::string whole = testing::text_of_file(testing::test_data("h200/jax/vm.xplane.pb"));
  const Profile p = plane(whole.substr(0, whole.size() * 9 / 10));
  EXPECT_EQ(p.hygiene.count("truncated_input"), 1);
  EXPECT_TRUE(p.hygiene.forbids(model::Claim::kCoverage));
  EXPECT_GT(p.work.size() + p.spans.size(), 0U);
}

TEST(XPlane, OtherProtocolBuffersAreNotTaken) {
  const Importer importer = importer_xplane();
  EXPECT_GT(importer.sniff({space(0), "x"}), 90);
  EXPECT_EQ(importer.sniff({Message().message(1, Message().text(2, "cpu")).bytes(), "x"}), 0);
  EXPECT_EQ(importer.sniff({Message().text(6, "").text(6, "samples").bytes(), "x"}), 0);
  EXPECT_EQ(importer.sniff({"{\"traceEvents\": []}", "x"}), 0);
  EXPECT_EQ(importer.sniff({"", "x"}), 0);
  EXPECT_FALSE(import_with(importer, "nothing of the kind"));
}

TEST(XlaTrace, OtherChromeTracesAreNotTaken) {
  const Importer importer = importer_xla_trace();
  EXPECT_EQ(importer.sniff({R"({"traceEvents": [{"ph": "M", "name": "process_name", "pid": 3,
    "args": {"name": "python"}}]})",
                            "x"}),
            0);
  EXPECT_EQ(importer.sniff({"[{\"ph\": \"X\"}]", "x"}), 0);
}

TEST(XlaTrace, NamesBehindEventsAndLinesThatAreNoWork) {
  const std::string text = R"({"traceEvents": [
    {"ph": "X", "pid": 2, "tid": 5, "ts": 10.0, "dur": 2.0004, "name": "Memset",
     "args": {"memset_details": "size:64 value:0"}},
    {"ph": "X", "pid": 2, "tid": 6, "ts": 10, "dur": 90, "name": "module"},
    {"ph": "X", "pid": 9, "tid": 1, "ts": 1, "dur": 1, "name": "elsewhere"},
    {"ph": "X", "pid": 2, "tid": 5, "dur": 1, "name": "no time"},
    {"ph": "M", "pid": 2, "name": "process_name", "args": {"name": "/device:GPU:0"}},
    {"ph": "M", "pid": 2, "tid": 5, "name": "thread_name", "args": {"name": "Stream #5"}},
    {"ph": "M", "pid": 2, "tid": 6, "name": "thread_name", "args": {"name": "XLA Modules"}}, {}]})";
  const auto p = import_with(importer_xla_trace(), text);
  ASSERT_TRUE(p) << p.error().message;
  ASSERT_EQ(p->work.size(), 1U);
  EXPECT_EQ(p->work.kind[0], WorkKind::kMemset);
  EXPECT_EQ(p->work.bytes[0], 64);
  EXPECT_EQ(p->work.duration[0], 2000);
  EXPECT_EQ(p->hygiene.count("other_planes"), 1);
  EXPECT_EQ(p->hygiene.count("dropped_work_no_time"), 1);
  EXPECT_TRUE(p->hygiene.forbids(model::Claim::kCoverage));
}

TEST(Xla, MutantsAreReadOrRefused) {
  using namespace std::literals;
  testing::expect_read_or_refused(importer_xplane(), space(5000), 600,
                                  "\x00\x01\x0a\x12\x80\xff"sv);
  const std::string real = testing::text_of_file(testing::test_data("h200/jax/vm.xplane.pb"));
  testing::expect_read_or_refused(importer_xplane(), real, 100, "\x00\x01\x0a\x12\x80\xff"sv);
  const std::string trace = testing::text_of_file(testing::test_data("h200/jax/vm.trace.json.gz"));
  testing::expect_read_or_refused(importer_xla_trace(), trace, 300, "{}[]\",:0-en");
}

}  // namespace
}  // namespace rooflab::importers
