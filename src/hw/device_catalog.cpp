// SPDX-License-Identifier: Apache-2.0
#include "hw/device_catalog.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "hw/data.h"

namespace rooflab::hw {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 11> kPrecisions = {
    "fp64", "fp32",        "tf32",        "fp16",        "bf16",       "fp8",
    "int8", "fp64_vector", "fp32_vector", "fp16_vector", "bf16_vector"};

tl::unexpected<Error> bad(std::string_view path, std::string_view key, std::string what) {
  return fail(ErrorCode::kUnreadable, std::move(what), std::string(path) + ": " + std::string(key),
              "each value needs {value, unit, source, date}");
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool is_month(std::string_view date) {
  return RE2::FullMatch(re2::StringPiece(date.data(), date.size()), "20\\d\\d-(0[1-9]|1[0-2])");
}

Result<Peak> parse_peak(const json& value, std::string_view unit, std::string_view path,
                        std::string_view key) {
  if (!value.is_object()) return bad(path, key, "not an object");
  Peak peak;
  const auto number = value.find("value");
  if (number == value.end() || !number->is_number()) return bad(path, key, "no numeric value");
  peak.value = number->get<double>();
  peak.source = text_of(value, "source");
  peak.date = text_of(value, "date");
  if (!std::isfinite(peak.value) || peak.value <= 0)
    return bad(path, key, "the value is not positive");
  if (text_of(value, "unit") != unit) return bad(path, key, "the unit is not " + std::string(unit));
  if (peak.source.empty()) return bad(path, key, "no source");
  if (!is_month(peak.date)) return bad(path, key, "the date is not YYYY-MM");
  return peak;
}

Result<void> parse_names(const json& root, std::string_view path, DeviceEntry& entry) {
  const auto names = root.find("names");
  if (names == root.end() || !names->is_array() || names->empty())
    return bad(path, "names", "no name patterns");
  for (const json& name : *names) {
    if (!name.is_string()) return bad(path, "names", "a pattern is not text");
    entry.name_patterns.push_back(name.get<std::string>());
    if (!RE2(entry.name_patterns.back(), RE2::Quiet).ok())
      return bad(path, "names", "a pattern does not compile");
  }
  return {};
}

Result<void> parse_peak_flops(const json& root, std::string_view path, DeviceEntry& entry) {
  const auto flops = root.find("peak_flops");
  if (flops == root.end() || !flops->is_object() || flops->empty())
    return bad(path, "peak_flops", "missing");
  for (const auto& [key, value] : flops->items()) {
    if (std::find(kPrecisions.begin(), kPrecisions.end(), key) == kPrecisions.end()) {
      return bad(path, key, "unknown precision");
    }
    RL_TRY(entry.peak_flops[key], parse_peak(value, "FLOP/s", path, key));
  }
  return {};
}

Result<void> parse_quantity(const json& root, const char* key, std::string_view unit, bool required,
                            std::string_view path, Peak& peak) {
  const auto found = root.find(key);
  if (found == root.end()) {
    if (required) return bad(path, key, "missing");
    return {};
  }
  RL_TRY(peak, parse_peak(*found, unit, path, key));
  return {};
}

bool name_matches(const DeviceEntry& entry, std::string_view name) {
  return std::any_of(
      entry.name_patterns.begin(), entry.name_patterns.end(), [&](const std::string& pattern) {
        return RE2::FullMatch(re2::StringPiece(name.data(), name.size()), RE2(pattern, RE2::Quiet));
      });
}

}  // namespace

Result<DeviceEntry> parse_device_entry(std::string_view text, std::string_view path) {
  const json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) return bad(path, "", "not a JSON object");
  DeviceEntry entry;
  entry.id = text_of(root, "id");
  entry.title = text_of(root, "title");
  entry.note = text_of(root, "note");
  if (entry.id.empty() || entry.title.empty()) return bad(path, "id", "id and title are needed");
  RL_CHECK_OK(parse_names(root, path, entry));
  if (const auto count = root.find("multiprocessors"); count != root.end()) {
    if (!count->is_number_integer() || count->get<std::int64_t>() < 1 ||
        count->get<std::int64_t>() > 100000) {
      return bad(path, "multiprocessors", "not a positive count");
    }
    entry.multiprocessors = count->get<int>();
  }
  RL_CHECK_OK(
      parse_quantity(root, "memory_bandwidth", "bytes/s", true, path, entry.memory_bandwidth));
  RL_CHECK_OK(parse_quantity(root, "host_link", "bytes/s", true, path, entry.host_link));
  RL_CHECK_OK(parse_quantity(root, "l2", "bytes", false, path, entry.l2_bytes));
  RL_CHECK_OK(parse_quantity(root, "memory_side_cache", "bytes", false, path,
                             entry.memory_side_cache_bytes));
  RL_CHECK_OK(parse_peak_flops(root, path, entry));
  return entry;
}

Result<DeviceCatalog> DeviceCatalog::from(std::vector<DeviceEntry> entries) {
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].id == entries[i - 1].id)
      return bad(entries[i].id, "id", "two entries have this id");
  }
  DeviceCatalog catalog;
  catalog.entries_ = std::move(entries);
  return catalog;
}

Result<DeviceCatalog> DeviceCatalog::load() {
  std::vector<DeviceEntry> entries;
  for (const DataFile& file : shipped_data()) {
    if (file.path.substr(0, 8) != "devices/") continue;
    RL_TRY(auto entry, parse_device_entry(file.text, file.path));
    entries.push_back(std::move(entry));
  }
  return from(std::move(entries));
}

const DeviceEntry* DeviceCatalog::find(std::string_view device_name, int multiprocessors) const {
  const DeviceEntry* found = nullptr;
  for (const DeviceEntry& entry : entries_) {
    if (!name_matches(entry, device_name)) continue;
    const bool counts_known = multiprocessors > 0 && entry.multiprocessors > 0;
    if (counts_known && entry.multiprocessors != multiprocessors) continue;
    if (found != nullptr) return nullptr;
    found = &entry;
  }
  return found;
}

}  // namespace rooflab::hw
