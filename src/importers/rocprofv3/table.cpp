// SPDX-License-Identifier: Apache-2.0
#include "importers/rocprofv3/table.h"

#include <algorithm>
#include <charconv>

namespace rooflab::importers::rocprofv3 {
namespace {

struct Named {
  std::string_view name;
  Column column;
};

// Release 6.2 to 7.1; where releases differ, both names.
constexpr std::array kColumns{
    Named{"Agent_Id", Column::kAgent},
    Named{"Source_Agent_Id", Column::kSourceAgent},
    Named{"Destination_Agent_Id", Column::kTargetAgent},
    Named{"Queue_Id", Column::kQueue},
    Named{"Process_Id", Column::kProcess},
    Named{"Thread_Id", Column::kThread},
    Named{"Dispatch_Id", Column::kDispatch},
    Named{"Kernel_Name", Column::kKernel},
    Named{"Correlation_Id", Column::kCorrelation},
    Named{"Start_Timestamp", Column::kStart},
    Named{"End_Timestamp", Column::kEnd},
    Named{"LDS_Block_Size", Column::kLds},
    Named{"Group_Segment_Size", Column::kLds},
    Named{"VGPR_Count", Column::kVgprs},
    Named{"Accum_VGPR_Count", Column::kAccumVgprs},
    Named{"Workgroup_Size", Column::kWorkgroup},
    Named{"Workgroup_Size_X", Column::kWorkgroupX},
    Named{"Workgroup_Size_Y", Column::kWorkgroupY},
    Named{"Workgroup_Size_Z", Column::kWorkgroupZ},
    Named{"Grid_Size", Column::kGrid},
    Named{"Grid_Size_X", Column::kGridX},
    Named{"Grid_Size_Y", Column::kGridY},
    Named{"Grid_Size_Z", Column::kGridZ},
    Named{"Direction", Column::kDirection},
    Named{"Size", Column::kBytes},
    Named{"Bytes", Column::kBytes},
    Named{"Domain", Column::kDomain},
    Named{"Function", Column::kFunction},
    Named{"Counter_Name", Column::kCounterName},
    Named{"Counter_Value", Column::kCounterValue},
    Named{"Operation", Column::kOperation},
    Named{"Allocation_Size", Column::kAllocationSize},
    Named{"Address", Column::kAddress},
    Named{"Node_Id", Column::kNode},
    Named{"Logical_Node_Id", Column::kLogicalNode},
    Named{"Agent_Type", Column::kAgentType},
    Named{"Name", Column::kName},
    Named{"Product_Name", Column::kProduct},
    Named{"Cu_Count", Column::kComputeUnits},
    Named{"Wave_Front_Size", Column::kWaveSize},
};

TableKind kind_of(const Table& t, const std::vector<std::string_view>& header) {
  const auto named = [&](std::string_view name) {
    return std::find(header.begin(), header.end(), name) != header.end();
  };
  if (t.has(Column::kCounterName) && t.has(Column::kCounterValue) && t.has(Column::kKernel))
    return TableKind::kCounters;
  if (t.has(Column::kAgentType) && t.has(Column::kNode)) return TableKind::kAgents;
  if (named("TotalDurationNs") && named("Calls")) return TableKind::kTotals;
  if (!t.has(Column::kStart) || !t.has(Column::kEnd)) return TableKind::kNone;
  if (t.has(Column::kKernel) && t.has(Column::kDispatch)) return TableKind::kKernels;
  if (t.has(Column::kDirection) && t.has(Column::kSourceAgent)) return TableKind::kCopies;
  if (t.has(Column::kFunction) && t.has(Column::kDomain)) return TableKind::kCalls;
  if (t.has(Column::kOperation) && t.has(Column::kAllocationSize)) return TableKind::kAllocations;
  if (named("Kind") && t.has(Column::kOperation)) return TableKind::kOther;
  return TableKind::kNone;
}

}  // namespace

Table table_of(const std::vector<std::string_view>& header) {
  Table table;
  table.place.fill(-1);
  table.columns = header.size();
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto it = std::find_if(kColumns.begin(), kColumns.end(),
                                 [&](const Named& named) { return named.name == header[i]; });
    if (it == kColumns.end()) continue;
    int& place = table.place[static_cast<std::size_t>(it->column)];
    if (place < 0) place = static_cast<int>(i);
  }
  table.kind = kind_of(table, header);
  return table;
}

std::optional<std::int64_t> number_in(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  if (hex) {
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return static_cast<std::int64_t>(bits);
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> agent_in(std::string_view text) {
  return number_in(text.substr(text.find_last_of(' ') + 1));
}

std::string recording_prefix(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  if (!path.ends_with(".csv")) return {};
  path.remove_suffix(4);
  constexpr std::array<std::string_view, 14> kTables{
      "kernel_trace",        "memory_copy_trace", "memory_allocation_trace", "scratch_memory_trace",
      "hip_api_trace",       "hip_runtime_trace", "hip_compile_trace",       "hip_compiler_trace",
      "hsa_api_trace",       "marker_api_trace",  "rccl_api_trace",          "counter_collection",
      "rocdecode_api_trace", "agent_info"};
  for (const std::string_view table : kTables) {
    if (!path.ends_with(table)) continue;
    path.remove_suffix(table.size());
    if (!path.ends_with('_')) return {};
    path.remove_suffix(1);
    const std::string_view name = path.substr(path.find_last_of('/') + 1);
    return name.empty() ? std::string() : std::string(path);
  }
  return {};
}

}  // namespace rooflab::importers::rocprofv3
