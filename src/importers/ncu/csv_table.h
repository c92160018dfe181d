// SPDX-License-Identifier: Apache-2.0
// The rows of an Nsight Compute CSV page, whichever it is: found by the header's words, by column
// name. Long pages (details, --metrics) have a metric a row, the raw page a launch a row.
//
//   CsvTable table;
//   table.row(cells);      // header, units and data rows in file order; other lines are counted
//   table.finish();        // numbers, once the file has shown how it writes them
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importers/ncu/launches.h"
#include "importers/ncu/number.h"

namespace rooflab::importers::ncu {

class CsvTable {
 public:
  void row(const std::vector<std::string_view>& cells);
  void finish();
  [[nodiscard]] bool has_header() const { return header_cells_ > 0; }
  [[nodiscard]] const Launches& launches() const { return launches_; }
  [[nodiscard]] Counts counts() const;

 private:
  // Of a header: where each thing stands, or kNone.
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Columns {
    std::size_t id = kNone, process = kNone, kernel = kNone, block = kNone, grid = kNone;
    std::size_t device = kNone, capability = kNone, section = kNone, metric = kNone;
    std::size_t unit = kNone, value = kNone, rule = kNone, speedup = kNone;
  };
  struct MetricColumn {
    std::size_t column = 0;
    hw::CanonicalMetric metric;
    std::string name;
    std::optional<double> factor;  // of its unit; absent: the unit does not fit
  };
  struct Pending {
    hw::CanonicalMetric metric;
    std::uint32_t launch = 0;
    double factor = 1;
    BothWays number;
  };

  void header(const std::vector<std::string_view>& cells);
  void units(const std::vector<std::string_view>& cells);
  void wide_row(const std::vector<std::string_view>& cells);
  void long_row(const std::vector<std::string_view>& cells);
  std::uint32_t launch_of(const std::vector<std::string_view>& cells, bool fresh);
  void value(std::uint32_t launch, const hw::CanonicalMetric& metric, double factor,
             std::string_view text);
  void note_unknown(std::string_view name);

  Columns at_;
  std::size_t header_cells_ = 0;
  bool units_due_ = false;  // the row after a raw page's header
  std::vector<MetricColumn> metrics_;
  std::size_t device_name_ = kNone;
  std::map<std::pair<std::int64_t, std::string>, std::uint32_t> launch_of_id_;
  std::map<std::string, bool, std::less<>> unknown_;
  std::vector<Pending> pending_;
  Votes votes_;
  Launches launches_;
  Counts counts_;
};

// The cells are a header of such a page.
[[nodiscard]] bool is_header(const std::vector<std::string_view>& cells);

}  // namespace rooflab::importers::ncu
