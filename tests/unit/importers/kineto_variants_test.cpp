// SPDX-License-Identifier: Apache-2.0
// The forms that the files at hand do not all show, in small made-up traces.
#include <gtest/gtest.h>

#include <string>

#include "support/profiles.h"

namespace rooflab::importers {
namespace {

using model::Profile;
using model::SpanKind;
using model::WorkKind;
using testing::count_spans;
using testing::count_work;

Profile read(const std::string& text) {
  Result<Profile> profile = testing::import_text(text);
  if (!profile) {
    ADD_FAILURE() << profile.error().message;
    return {};
  }
  return std::move(*profile);
}

Profile read_events(const std::string& events) {
  return read("{\"traceEvents\": [" + events + "]}");
}

std::string event(const std::string& category, const std::string& more = "") {
  return R"({"ph":"X","cat":")" + category + R"(","name":"n","pid":5,"tid":6,"ts":1000.5,"dur":2)" +
         more + "}";
}

TEST(KinetoVariants, CategoriesOfEveryVersion) {
  struct Case {
    const char* category;
    SpanKind kind;
  };
  for (const Case& c :
       {Case{"cpu_op", SpanKind::kOp}, Case{"Operator", SpanKind::kOp},
        Case{"user_annotation", SpanKind::kUserRange}, Case{"cuda_runtime", SpanKind::kRuntimeCall},
        Case{"Runtime", SpanKind::kRuntimeCall}, Case{"cuda_driver", SpanKind::kDriverCall},
        Case{"python_function", SpanKind::kPython}, Case{"overhead", SpanKind::kOverhead},
        Case{"cuda_sync", SpanKind::kSync}, Case{"gpu_user_annotation", SpanKind::kDeviceRange},
        Case{"cuda_event", SpanKind::kOther}, Case{"xpu_runtime", SpanKind::kRuntimeCall},
        Case{"mtia_runtime", SpanKind::kRuntimeCall},
        Case{"privateuse1_driver", SpanKind::kDriverCall},
        Case{"glow_runtime", SpanKind::kRuntimeCall}, Case{"hpu_op", SpanKind::kRuntimeCall},
        Case{"Trace", SpanKind::kOther}}) {
    const Profile p = read_events(event(c.category));
    SCOPED_TRACE(c.category);
    ASSERT_EQ(p.spans.size(), 1U);
    EXPECT_EQ(p.spans.kind[0], c.kind);
    EXPECT_EQ(p.spans.duration[0], 2000);
    EXPECT_EQ(p.hygiene.count("unknown_category"), 0);
  }
  for (const char* category :
       {"kernel", "Kernel", "gpu_memcpy", "Memcpy", "gpu_memset", "Memset", "mtia_ccp_events"}) {
    const Profile p = read_events(event(category));
    SCOPED_TRACE(category);
    ASSERT_EQ(p.work.size(), 1U);
    EXPECT_EQ(p.tracks[p.work.track[0].row].stream, 6);
    EXPECT_EQ(p.devices[0].index, 5);
  }
}

TEST(KinetoVariants, UnknownCategoriesAreKeptAndCounted) {
  const Profile p = read_events(event("from_the_future") + "," + event("cpu_op"));
  EXPECT_EQ(count_spans(p, SpanKind::kOther), 1U);
  EXPECT_EQ(p.hygiene.count("unknown_category"), 1);
}

TEST(KinetoVariants, ListFormAndLegacyProcessNames) {
  const Profile p = read(
      R"([{"name":"aten::add","ph":"X","ts":10,"dur":5,"tid":1,"pid":"CPU functions","args":{}},
          {"name":"add_kernel","ph":"X","ts":12,"dur":2,"tid":0,"pid":"CUDA functions","args":{}},
          {"name":"aten::add","ph":"s","ts":10,"tid":1,"pid":"CPU functions","id":1,"cat":"cpu_to_cuda","args":{}}])");
  EXPECT_EQ(count_spans(p, SpanKind::kOp), 1U);
  EXPECT_EQ(count_work(p, WorkKind::kKernel), 1U);
  EXPECT_TRUE(p.hygiene.count("unmatched_flow") == 0);
}

TEST(KinetoVariants, TheBaseTimeMayComeLast) {
  const std::string before =
      "{\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[" + event("cpu_op") + "]}";
  const std::string after =
      "{\"traceEvents\":[" + event("cpu_op") + "],\"baseTimeNanoseconds\":1700000000000000000}";
  for (const std::string& text : {before, after}) {
    const Profile p = read(text);
    ASSERT_EQ(p.spans.size(), 1U);
    EXPECT_EQ(p.provenance.epoch_ns + p.spans.start[0], 1700000000000000000 + 1000500);
  }
}

TEST(KinetoVariants, AClockWithoutABaseHasNoEpoch) {
  const Profile p =
      read_events(R"({"ph":"X","cat":"cpu_op","name":"n","pid":1,"tid":1,"ts":5000000,"dur":1})");
  EXPECT_EQ(p.provenance.epoch_ns, 0);
  EXPECT_EQ(p.spans.start[0], 0);
  bool said = false;
  for (const auto& [key, value] : p.provenance.metadata) {
    if (key == "time_zero_ns") said = value == "5000000000";
  }
  EXPECT_TRUE(said);
}

TEST(KinetoVariants, IdsAsTextAndAsNumbersAreTheSameThread) {
  const Profile p = read_events(
      R"({"ph":"X","cat":"Operator","name":"a","pid":9,"tid":"25738","ts":1,"dur":2},
         {"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":9,"tid":25738,"ts":1,"dur":1,"args":{"correlation":3}},
         {"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":4,"dur":1,"args":{"correlation":3}})");
  EXPECT_EQ(p.threads.size(), 1U);
  EXPECT_EQ(p.tracks[p.work.track[0].row].stream, 7);
  ASSERT_TRUE(p.work.launch[0].valid());
  EXPECT_EQ(p.span_name(p.work.launch[0]), "cudaLaunchKernel");
}

TEST(KinetoVariants, UserRangesOfTorch18AreNotOperators) {
  const Profile p = read_events(
      R"x({"ph":"X","cat":"Operator","name":"ProfilerStep#3","pid":9,"tid":"1","ts":1,"dur":2},
         {"ph":"X","cat":"Operator","name":"enumerate(DataLoader)#x.__next__","pid":9,"tid":"1","ts":1,"dur":1},
         {"ph":"X","cat":"Operator","name":"aten::add","pid":9,"tid":"1","ts":1,"dur":1})x");
  EXPECT_EQ(count_spans(p, SpanKind::kUserRange), 2U);
  EXPECT_EQ(count_spans(p, SpanKind::kOp), 1U);
}

TEST(KinetoVariants, MemoryEventsInBothForms) {
  const Profile p = read_events(
      R"({"ph":"i","s":"t","name":"[memory]","pid":9,"tid":1,"ts":1,"args":{"Device Type":0,"Device Id":-1,"Bytes":4}},
         {"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":9,"tid":1,"ts":2,
          "args":{"Total Reserved":100,"Total Allocated":8,"Bytes":-64,"Device Id":2,"Device Type":6,"Addr":18446744073709551615}})");
  ASSERT_EQ(p.memory_events.size(), 2U);
  EXPECT_EQ(p.memory_events.device_type[0], model::MemoryDevice::kHost);
  EXPECT_EQ(p.memory_events.total_allocated[0], -1);
  EXPECT_EQ(p.memory_events.device_type[1], model::MemoryDevice::kDevice);
  EXPECT_EQ(p.memory_events.device_index[1], 2);
  EXPECT_EQ(p.memory_events.bytes[1], -64);
  EXPECT_EQ(p.memory_events.address[1], ~std::uint64_t{0});
  EXPECT_EQ(p.memory_events.total_reserved[1], 100);
}

TEST(KinetoVariants, ForwardAndBackwardAreJoined) {
  const Profile p = read_events(
      R"({"ph":"X","cat":"cpu_op","name":"fwd","pid":9,"tid":1,"ts":1,"dur":2},
         {"ph":"X","cat":"cpu_op","name":"bwd","pid":9,"tid":2,"ts":5,"dur":2},
         {"ph":"s","id":7,"pid":9,"tid":1,"ts":1,"cat":"fwdbwd","name":"fwdbwd"},
         {"ph":"f","id":7,"pid":9,"tid":2,"ts":5,"cat":"fwdbwd","name":"fwdbwd","bp":"e"})");
  ASSERT_EQ(p.forward_backward.size(), 1U);
  EXPECT_EQ(p.span_name(p.forward_backward[0].forward), "fwd");
  EXPECT_EQ(p.span_name(p.forward_backward[0].backward), "bwd");
}

TEST(KinetoVariants, CountersAndInstants) {
  const Profile p = read_events(
      R"({"ph":"C","name":"gpu","pid":9,"ts":3,"args":{"power":250.5,"note":"x"}},
         {"ph":"i","s":"g","name":"Iteration Start","pid":"Traces","tid":"T","ts":3})");
  ASSERT_EQ(p.counters.size(), 1U);
  EXPECT_EQ(p.text(p.counters.name[0]), "gpu/power");
  EXPECT_DOUBLE_EQ(p.counters.value[0], 250.5);
  ASSERT_EQ(p.instants.size(), 1U);
  EXPECT_EQ(p.text(p.tracks[p.instants.track[0].row].name), "Traces/T");
}

TEST(KinetoVariants, KernelArguments) {
  const Profile p = read_events(
      R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":2,"args":{"device":3,"stream":20,
          "correlation":4,"registers per thread":39,"shared memory":24,"grid":[16384, 2, 1],"block":[32,4,1],
          "est. achieved occupancy %":50,"graph node id":77}})");
  const model::Track& track = p.tracks[p.work.track[0].row];
  EXPECT_EQ(track.stream, 20);
  EXPECT_EQ(p.devices[track.device.row].index, 3);
  EXPECT_EQ(p.work.graph_node[0], 77);
  const model::LaunchConfig& c = p.launch_configs[p.work.config[0].row];
  EXPECT_EQ(c.grid, (std::array<std::int32_t, 3>{16384, 2, 1}));
  EXPECT_EQ(c.block, (std::array<std::int32_t, 3>{32, 4, 1}));
  EXPECT_EQ(c.registers, 39);
  EXPECT_EQ(c.shared_bytes, 24);
  EXPECT_FLOAT_EQ(c.occupancy_percent, 50);
}

