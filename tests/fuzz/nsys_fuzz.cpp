// SPDX-License-Identifier: Apache-2.0
// libFuzzer over Nsight Systems databases: SQLite reads them in place, so they cannot come through
// the target that feeds every importer a stream.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "importers/nsys/reader.h"
#include "model/validate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto database = rooflab::importers::nsys::Database::open_bytes(bytes, "fuzz");
  if (!database) return 0;
  const auto profile = rooflab::importers::nsys::read_database(std::move(*database), "fuzz");
  if (profile) CHECK(rooflab::model::validate(*profile).has_value(), "imports keep the rules");
  return 0;
}
