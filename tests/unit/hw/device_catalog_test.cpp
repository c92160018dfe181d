// SPDX-License-Identifier: Apache-2.0
#include "hw/device_catalog.h"

#include <gtest/gtest.h>

#include <string>

#include "hw/data.h"

namespace rooflab::hw {
namespace {

DeviceCatalog shipped() {
  Result<DeviceCatalog> catalog = DeviceCatalog::load();
  EXPECT_TRUE(catalog.has_value())
      << (catalog ? "" : catalog.error().where + " " + catalog.error().message);
  return catalog ? *std::move(catalog) : DeviceCatalog();
}

std::string id_of(const DeviceCatalog& catalog, std::string_view name, int multiprocessors = -1) {
  const DeviceEntry* const entry = catalog.find(name, multiprocessors);
  return entry == nullptr ? "unknown" : entry->id;
}

TEST(DeviceCatalog, EveryShippedFileParses) {
  std::size_t files = 0;
  for (const DataFile& file : shipped_data())
    files += file.path.substr(0, 8) == "devices/" ? 1U : 0U;
  EXPECT_GE(files, 10U);
  EXPECT_EQ(shipped().entries().size(), files);
}

TEST(DeviceCatalog, NamesAsRecordersWriteThem) {
  const DeviceCatalog catalog = shipped();
  EXPECT_EQ(id_of(catalog, "NVIDIA H200", 132), "nvidia_h200");
  EXPECT_EQ(id_of(catalog, "NVIDIA H100 80GB HBM3", 132), "nvidia_h100_sxm");
  EXPECT_EQ(id_of(catalog, "NVIDIA H100 PCIe"), "nvidia_h100_pcie");
  EXPECT_EQ(id_of(catalog, "Tesla V100-SXM2-32GB"), "nvidia_v100_sxm2");
  EXPECT_EQ(id_of(catalog, "Tesla V100-DGXS-32GB"), "nvidia_v100_dgxs");
  EXPECT_EQ(id_of(catalog, "NVIDIA A100-SXM4-80GB", 108), "nvidia_a100_sxm_80gb");
  EXPECT_EQ(id_of(catalog, "NVIDIA A100 80GB PCIe"), "nvidia_a100_pcie_80gb");
  EXPECT_EQ(id_of(catalog, "AMD Instinct MI300X", 304), "amd_mi300x");
  EXPECT_EQ(id_of(catalog, "AMD Instinct MI300X VF", 304), "amd_mi300x");
}

TEST(DeviceCatalog, MultiprocessorsTellVariantsApart) {
  const DeviceCatalog catalog = shipped();
  EXPECT_EQ(id_of(catalog, "AMD Instinct MI250X/MI250", 104), "amd_mi250");
  EXPECT_EQ(id_of(catalog, "AMD Instinct MI250X / MI250", 110), "amd_mi250x");
  EXPECT_EQ(id_of(catalog, "AMD Instinct MI250X/MI250"), "unknown");  // either, so neither
  EXPECT_EQ(id_of(catalog, "NVIDIA H100 80GB HBM3", 16), "unknown");  // a slice of one
}

TEST(DeviceCatalog, UnknownDevicesStayUnknown) {
  const DeviceCatalog catalog = shipped();
  EXPECT_EQ(id_of(catalog, ""), "unknown");
  EXPECT_EQ(id_of(catalog, "NVIDIA H2000"), "unknown");
  EXPECT_EQ(id_of(catalog, "NVIDIA H100 80GB HBM3 MIG 1g.10gb"), "unknown");
  EXPECT_EQ(id_of(catalog, "llvmpipe\xff"), "unknown");
}

TEST(DeviceCatalog, FiguresOfTheDatasheets) {
  const DeviceCatalog catalog = shipped();
  const DeviceEntry* const h200 = catalog.find("NVIDIA H200");
  ASSERT_NE(h200, nullptr);
  EXPECT_DOUBLE_EQ(h200->memory_bandwidth.value, 4.8e12);
  EXPECT_DOUBLE_EQ(h200->peak_flops.at("bf16").value, 989.5e12);
  EXPECT_DOUBLE_EQ(h200->peak_flops.at("tf32").value, 494.5e12);
  EXPECT_DOUBLE_EQ(h200->peak_flops.at("fp32_vector").value, 67e12);
  EXPECT_EQ(h200->peak_flops.count("fp32"), 0U);  // no single-precision matrix instructions
  EXPECT_DOUBLE_EQ(h200->l2_bytes.value, 62914560);
  const DeviceEntry* const mi300x = catalog.find("AMD Instinct MI300X");
  ASSERT_NE(mi300x, nullptr);
  EXPECT_DOUBLE_EQ(mi300x->peak_flops.at("fp16").value, 1307.4e12);
  EXPECT_DOUBLE_EQ(mi300x->memory_side_cache_bytes.value, 256.0 * 1024 * 1024);
}

// Errors of a typing hand: the matrix units are never slower than the vector units, and wider types
// never faster.
TEST(DeviceCatalog, FiguresAreInOrder) {
  const DeviceCatalog catalog = shipped();
  for (const DeviceEntry& entry : catalog.entries()) {
    const auto peak = [&](const char* key) {
      const auto found = entry.peak_flops.find(key);
      return found == entry.peak_flops.end() ? 0.0 : found->second.value;
    };
    SCOPED_TRACE(entry.id);
    EXPECT_GT(peak("fp32_vector"), 0);
    EXPECT_GT(peak("fp16"), peak("fp32_vector"));
    if (peak("tf32") > 0) {
      EXPECT_NEAR(peak("fp16") / peak("tf32"), 2, 0.05);
    }
    if (peak("bf16") > 0) {
      EXPECT_EQ(peak("bf16"), peak("fp16"));
    }
    if (peak("fp8") > 0) {
      EXPECT_NEAR(peak("fp8") / peak("fp16"), 2, 0.05);
    }
    if (peak("fp64") > 0) {
      EXPECT_GE(peak("fp64"), peak("fp64_vector"));
    }
    EXPECT_GT(entry.memory_bandwidth.value, 10 * 1e9);
    EXPECT_GT(entry.memory_bandwidth.value, 4 * entry.host_link.value);
  }
}

constexpr const char* kGood = R"({"id":"x","title":"X","names":["X"],
  "memory_bandwidth":{"value":1e12,"unit":"bytes/s","source":"s","date":"2020-01"},
  "host_link":{"value":1e10,"unit":"bytes/s","source":"s","date":"2020-01"},
  "peak_flops":{"fp32_vector":{"value":1e13,"unit":"FLOP/s","source":"s","date":"2020-01"}}})";

