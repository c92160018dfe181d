// SPDX-License-Identifier: Apache-2.0
// Measured launches in tests: the value of one metric of one launch, and a profile made of text.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "base/io/byte_source.h"
#include "importers/importer.h"

namespace rooflab::importers {
Importer importer_ncu_csv();
Importer importer_ncu_rep();
}  // namespace rooflab::importers

namespace rooflab::testing {

// NaN where the launch has no such value.
inline double metric_of(const model::Profile& p, std::size_t launch, std::string_view metric) {
  for (std::size_t i = 0; i < p.metrics.size(); ++i) {
    if (p.metrics.launch[i].row == launch && p.text(p.metrics.metric[i]) == metric)
      return p.metrics.value[i];
  }
  return std::numeric_limits<double>::quiet_NaN();
}

inline Result<model::Profile> import_with(const importers::Importer& importer,
                                          std::string_view text) {
  const std::unique_ptr<ByteSource> source = memory_source(text);
  return importer.read(*source, "test", importers::ImportOptions{});
}

inline Result<model::Profile> import_ncu_csv(std::string_view text) {
  return import_with(importers::importer_ncu_csv(), text);
}
inline Result<model::Profile> import_ncu_rep(std::string_view text) {
  return import_with(importers::importer_ncu_rep(), text);
}

}  // namespace rooflab::testing
