// SPDX-License-Identifier: Apache-2.0
// The files of data/, embedded in the binary at build time: numbers with unit, source and date, and
// name patterns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooflab::hw {

struct DataFile {
  std::string_view path;  // relative to data/: "devices/nvidia_h200.json"
  std::string_view text;
};

[[nodiscard]] const std::vector<DataFile>& shipped_data();
[[nodiscard]] std::string_view shipped_text(
    std::string_view path);  // empty if there is no such file

}  // namespace rooflab::hw