TEST(KinetoVariants, KeysInAnyOrder) {
  const Profile p = read_events(
      R"x({"args":{"correlation":4,"bytes":8},"cat":"gpu_memcpy","dur":2,"name":"Memcpy DtoH (Device -> Pageable)",
          "ph":"X","pid":0,"tid":7,"ts":1})x");
  ASSERT_EQ(p.work.size(), 1U);
  EXPECT_EQ(p.work.direction[0], model::CopyDirection::kDeviceToHost);
  EXPECT_EQ(p.work.target_memory[0], model::MemoryKind::kPageable);
  EXPECT_EQ(p.work.bytes[0], 8);
}

// Frames that were open when recording began have process and thread 0.
TEST(KinetoVariants, FramesWithoutAThread) {
  const std::string frame =
      R"({"ph":"X","cat":"python_function","name":"main.py(1): main","pid":0,"tid":0,"ts":1,"dur":9},)";
  const Profile one = read_events(frame + event("cpu_op"));
  EXPECT_EQ(one.spans.track[0], one.spans.track[1]);  // the only thread there is
  EXPECT_EQ(one.hygiene.count("python_thread_unknown"), 0);
  const Profile two =
      read_events(frame + event("cpu_op") +
                  R"(,{"ph":"X","cat":"cpu_op","name":"b","pid":5,"tid":7,"ts":1,"dur":2})");
  EXPECT_EQ(two.hygiene.count("python_thread_unknown"), 1);
  EXPECT_EQ(two.spans.size(), 3U);
}

