// SPDX-License-Identifier: Apache-2.0
// Kernels under their roofs: hand-made profiles for the rules of the table, recordings of real
// programs for what the figures must come out as. The expected work of a recording is written out
// as a product, its times are the file's.
#include "analysis/kernel_table.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "analysis/host_tree.h"
#include "importers/importer.h"
#include "model/builder.h"
#include "support/cases.h"

namespace rooflab::analysis {
namespace {

using model::Builder;

const hw::DeviceCatalog& catalog() {
  static const hw::DeviceCatalog loaded = *hw::DeviceCatalog::load();
  return loaded;
}

Window everything() {
  Window window;
  window.start = Nanos(0);
  window.end = Nanos(0);
  return window;
}

KernelTable table_of(const model::Profile& p, Window window = everything()) {
  if (window.end <= window.start) {
    window.start = kNanosMax;
    window.end = kNanosMin;
    for (std::size_t i = 0; i < p.work.size(); ++i) {
      window.start = std::min(window.start, Nanos(p.work.start[i]));
      window.end = std::max(window.end, Nanos(p.work.end(i)));
    }
  }
  return kernel_table(p, classify_kernels(p), ops_of_work(p, build_host_tree(p)), window,
                      catalog());
}

const KernelRow& row_named(const model::Profile& p, const KernelTable& table,
                           std::string_view part) {
  static const KernelRow none;
  for (const KernelRow& row : table.rows) {
    if (p.text(row.name).find(part) != std::string_view::npos) return row;
  }
  ADD_FAILURE() << "no kernel named like " << part;
  return none;
}

double roof_ratio(const KernelRow& row) {
  return static_cast<double>(row.roof_time.value) / static_cast<double>(row.modelled_sum.value);
}

// One thread that calls operators, each launching kernels on stream 7 of device 0.
class Recording {
 public:
  explicit Recording(std::string_view device) : builder_("test") {
    host_ = builder_.thread_track(1, 1);
    stream_ = builder_.stream_track(0, 7);
    const model::DeviceId id = builder_.device(0);
    builder_.profile().devices[id.row].name = builder_.intern(device);
  }

  Recording& op(std::string_view name, std::string_view dims, std::string_view types) {
    time_ += 1000;
    model::SpanRow row;
    row.start = time_;
    row.duration = 900;
    row.name = builder_.intern(name);
    row.track = host_;
    row.kind = model::SpanKind::kOp;
    row.args = builder_.args({builder_.intern(dims), builder_.intern(types), {}, {}, {}});
    builder_.add(row);
    return *this;
  }

  Recording& launch(std::string_view kernel, std::int64_t duration,
                    model::WorkKind kind = model::WorkKind::kKernel) {
    time_ += 10;
    ++correlation_;
    model::SpanRow call;
    call.start = time_;
    call.duration = 5;
    call.name = builder_.intern("launch");
    call.track = host_;
    call.kind = model::SpanKind::kRuntimeCall;
    call.correlation = correlation_;
    builder_.add(call);
    model::WorkRow work;
    work.start = device_time_;
    work.duration = duration;
    work.name = builder_.intern(kernel);
    work.track = stream_;
    work.kind = kind;
    work.correlation = correlation_;
    builder_.add(work);
    device_time_ += duration;
    return *this;
  }

  model::Profile build() { return std::move(builder_).build(); }

