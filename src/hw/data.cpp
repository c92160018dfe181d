// SPDX-License-Identifier: Apache-2.0
#include "hw/data.h"

namespace rooflab::hw {

std::string_view shipped_text(std::string_view path) {
  for (const DataFile& file : shipped_data()) {
    if (file.path == path) return file.text;
  }
  return {};
}

}  // namespace rooflab::hw