// libkineto issue 109: work that was never given a time would stretch the span to 1970.
TEST(KinetoVariants, WorkAtTimeZeroIsCountedNotPlaced) {
  const Profile p = read_events(
      R"({"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":1700000000000000,"dur":2},
         {"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":0,"dur":0})");
  EXPECT_EQ(p.work.size(), 1U);
  EXPECT_EQ(p.hygiene.count("dropped_work_no_time"), 1);
  EXPECT_TRUE(p.hygiene.forbids(model::Claim::kCoverage));
}

TEST(KinetoVariants, VendorsFromDeviceNamesCallsAndCategories) {
  const auto vendor = [](const std::string& events) {
    const Profile p = read_events(events);
    return p.devices.empty() ? model::Vendor::kUnknown : p.devices[0].vendor;
  };
  const std::string call = R"(,{"ph":"X","cat":"cuda_runtime","name":")";
  const std::string rest = R"(","pid":5,"tid":6,"ts":1,"dur":1})";
  EXPECT_EQ(vendor(event("kernel")), model::Vendor::kUnknown);
  EXPECT_EQ(vendor(event("kernel") + call + "cudaLaunchKernel" + rest), model::Vendor::kNvidia);
  EXPECT_EQ(vendor(event("kernel") + call + "hipLaunchKernel" + rest), model::Vendor::kAmd);
  EXPECT_EQ(vendor(event("mtia_ccp_events")), model::Vendor::kMeta);
  const Profile described = read(
      R"x({"deviceProperties":[{"id":5,"name":"Intel(R) Data Center GPU Max 1550"}],"traceEvents":[)x" +
      event("kernel") + "]}");
  EXPECT_EQ(described.devices[0].vendor, model::Vendor::kIntel);
}

}  // namespace
}  // namespace rooflab::importers
