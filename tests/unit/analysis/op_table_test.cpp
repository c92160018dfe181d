// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_table.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>

#include "analysis/host_tree.h"
#include "importers/importer.h"
#include "model/builder.h"
#include "support/cases.h"

namespace rooflab::analysis {
namespace {

using model::SpanKind;

class Recording {
 public:
  Recording() : builder_("test") {
    forward_ = builder_.thread_track(1, 1);
    backward_ = builder_.thread_track(1, 2);
    stream_ = builder_.stream_track(0, 7);
  }
  Recording& span(SpanKind kind, std::string_view name, std::int64_t start, std::int64_t end,
                  bool on_backward = false, std::string_view dims = {},
                  std::string_view strides = {}) {
    model::SpanRow row;
    row.start = start;
    row.duration = end - start;
    row.name = builder_.intern(name);
    row.track = on_backward ? backward_ : forward_;
    row.kind = kind;
    if (!dims.empty())
      row.args = builder_.args({builder_.intern(dims), {}, builder_.intern(strides), {}, {}});
    builder_.add(row);
    return *this;
  }
  Recording& launch(std::int64_t at, std::int64_t duration, bool on_backward = false,
                    model::WorkKind kind = model::WorkKind::kKernel) {
    ++correlation_;
    model::SpanRow call;
    call.start = at;
    call.duration = 1;
    call.name = builder_.intern("launch");
    call.track = on_backward ? backward_ : forward_;
    call.kind = SpanKind::kRuntimeCall;
    call.correlation = correlation_;
    builder_.add(call);
    model::WorkRow work;
    work.start = 1000 * correlation_;
    work.duration = duration;
    work.name = builder_.intern("k");
    work.track = stream_;
    work.kind = kind;
    work.correlation = correlation_;
    builder_.add(work);
    return *this;
  }
  Recording& link(std::int64_t forward_at, std::int64_t backward_at) {
    builder_.add_forward_backward(++flow_, forward_, forward_at, true);
    builder_.add_forward_backward(flow_, backward_, backward_at, false);
    return *this;
  }
  model::Profile build() { return std::move(builder_).build(); }