 private:
  Builder builder_;
  model::TrackId host_, stream_;
  std::int64_t time_ = 0, device_time_ = 100000, correlation_ = 0;
};

constexpr const char* kHalves = R"(["c10::Half","c10::Half"])";
constexpr const char* kSquare = "[[4096,4096],[4096,4096]]";

TEST(KernelTable, CountsAndTimesOfEachName) {
  Recording r("NVIDIA H200");
  r.op("aten::x", "", "")
      .launch("a", 10)
      .launch("a", 40)
      .launch("a", 20)
      .launch("b", 100)
      .launch("a", 30);
  const model::Profile p = r.build();
  const KernelTable table = table_of(p);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(p.text(table.rows[0].name), "a");
  EXPECT_EQ(table.rows[0].count, 4);
  EXPECT_EQ(table.rows[0].sum, Nanos(100));
  EXPECT_EQ(table.rows[0].min, Nanos(10));
  EXPECT_EQ(table.rows[0].median, Nanos(25));
  EXPECT_EQ(table.rows[0].max, Nanos(40));
  EXPECT_EQ(table.rows[0].modelled, 0);
  EXPECT_EQ(table.rows[0].limit, Roof::kUnknown);
  EXPECT_EQ(table.rows[1].median, Nanos(100));
  EXPECT_EQ(table.kernel_time, Nanos(200));
  EXPECT_FALSE(table.useful_ratio.has_value());
}

TEST(KernelTable, SeveralKernelsOfAnOperatorShareItsWorkByTime) {
  Recording r("NVIDIA H200");
  r.op("aten::mm", kSquare, kHalves)
      .launch("nvjet_sm90_hsh_256x128", 300000)
      .launch("Memset (Device)", 1000, model::WorkKind::kMemset)
      .launch("splitKreduce_kernel", 100000);
  const model::Profile p = r.build();
  const KernelTable table = table_of(p);
  const KernelRow& product = row_named(p, table, "nvjet");
  const KernelRow& reduction = row_named(p, table, "splitK");
  const double flops = 2.0 * 4096 * 4096 * 4096;
  EXPECT_DOUBLE_EQ(product.flops, 0.75 * flops);
  EXPECT_DOUBLE_EQ(reduction.flops, 0.25 * flops);
  EXPECT_DOUBLE_EQ(product.bytes + reduction.bytes, 3.0 * 4096 * 4096 * 2);
  EXPECT_NEAR(static_cast<double>(table.roof_time.value), flops / 989.5e12 * 1e9, 1);
  EXPECT_EQ(reduction.precision, "fp16");  // the operator's, though this kernel's name is silent
  EXPECT_TRUE(product.tensor_path);
  EXPECT_EQ(table.modelled_time, Nanos(400000));
}

TEST(KernelTable, FasterThanTheRoofIsCountedAndNeverMoreThanItsTime) {
  Recording r("NVIDIA H200");
  r.op("aten::mm", kSquare, kHalves).launch("nvjet_sm90_hsh_256x128", 1000);
  const model::Profile p = r.build();
  const KernelTable table = table_of(p);
  EXPECT_EQ(table.rows[0].above_roof, 1);
  EXPECT_EQ(table.rows[0].roof_time, Nanos(1000));
  EXPECT_EQ(table.above_roof_time, Nanos(1000));
  ASSERT_TRUE(table.useful_ratio.has_value());
  EXPECT_DOUBLE_EQ(*table.useful_ratio, 1.0);
}

TEST(KernelTable, AnUnknownDeviceHasWorkButNoRoof) {
  Recording r("Some Accelerator");
  r.op("aten::mm", kSquare, kHalves).launch("gemm", 1000);
  const model::Profile p = r.build();
  const KernelTable table = table_of(p);
  EXPECT_EQ(table.device_name, "");
  EXPECT_FALSE(table.useful_ratio.has_value());
  EXPECT_DOUBLE_EQ(table.rows[0].flops, 2.0 * 4096 * 4096 * 4096);
  EXPECT_EQ(table.rows[0].limit, Roof::kUnknown);
}

TEST(KernelTable, TheRoofIsThatOfTheUnitsTheNameShows) {
  const auto ratio_of = [](std::string_view device, std::string_view kernel,
                           std::string_view types) {
    Recording r(device);
    r.op("aten::mm", kSquare, types).launch(kernel, 10000000);
    const model::Profile p = r.build();
    const KernelTable table = table_of(p);
    return 2.0 * 4096 * 4096 * 4096 / (static_cast<double>(table.rows[0].roof_time.value) * 1e-9);
  };
  constexpr const char* kFloats = R"(["float","float"])";
  EXPECT_NEAR(ratio_of("NVIDIA H200", "xmma_gemm_f32f32_tf32f32_f32_nn", kFloats) / 494.5e12, 1,
              1e-5);
  EXPECT_NEAR(ratio_of("NVIDIA H200", "ampere_sgemm_128x64_nn", kFloats) / 67e12, 1, 1e-5);
  EXPECT_NEAR(ratio_of("NVIDIA H200", "unheard_of_gemm", kFloats) / 67e12, 1, 1e-5);
  EXPECT_NEAR(ratio_of("NVIDIA H200", "unheard_of_gemm", kHalves) / 989.5e12, 1, 1e-5);
  EXPECT_NEAR(
      ratio_of("AMD Instinct MI250", "Cijk_Ailk_Bjlk_SB_MT128x128x16_MI32x32x2x1", kFloats) /
          45.26e12,
      1, 1e-5);
  EXPECT_NEAR(ratio_of("AMD Instinct MI300X", "unheard_of_gemm", kHalves) / 1307.4e12, 1, 1e-5);
}

TEST(KernelTable, OnlyKernelsThatStartInsideTheWindow) {
  Recording r("NVIDIA H200");
  r.op("aten::x", "", "").launch("a", 100).launch("a", 100).launch("a", 100);
  const model::Profile p = r.build();
  Window window;
  window.start = Nanos(100100);
  window.end = Nanos(100200);
  EXPECT_EQ(table_of(p, window).rows.at(0).count, 1);
}

TEST(KernelTable, CommunicationAndBlitsAreNoComputeTime) {
  Recording r("NVIDIA H200");
  r.op("aten::mm", kSquare, kHalves)
      .launch("ncclDevKernel_AllReduce", 500)
      .launch("__amd_rocclr_copyBuffer", 70);
  const model::Profile p = r.build();
  const KernelTable table = table_of(p);
  EXPECT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.kernel_time, Nanos(0));
  EXPECT_EQ(table.modelled_time, Nanos(0));
}

TEST(KernelTable, AnEmptyProfileIsAnEmptyTable) {
  const model::Profile p = Builder("test").build();
  Window window;
  window.start = kNanosMin;
  window.end = kNanosMax;
  EXPECT_TRUE(kernel_table(p, classify_kernels(p), {}, window, catalog()).rows.empty());
}

// ---- real recordings ----

model::Profile import(const std::string& path) {
  Result<model::Profile> profile = importers::import_file(path);
  EXPECT_TRUE(profile.has_value()) << path << ": " << (profile ? "" : profile.error().message);
  return profile ? *std::move(profile) : Builder("none").build();
}

TEST(KernelTableH200, AlignedAndMisalignedProductsAreComputeBoundFarApart) {
  const model::Profile good = import(testing::test_data("h200/gemm_aligned.json.gz"));
  const KernelTable good_table = table_of(good);
  ASSERT_EQ(good_table.rows.size(), 1U);
  EXPECT_EQ(good_table.device_name, "NVIDIA H200 SXM 141 GB");
  EXPECT_EQ(good_table.rows[0].count, 6);
  EXPECT_DOUBLE_EQ(good_table.rows[0].flops, 6 * 2.0 * 4096 * 4096 * 4096);
  EXPECT_EQ(good_table.rows[0].limit, Roof::kCompute);
  EXPECT_NEAR(roof_ratio(good_table.rows[0]), 0.780, 0.001);
  EXPECT_EQ(good_table.modelled_time, good_table.kernel_time);

  const model::Profile bad = import(testing::test_data("h200/gemm_misaligned.json.gz"));
  const KernelTable bad_table = table_of(bad);
  ASSERT_EQ(bad_table.rows.size(), 1U);
  EXPECT_NEAR(bad_table.rows[0].flops, 6 * 2.0 * 4096 * 4095 * 4093, 1);
  EXPECT_EQ(bad_table.rows[0].limit, Roof::kCompute);
  EXPECT_NEAR(roof_ratio(bad_table.rows[0]), 0.155, 0.001);
}

TEST(KernelTableH200, UnfusedElementwiseKernelsAreMemoryBound) {
  const model::Profile p = import(testing::test_data("h200/elementwise_memory_bound.json.gz"));
  const KernelTable table = table_of(p);
  EXPECT_EQ(table.rows.size(), 5U);
  const double n = 134217728.0;
  double bytes = 0;
  for (const KernelRow& row : table.rows) {
    EXPECT_EQ(row.kernel_class, KernelClass::kElementwise);
    EXPECT_EQ(row.limit, Roof::kMemory);
    EXPECT_GT(roof_ratio(row), 0.87);
    EXPECT_LT(roof_ratio(row), 0.93);  // as a streaming kernel does on this device
    EXPECT_EQ(row.above_roof, 0);
    bytes += row.bytes;
  }
  // four read one array and write one, one reads two; 6 steps; three of them have a number beside
  // it
  EXPECT_NEAR(bytes, 6 * n * 4 * (4 * 2 + 3), 6 * 3 * 8);
}

TEST(KernelTableH200, SinglePrecisionOnTheVectorUnitsAndOnTheMatrixUnits) {
  const model::Profile before =
      import(testing::test_data("h200/pairs/tf32_allowed.before.json.gz"));
  const KernelTable vector = table_of(before);
  ASSERT_EQ(vector.rows.size(), 1U);
  EXPECT_EQ(vector.rows[0].precision, "fp32");
  EXPECT_FALSE(vector.rows[0].tensor_path);
  EXPECT_EQ(vector.rows[0].limit, Roof::kCompute);
  EXPECT_NEAR(roof_ratio(vector.rows[0]), 0.762, 0.001);
  const model::Profile after = import(testing::test_data("h200/pairs/tf32_allowed.after.json.gz"));
  const KernelTable matrix = table_of(after);
  ASSERT_EQ(matrix.rows.size(), 1U);
  EXPECT_EQ(matrix.rows[0].precision, "tf32");
  EXPECT_TRUE(matrix.rows[0].tensor_path);
  EXPECT_EQ(matrix.rows[0].flops, vector.rows[0].flops);
}

TEST(KernelTableH200, TinyKernelsAreBoundByLatency) {
  const model::Profile p = import(testing::test_data("h200/launch_bound.json.gz"));
  const KernelTable table = table_of(p);
  ASSERT_FALSE(table.rows.empty());
  for (const KernelRow& row : table.rows) EXPECT_EQ(row.limit, Roof::kLatency);
}

TEST(KernelTableH200, ATransformerIsCoveredAndStaysUnderItsRoofs) {
  const model::Profile p = import(testing::test_data("h200/transformer_healthy.json.gz"));
  const KernelTable table = table_of(p);
  double attention_flops = 0;
  double gemm_flops = 0;
  double gemm_bytes = 0;
  for (const KernelRow& row : table.rows) {
    EXPECT_EQ(row.above_roof, 0) << p.text(row.name);
    if (row.kernel_class == KernelClass::kAttention) attention_flops += row.flops;
    if (row.kernel_class != KernelClass::kGemm) continue;
    gemm_flops += row.flops;
    gemm_bytes += row.bytes;
  }
  // Summed over the file's aten::mm and aten::addmm calls by an independent program.
  EXPECT_NEAR(gemm_flops, 19791209299968.0 + 9895604649984.0, 1e6);
  EXPECT_NEAR(gemm_bytes, 26977763328.0 + 13489324032.0, 1e3);
  EXPECT_GT(static_cast<double>(table.modelled_time.value),
            0.9 * static_cast<double>(table.kernel_time.value));
  // 24 layers, causal; two products forward and five backward, shared by the kernels of each.
  EXPECT_NEAR(attention_flops, 24 * (4.0 + 10.0) * 16 * 16 * (1024.0 * 1025 / 2) * 64, 1e3);
}

// The fault is in the name of each; the device's name is not in two of the files.
TEST(KernelTableCases, SingleOperatorsOnAnotherVendorsDevice) {
  const auto table_on_mi300x = [](const std::string& path, model::Profile& p) {
    p = import(path);
    for (model::Device& device : p.devices) device.name = p.strings.intern("AMD Instinct MI300X");
    return table_of(p);
  };
  ROOFLAB_CASE(add, "public/tracelens/unit/elem_01_add_poor_bw.json.gz");
  model::Profile p = Builder("none").build();
  KernelTable table = table_on_mi300x(add, p);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].limit, Roof::kMemory);
  EXPECT_DOUBLE_EQ(table.rows[0].bytes, 10 * 3.0 * 8192 * 8192 * 4);
  EXPECT_NEAR(roof_ratio(table.rows[0]), 0.361, 0.001);  // poor bandwidth

  ROOFLAB_CASE(few_tiles, "public/tracelens/unit/gemm_01_compute_few_tiles.json.gz");
  table = table_on_mi300x(few_tiles, p);
  EXPECT_EQ(row_named(p, table, "MT256x128x64").limit, Roof::kLatency);  // four tiles on 304 units
  EXPECT_NEAR(roof_ratio(row_named(p, table, "MT256x128x64")), 0.035, 0.001);

  ROOFLAB_CASE(misaligned, "public/tracelens/unit/gemm_03_compute_misaligned.json.gz");
  table = table_on_mi300x(misaligned, p);
  EXPECT_EQ(table.rows[0].limit, Roof::kCompute);
  EXPECT_DOUBLE_EQ(table.rows[0].flops, 10 * 2.0 * 4097 * 4097 * 4097);
  EXPECT_NEAR(roof_ratio(table.rows[0]), 0.286, 0.001);
}

TEST(KernelTableCases, OneModelOnTwoVendorsHasOneAmountOfWork) {
  ROOFLAB_CASE(nvidia, "public/tracelens/h100_bert.json.gz");
  const model::Profile a = import(nvidia);
  const model::Profile b = import(testing::case_path("public/tracelens/mi300_bert.json.gz"));
  const auto work = [](const KernelTable& table, bool flops) {
    double total = 0;
    for (const KernelRow& row : table.rows) total += flops ? row.flops : row.bytes;
    return total;
  };
  const KernelTable table_a = table_of(a);
  const KernelTable table_b = table_of(b);
  EXPECT_NEAR(work(table_a, true) / work(table_b, true), 1, 1e-9);
  EXPECT_NEAR(work(table_a, false) / work(table_b, false), 1, 1e-9);
  EXPECT_EQ(table_a.modelled_time, table_a.kernel_time);
  EXPECT_EQ(table_b.modelled_time, table_b.kernel_time);
  EXPECT_EQ(table_b.device_name, "AMD Instinct MI300X 192 GB");
}

}  // namespace
}  // namespace rooflab::analysis