std::string replaced(std::string_view from, std::string_view to) {
  std::string text = kGood;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(DeviceEntry, RefusesWhatIsNotTheSchemaAndSaysWhere) {
  ASSERT_TRUE(parse_device_entry(kGood, "x.json").has_value());
  const auto where = [](const std::string& text) {
    const auto entry = parse_device_entry(text, "x.json");
    return entry ? std::string("accepted") : entry.error().where;
  };
  EXPECT_EQ(where("{"), "x.json: ");
  EXPECT_EQ(where(replaced("1e12", "-1")), "x.json: memory_bandwidth");
  EXPECT_EQ(where(replaced("1e12", "\"fast\"")), "x.json: memory_bandwidth");
  EXPECT_EQ(where(replaced("\"bytes/s\"", "\"GB/s\"")), "x.json: memory_bandwidth");
  EXPECT_EQ(where(replaced("\"source\":\"s\"", "\"source\":\"\"")), "x.json: memory_bandwidth");
  EXPECT_EQ(where(replaced("2020-01", "2020")), "x.json: memory_bandwidth");
  EXPECT_EQ(where(replaced("fp32_vector", "fp33")), "x.json: fp33");
  EXPECT_EQ(where(replaced("[\"X\"]", "[\"(\"]")), "x.json: names");
  EXPECT_EQ(where(replaced("\"host_link\"", "\"link\"")), "x.json: host_link");
}

TEST(DeviceCatalog, TwoEntriesWithOneIdAreAnError) {
  const auto entry = parse_device_entry(kGood, "x.json");
  ASSERT_TRUE(entry.has_value());
  EXPECT_FALSE(DeviceCatalog::from({*entry, *entry}).has_value());
}

}  // namespace
}  // namespace rooflab::hw
