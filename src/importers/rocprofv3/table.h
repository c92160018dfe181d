// SPDX-License-Identifier: Apache-2.0
// Which of rocprofv3's tables a CSV file is, by the names of its columns; the columns of a row by
// name. The tool adds and moves columns between releases, so nothing goes by position.
//
//   const Table table = table_of(header);      // kind kKernels
//   Fields f(table, csv.row());
//   f.number(Column::kStart);                   // nullopt: absent, empty, or no number
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rooflab::importers::rocprofv3 {

enum class TableKind : std::uint8_t {
  kNone,
  kKernels,      // kernel_trace
  kCopies,       // memory_copy_trace
  kCalls,        // hip_*, hsa_*, marker_*, rccl_*, … _api_trace
  kCounters,     // counter_collection
  kAllocations,  // memory_allocation_trace
  kAgents,       // agent_info
  kTotals,       // *_stats, *_summary: sums over calls, no trace
  kOther,        // a trace of something that the model does not hold
};

enum class Column : std::uint8_t {
  kAgent,
  kSourceAgent,
  kTargetAgent,
  kQueue,
  kProcess,
  kThread,
  kDispatch,
  kKernel,
  kCorrelation,
  kStart,
  kEnd,
  kLds,
  kVgprs,
  kAccumVgprs,
  kWorkgroup,
  kWorkgroupX,
  kWorkgroupY,
  kWorkgroupZ,
  kGrid,
  kGridX,
  kGridY,
  kGridZ,
  kDirection,
  kBytes,
  kDomain,
  kFunction,
  kCounterName,
  kCounterValue,
  kOperation,
  kAllocationSize,
  kAddress,
  kNode,
  kLogicalNode,
  kAgentType,
  kName,
  kProduct,
  kComputeUnits,
  kWaveSize,
  kCount,
};

struct Table {
  TableKind kind = TableKind::kNone;
  std::array<int, static_cast<std::size_t>(Column::kCount)> place{};  // -1 = no such column
  std::size_t columns = 0;
  [[nodiscard]] bool has(Column c) const { return place[static_cast<std::size_t>(c)] >= 0; }
};

[[nodiscard]] Table table_of(const std::vector<std::string_view>& header);
// A number that fills the text; "0x…" too.
[[nodiscard]] std::optional<std::int64_t> number_in(std::string_view text);
// "Agent 2", "GPU 0" and plain "2" name an agent.
[[nodiscard]] std::optional<std::int64_t> agent_in(std::string_view text);

class Fields {
 public:
  Fields(const Table& table, const std::vector<std::string_view>& row) : table_(table), row_(row) {}
  // Empty where the column or the field is missing.
  [[nodiscard]] std::string_view text(Column c) const {
    const int place = table_.place[static_cast<std::size_t>(c)];
    return place >= 0 && static_cast<std::size_t>(place) < row_.size()
               ? row_[static_cast<std::size_t>(place)]
               : std::string_view();
  }
  [[nodiscard]] std::optional<std::int64_t> number(Column c) const { return number_in(text(c)); }
  [[nodiscard]] std::int64_t number_or(Column c, std::int64_t otherwise) const {
    return number(c).value_or(otherwise);
  }
  [[nodiscard]] std::int64_t agent(Column c) const { return agent_in(text(c)).value_or(0); }

 private:
  const Table& table_;
  const std::vector<std::string_view>& row_;
};

// "out/908" of "out/908_kernel_trace.csv.gz"; empty if the name is none of rocprofv3's or has no
// prefix before the table.
[[nodiscard]] std::string recording_prefix(std::string_view path);

}  // namespace rooflab::importers::rocprofv3
