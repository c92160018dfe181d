// SPDX-License-Identifier: Apache-2.0
// The CSV tables of AMD's rocprofv3: kernel_trace, memory_copy_trace, the traces of HIP, HSA,
// marker and RCCL calls, counter_collection, memory_allocation_trace, agent_info. One file is one
// table; the files of one run share a prefix (PID_kernel_trace.csv, PID_hip_api_trace.csv …) and
// are read as one recording. The parts are in importers/rocprofv3/.
//
// Refuses totals (*_stats.csv: sums without times). Agents are numbered as the file numbers them.
//
//   "Kind","Agent_Id","Queue_Id","Thread_Id","Dispatch_Id","Kernel_Id","Kernel_Name",
//   "Correlation_Id","Start_Timestamp","End_Timestamp",…,"Workgroup_Size_X",…,"Grid_Size_X",…
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

#include "importers/importer.h"
#include "importers/rocprofv3/csv.h"
#include "importers/rocprofv3/derived.h"
#include "importers/rocprofv3/rows.h"
#include "importers/rocprofv3/table.h"
#include "model/builder.h"

namespace rooflab::importers {
namespace {

using rocprofv3::Column;
using rocprofv3::Fields;
using rocprofv3::Table;
using rocprofv3::TableKind;

Table table_in(std::string_view head) {
  const auto source = memory_source(head.substr(0, head.find('\n')));
  rocprofv3::Csv csv(*source);
  const Result<bool> any = csv.next();
  return any && *any ? rocprofv3::table_of(csv.row()) : Table{};
}

int sniff(const Probe& probe) {
  switch (table_in(probe.head).kind) {
    case TableKind::kNone:
      return 0;
    case TableKind::kTotals:
    case TableKind::kOther:
      return 40;  // a directory's other files are the ones to read
    default:
      return 95;
  }
}

std::string recording(const Probe& probe) {
  return sniff(probe) > 50 ? rocprofv3::recording_prefix(probe.path) : std::string();
}

class Reader {
 public:
  Reader(model::Builder& builder, const Table& table, const std::string& path)
      : builder_(builder), rows_(builder), derived_(builder), table_(table), path_(path) {}

  Result<void> run(rocprofv3::Csv& csv) {
    for (;;) {
      RL_TRY(const bool any, csv.next());
      if (!any) break;
      const bool cut = csv.row().size() < table_.columns && csv.ended_inside();
      if (cut) {
        ++truncated_;
      } else if (!add(Fields(table_, csv.row()))) {
        if (bad_ == 0) first_bad_ = csv.number();
        ++bad_;
      }
    }
    finish();
    return {};
  }

 private:
  bool add(const Fields& f) {
    switch (table_.kind) {
      case TableKind::kKernels:
        return add_kernel(f);
      case TableKind::kCopies:
        return add_copy(f);
      case TableKind::kCalls:
        return add_call(f);
      case TableKind::kCounters:
        return add_counter(f);
      case TableKind::kAllocations:
        return add_allocation(f);
      default:
        return add_agent(f);
    }
  }

  // Geometry, registers and memory of a dispatch. Counter files give products instead of axes.
  [[nodiscard]] rocprofv3::Dispatch dispatch(const Fields& f) const {
    rocprofv3::Dispatch d;
    d.device = f.agent(Column::kAgent);
    d.queue = rocprofv3::agent_in(f.text(Column::kQueue)).value_or(0);
    d.pid = f.number_or(Column::kProcess, -1);
    d.correlation = f.number_or(Column::kCorrelation, 0);
    d.kernel = f.text(Column::kKernel);
    if (table_.has(Column::kGridX)) {
      d.grid_items = {f.number_or(Column::kGridX, -1), f.number_or(Column::kGridY, -1),
                      f.number_or(Column::kGridZ, -1)};
      d.workgroup = {f.number_or(Column::kWorkgroupX, -1), f.number_or(Column::kWorkgroupY, -1),
                     f.number_or(Column::kWorkgroupZ, -1)};
    } else if (table_.has(Column::kGrid)) {
      d.grid_items = {f.number_or(Column::kGrid, -1), 1, 1};
      d.workgroup = {f.number_or(Column::kWorkgroup, -1), 1, 1};
    }
    d.vector_registers = f.number_or(Column::kVgprs, -1);
    d.accumulation_registers = f.number_or(Column::kAccumVgprs, -1);
    d.shared_bytes = f.number_or(Column::kLds, -1);
    return d;
  }

  bool add_kernel(const Fields& f) {
    const auto start = f.number(Column::kStart), end = f.number(Column::kEnd);
    if (!start || !end) return false;
    rocprofv3::Dispatch d = dispatch(f);
    d.start = *start;
    d.end = *end;
    rows_.add(d);
    return true;
  }

  bool add_copy(const Fields& f) {
    const auto start = f.number(Column::kStart), end = f.number(Column::kEnd);
    if (!start || !end) return false;
    rocprofv3::Copy c;
    c.direction = f.text(Column::kDirection);
    const std::int64_t from = f.agent(Column::kSourceAgent), to = f.agent(Column::kTargetAgent);
    c.device = c.direction.find("DEVICE_TO_HOST") != std::string_view::npos ? from : to;
    c.between_devices = from != to;
    c.correlation = f.number_or(Column::kCorrelation, 0);
    c.start = *start;
    c.end = *end;
    c.bytes = f.number_or(Column::kBytes, -1);
    rows_.add(c);
    return true;
  }