 private:
  model::Builder builder_;
  model::TrackId forward_, backward_, stream_;
  std::int64_t correlation_ = 0, flow_ = 0;
};

OpTable ops_of(const model::Profile& p, bool by_shape = false) {
  const HostTree tree = build_host_tree(p);
  return op_table(p, tree, ops_of_work(p, tree), by_shape);
}

OpRow row_named(const model::Profile& p, const OpTable& table, std::string_view name) {
  for (const OpRow& row : table.rows) {
    if (p.text(row.name) == name) return row;
  }
  ADD_FAILURE() << "no operator " << name;
  return {};
}

TEST(OpTable, SelfTimeLeavesOutOperatorsInside) {
  Recording r;
  r.span(SpanKind::kOp, "outer", 0, 100)
      .span(SpanKind::kPython, "frame", 10, 60)
      .span(SpanKind::kOp, "inner", 20, 50);
  r.launch(30, 7).launch(80, 11).launch(81, 5, false, model::WorkKind::kMemset);
  const model::Profile p = r.build();
  const OpTable table = ops_of(p);
  const OpRow outer = row_named(p, table, "outer");
  EXPECT_EQ(outer.calls, 1);
  EXPECT_EQ(outer.host_sum, Nanos(100));
  EXPECT_EQ(outer.host_self, Nanos(70));
  EXPECT_EQ(outer.device_sum, Nanos(23));
  EXPECT_EQ(outer.device_self, Nanos(16));
  EXPECT_EQ(outer.kernels, 1);
  const OpRow inner = row_named(p, table, "inner");
  EXPECT_EQ(inner.host_self, Nanos(30));
  EXPECT_EQ(inner.device_sum, Nanos(7));
  EXPECT_EQ(p.text(table.rows[0].name), "outer");  // most device time of its own
}

TEST(OpTable, AnOperatorInsideItsOwnNameCountsOnceInTheSum) {
  Recording r;
  r.span(SpanKind::kOp, "copy", 0, 100)
      .span(SpanKind::kOp, "to", 10, 90)
      .span(SpanKind::kOp, "copy", 20, 80);
  r.span(SpanKind::kOp, "copy", 200, 210).launch(30, 7);
  const model::Profile p = r.build();
  const OpRow copy = row_named(p, ops_of(p), "copy");
  EXPECT_EQ(copy.calls, 3);
  EXPECT_EQ(copy.host_sum, Nanos(110));
  EXPECT_EQ(copy.host_self, Nanos(20 + 60 + 10));
  EXPECT_EQ(copy.device_sum, Nanos(7));
  EXPECT_EQ(copy.device_self, Nanos(7));
}

TEST(OpTable, ByShapeStridesDoNotSplitRows) {
  Recording r;
  r.span(SpanKind::kOp, "mm", 0, 10, false, "[[2,2]]", "[[2,1]]")
      .span(SpanKind::kOp, "mm", 20, 30, false, "[[2,2]]", "[[1,2]]");
  r.span(SpanKind::kOp, "mm", 40, 50, false, "[[3,3]]");
  const model::Profile p = r.build();
  EXPECT_EQ(ops_of(p).rows.size(), 1U);
  const OpTable table = ops_of(p, true);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(p.text(table.rows[0].dims), "[[2,2]]");
  EXPECT_EQ(table.rows[0].calls, 2);
}

TEST(OpTable, AnEmptyProfileIsAnEmptyTable) {
  const model::Profile p = model::Builder("test").build();
  EXPECT_TRUE(ops_of(p).rows.empty());
  EXPECT_TRUE(module_table(p, build_host_tree(p)).rows.empty());
  EXPECT_TRUE(memory_table(p).rows.empty());
}

TEST(ModuleTable, PathsAndTimesIncludeWhatIsInside) {
  Recording r;
  r.span(SpanKind::kPython, "nn.Module: Net_0", 0, 100).span(SpanKind::kPython, "forward", 1, 99);
  r.span(SpanKind::kPython, "nn.Module: Linear_0", 10, 40)
      .span(SpanKind::kOp, "linear", 12, 30)
      .launch(20, 7);
  r.span(SpanKind::kOp, "relu", 50, 60).launch(55, 3).launch(200, 1000);
  const model::Profile p = r.build();
  const ModuleTable table = module_table(p, build_host_tree(p));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].path, "Net_0");
  EXPECT_EQ(table.rows[0].device_sum, Nanos(10));
  EXPECT_EQ(table.rows[0].host_sum, Nanos(100));
  EXPECT_EQ(table.rows[1].path, "Net_0/Linear_0");
  EXPECT_EQ(table.rows[1].device_sum, Nanos(7));
}

TEST(ModuleTable, TheBackwardPassBelongsToTheModuleOfItsForward) {
  Recording r;
  r.span(SpanKind::kPython, "nn.Module: Net_0", 0, 100)
      .span(SpanKind::kOp, "linear", 12, 30)
      .launch(20, 7);
  r.span(SpanKind::kOp, "LinearBackward", 200, 230, true)
      .span(SpanKind::kOp, "mm", 205, 225, true)
      .launch(210, 20, true);
  r.link(12, 200);
  const model::Profile p = r.build();
  const ModuleTable table = module_table(p, build_host_tree(p));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].device_sum, Nanos(27));
  EXPECT_EQ(table.rows[0].device_backward, Nanos(20));
}

TEST(ModuleTable, NestingIsCutAtABoundedDepth) {
  Recording r;
  for (int i = 0; i < 200; ++i) r.span(SpanKind::kPython, "nn.Module: M", i, 1000 - i);
  r.launch(500, 7);
  const model::Profile p = r.build();
  const ModuleTable table = module_table(p, build_host_tree(p));
  EXPECT_EQ(table.rows.size(), 64U);
  EXPECT_EQ(table.rows.back().device_sum, Nanos(7));
}

