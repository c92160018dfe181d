// SPDX-License-Identifier: Apache-2.0
// Peaks of known accelerators, from data/devices/*.json: each value with unit, source and date.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rooflab::hw {

struct Peak {
  double value = 0;    // SI: bytes/s, FLOP/s, bytes
  std::string source;  // where the number comes from
  std::string date;
};

struct DeviceEntry {
  std::string id;                          // "nvidia_h200"
  std::string title;                       // "NVIDIA H200 SXM 141 GB"
  std::vector<std::string> name_patterns;  // RE2, full match against the recorder's device name
  int multiprocessors = -1;                // to tell variants of one name apart; -1 = any
  Peak memory_bandwidth;                   // device memory, bytes/s
  Peak host_link;                          // one direction, bytes/s
  Peak l2_bytes;                           // value 0 = not known
  Peak memory_side_cache_bytes;            // a last-level cache behind L2; value 0 = none
  std::string note;                        // what a reader of the figures must know; may be empty
  // FLOP/s, dense: "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8" on the matrix units where
  // they exist; "fp64_vector", "fp32_vector", "fp16_vector" without them.
  std::map<std::string, Peak> peak_flops;
};

// One file of data/devices. Refuses (Error, `where` = path and key): no JSON object, a value that
// is not positive and finite, a unit other than the key's, no source, a date that is not YYYY-MM,
// an unknown precision, a bad pattern.
[[nodiscard]] Result<DeviceEntry> parse_device_entry(std::string_view json, std::string_view path);

class DeviceCatalog {
 public:
  // Parses every data/devices file; a malformed one is an Error (shipped files are tested).
  [[nodiscard]] static Result<DeviceCatalog> load();
  // From entries already parsed; two with one id are an Error.
  [[nodiscard]] static Result<DeviceCatalog> from(std::vector<DeviceEntry> entries);
  // The entry whose pattern matches, or nullptr: an unknown device has no roof and the caller says
  // so.
  [[nodiscard]] const DeviceEntry* find(std::string_view device_name,
                                        int multiprocessors = -1) const;
  [[nodiscard]] const std::vector<DeviceEntry>& entries() const { return entries_; }

 private:
  std::vector<DeviceEntry> entries_;
};

}  // namespace rooflab::hw
