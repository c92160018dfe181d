// SPDX-License-Identifier: Apache-2.0
// Measured launches in tests: the value of one metric of one launch, and a profile made of text.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/io/byte_source.h"
#include "importers/importer.h"
#include "model/builder.h"

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

using Metrics = std::vector<std::pair<std::string, double>>;

// One kernel, launched and measured once on a device of 132 multiprocessors.
inline model::Profile measured_kernel(const Metrics& metrics, const std::string& name = "k(int)") {
  model::Builder builder("test");
  model::LaunchConfig config;
  config.grid = {1056, 1, 1};
  config.block = {256, 1, 1};
  const model::MeasuredId launch = builder.add(model::MeasuredRow{
      builder.intern(name), builder.device(0), builder.launch_config(config), 0, 1});
  for (const auto& [metric, value] : metrics) builder.add_metric(launch, metric, value);
  return std::move(builder).build();
}

}  // namespace rooflab::testing
