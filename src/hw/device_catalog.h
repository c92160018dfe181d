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
  Peak l2_bytes;
  // FLOP/s, dense: "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8" on the matrix units where
  // they exist; "fp64_vector", "fp32_vector", "fp16_vector" without them.
  std::map<std::string, Peak> peak_flops;
};

class DeviceCatalog {
 public:
  // Parses every data/devices file; a malformed one is an Error (shipped files are tested).
  [[nodiscard]] static Result<DeviceCatalog> load();
  // The entry whose pattern matches, or nullptr: an unknown device has no roof and the caller says
  // so.
  [[nodiscard]] const DeviceEntry* find(std::string_view device_name,
                                        int multiprocessors = -1) const;
  [[nodiscard]] const std::vector<DeviceEntry>& entries() const { return entries_; }

 private:
  std::vector<DeviceEntry> entries_;
};

}  // namespace rooflab::hw