  bool add_call(const Fields& f) {
    const auto start = f.number(Column::kStart), end = f.number(Column::kEnd);
    if (!start || !end) return false;
    rows_.add(rocprofv3::Call{f.text(Column::kDomain), f.text(Column::kFunction),
                              f.number_or(Column::kProcess, 0), f.number_or(Column::kThread, 0),
                              f.number_or(Column::kCorrelation, 0), *start, *end});
    return true;
  }

  // One row a (dispatch, counter), the counters of a dispatch anywhere in the file.
  bool add_counter(const Fields& f) {
    const auto id = f.number(Column::kDispatch);
    const std::string text(f.text(Column::kCounterValue));
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (!id || text.empty() || end != text.c_str() + text.size()) return false;
    const rocprofv3::Dispatch d = dispatch(f);
    const auto [it, added] = measured_.try_emplace({d.pid, *id});
    if (added) {
      model::MeasuredRow row;
      row.name = builder_.intern(rocprofv3::kernel_name(d.kernel));
      row.device = builder_.device(d.device);
      row.config = rows_.config(d);
      row.order = *id;
      row.process = d.pid;
      it->second = builder_.add(row);
    }
    builder_.add_metric(it->second, f.text(Column::kCounterName), value);
    derived_.take(it->second, f.text(Column::kCounterName), value);
    return true;
  }

  bool add_allocation(const Fields& f) {
    const auto start = f.number(Column::kStart);
    if (!start) return false;
    const std::int64_t size = std::max(f.number_or(Column::kAllocationSize, 0), std::int64_t{0});
    const bool release = f.text(Column::kOperation).find("FREE") != std::string_view::npos;
    const auto agent = rocprofv3::agent_in(f.text(Column::kAgent));
    builder_.add_memory(*start, builder_.thread_track(f.number_or(Column::kProcess, 0), 0),
                        agent ? model::MemoryDevice::kDevice : model::MemoryDevice::kHost,
                        static_cast<std::int32_t>(agent.value_or(-1)), release ? -size : size,
                        static_cast<std::uint64_t>(f.number_or(Column::kAddress, 0)), -1, -1);
    return true;
  }

  bool add_agent(const Fields& f) {
    const auto node =
        f.number(table_.has(Column::kLogicalNode) ? Column::kLogicalNode : Column::kNode);
    if (!node) return false;
    if (f.text(Column::kAgentType) != "GPU" && f.text(Column::kAgentType) != "2") return true;
    rows_.describe(*node,
                   {f.text(Column::kProduct), f.text(Column::kName),
                    f.number_or(Column::kComputeUnits, -1), f.number_or(Column::kWaveSize, -1)});
    return true;
  }

  void finish() {
    const bool device_rows =
        table_.kind == TableKind::kKernels || table_.kind == TableKind::kCopies;
    const model::Claim missing = device_rows ? model::Claim::kCoverage : model::Claim::kNothing;
    builder_.hygiene().add("truncated_input", path_, truncated_,
                           "the file ends inside a row; what stood after it is missing", missing);
    builder_.hygiene().add("unreadable_row", path_, bad_,
                           "rows without a readable number where one belongs were left out, the "
                           "first in row " +
                               std::to_string(first_bad_),
                           missing);
    derived_.finish();
    rows_.finish();
    builder_.profile().provenance.importer = "rocprofv3_csv";
    if (table_.kind == TableKind::kAllocations)
      builder_.profile().provenance.memory_recorded = true;
  }

  model::Builder& builder_;
  rocprofv3::Rows rows_;
  rocprofv3::Derived derived_;
  const Table& table_;
  const std::string& path_;
  std::map<std::pair<std::int64_t, std::int64_t>, model::MeasuredId> measured_;
  std::int64_t truncated_ = 0, bad_ = 0, first_bad_ = 0;
};

Result<model::Profile> read(ByteSource& source, const std::string& path, const ImportOptions&) {
  rocprofv3::Csv csv(source);
  RL_TRY(const bool any, csv.next());
  const Table table = any ? rocprofv3::table_of(csv.row()) : Table{};
  if (table.kind == TableKind::kNone) {
    return fail(ErrorCode::kUnreadable, "the first row does not name the columns of a trace", path,
                "rooflab reads the tables that `rocprofv3 --output-format csv` writes");
  }
  if (table.kind == TableKind::kTotals || table.kind == TableKind::kOther) {
    return fail(ErrorCode::kUnreadable,
                table.kind == TableKind::kTotals
                    ? "this table of rocprofv3 holds totals, and no time at which anything ran"
                    : "this table of rocprofv3 holds nothing that rooflab analyses",
                path, "name the *_kernel_trace.csv and *_api_trace.csv that lie beside it");
  }
  model::Builder builder(path);
  RL_CHECK_OK(Reader(builder, table, path).run(csv));
  if (source.truncated()) {
    builder.hygiene().add("damaged_compression", path, 1,
                          "the input " + std::string(source.damage()) + "; the rest is missing",
                          model::Claim::kCoverage);
  }
  return std::move(builder).build();
}

}  // namespace

Importer importer_rocprofv3_csv() {
  return {"rocprofv3_csv", "AMD rocprofv3 CSV", &sniff, &read, &recording};
}

}  // namespace rooflab::importers