TEST(MemoryTable, CountsTotalsAndRecordedPeaks) {
  model::Builder b("test");
  const model::TrackId track = b.thread_track(1, 1);
  b.add_memory(10, track, model::MemoryDevice::kDevice, 0, 512, 1, 1512, 4096);
  b.add_memory(20, track, model::MemoryDevice::kDevice, 0, 256, 2, 1768, 4096);
  b.add_memory(30, track, model::MemoryDevice::kDevice, 0, -512, 1, 1256, 4096);
  b.add_memory(40, track, model::MemoryDevice::kHost, 0, 64, 3, -1, -1);
  b.add_memory(50, track, model::MemoryDevice::kHost, 0, std::numeric_limits<std::int64_t>::min(),
               3, -1, -1);
  const model::Profile p = std::move(b).build();
  const MemoryTable table = memory_table(p);
  ASSERT_EQ(table.rows.size(), 2U);
  const MemoryRow& host = table.rows[0];
  EXPECT_EQ(host.device_type, model::MemoryDevice::kHost);
  EXPECT_EQ(host.peak_allocated, Bytes(-1));
  EXPECT_EQ(host.released, Bytes(std::numeric_limits<std::int64_t>::max()));
  const MemoryRow& device = table.rows[1];
  EXPECT_EQ(device.allocations, 2);
  EXPECT_EQ(device.releases, 1);
  EXPECT_EQ(device.allocated, Bytes(768));
  EXPECT_EQ(device.released, Bytes(512));
  EXPECT_EQ(device.peak_allocated, Bytes(1768));
  EXPECT_EQ(device.peak_reserved, Bytes(4096));
  EXPECT_EQ(device.peak_time, Nanos(20));
}

// ---- real recordings ----

TEST(OpTableH200, DeviceTimeIsThatOfTheKernels) {
  const auto profile =
      importers::import_file(testing::test_data("h200/transformer_healthy.json.gz"));
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  const OpTable table = ops_of(*profile);
  const OpRow mm = row_named(*profile, table, "aten::mm");
  EXPECT_EQ(mm.kernels, 216);
  EXPECT_EQ(profile->text(table.rows.at(0).name), "aten::mm");
  // 96 kernels of 13335125 ns and the sets that prepare them
  EXPECT_EQ(row_named(*profile, table, "aten::addmm").device_self, Nanos(13413338));
  EXPECT_EQ(row_named(*profile, table, "aten::native_layer_norm_backward").kernels, 93);
}

TEST(ModuleTableH200, EachLayerHasItsShare) {
  const auto profile = importers::import_file(testing::test_data("h200/loader_starved.json.gz"));
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  const ModuleTable table = module_table(*profile, build_host_tree(*profile));
  ASSERT_EQ(table.rows.size(), 13U);  // a Sequential of six Linear and six ReLU
  EXPECT_EQ(table.rows[0].path, "Sequential_0");
  EXPECT_EQ(table.rows[0].calls, 8);
  std::int64_t inside = 0;
  for (std::size_t i = 1; i < table.rows.size(); ++i) inside += table.rows[i].device_sum.value;
  EXPECT_EQ(inside, table.rows[0].device_sum.value);
}

TEST(MemoryTableH200, PeakOfATrainingRun) {
  const auto profile =
      importers::import_file(testing::test_data("h200/transformer_healthy.json.gz"));
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  const MemoryTable table = memory_table(*profile);
  ASSERT_FALSE(table.rows.empty());
  std::int64_t events = 0;
  for (const MemoryRow& row : table.rows) events += row.allocations + row.releases;
  EXPECT_EQ(events, 3564);
}

}  // namespace
}  // namespace rooflab::analysis
