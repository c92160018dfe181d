// SPDX-License-Identifier: Apache-2.0
// The wide counter tables of AMD's rocprof-compute (Omniperf): pmc_perf.csv and its kin, one row a
// dispatch, one column a counter. Rows become measured launches; vendor-neutral figures are derived
// (importers/rocprofv3/derived.h).
//
// Counters of one channel ("TCC_HIT[3]") are left out: their sums are columns too. Times never
// become device work, since dispatches were run again for each set of counters; where the table
// was rewritten with six digits (8.1097E+14) they are lost, and durations are unknown. Refuses
// nothing of its kind.
//
//   Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size,…,Arch_VGPR,…,SQ_WAVES,…
#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "importers/importer.h"
#include "importers/rocprofv3/csv.h"
#include "importers/rocprofv3/derived.h"
#include "importers/rocprofv3/rows.h"
#include "importers/rocprofv3/table.h"
#include "model/builder.h"

namespace rooflab::importers {
namespace {

using Row = std::vector<std::string_view>;

// Columns that say what ran, not what was counted.
constexpr std::array<std::string_view, 29> kDescribing{"Dispatch_ID",
                                                       "Kernel_Name",
                                                       "GPU_ID",
                                                       "queue-id",
                                                       "queue-index",
                                                       "Queue_ID",
                                                       "pid",
                                                       "PID",
                                                       "tid",
                                                       "TID",
                                                       "Grid_Size",
                                                       "Workgroup_Size",
                                                       "LDS_Per_Workgroup",
                                                       "Scratch_Per_Workitem",
                                                       "Arch_VGPR",
                                                       "Accum_VGPR",
                                                       "SGPR",
                                                       "wave_size",
                                                       "Wave_Size",
                                                       "sig",
                                                       "obj",
                                                       "Correlation_ID",
                                                       "XCC_Index",
                                                       "DispatchNs",
                                                       "CompleteNs",
                                                       "BeginNs",
                                                       "EndNs",
                                                       "Start_Timestamp",
                                                       "End_Timestamp"};

std::size_t place_of(const Row& header, std::string_view name) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

bool is_table(const Row& header) {
  const auto has = [&](std::string_view name) { return place_of(header, name) < header.size(); };
  return has("Dispatch_ID") && has("Kernel_Name") && has("GPU_ID") && has("Arch_VGPR");
}

// The tool joins several tables and numbers columns of one name: "Wave_Size_1",
// "Correlation_ID_12".
bool describes(std::string_view column) {
  const std::size_t underline = column.find_last_of('_');
  if (underline != std::string_view::npos &&
      column.find_first_not_of("0123456789", underline + 1) == std::string_view::npos &&
      underline + 1 < column.size() &&
      std::find(kDescribing.begin(), kDescribing.end(), column.substr(0, underline)) !=
          kDescribing.end())
    return true;
  return std::find(kDescribing.begin(), kDescribing.end(), column) != kDescribing.end();
}

// Compilers and tools mark a kernel's descriptor in different ways.
std::string_view plain_name(std::string_view name) {
  for (const std::string_view mark : {" [clone .kd]", " (.kd)", ".kd"}) {
    if (name.ends_with(mark)) name.remove_suffix(mark.size());
  }
  return name;
}

bool real(std::string_view field, double& out) {
  const std::string text(field);
  char* end = nullptr;
  out = std::strtod(text.c_str(), &end);
  return !text.empty() && end == text.c_str() + text.size();
}

class Reader {
 public:
  Reader(model::Builder& builder, const Row& header, const std::string& path)
      : builder_(builder), rows_(builder), derived_(builder), path_(path) {
    for (const std::string_view column : header) columns_.emplace_back(column);
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (header[i].find('[') != std::string_view::npos) {
        ++channels_;
      } else if (!describes(header[i])) {
        counters_.push_back(i);
      }
    }
  }

  Result<void> run(rocprofv3::Csv& csv) {
    for (;;) {
      RL_TRY(const bool any, csv.next());
      if (!any) break;
      if (csv.row().size() < columns_.size()) {
        (csv.ended_inside() ? truncated_ : short_) += 1;
      } else {
        add(csv.row());
      }
    }
    finish();
    return {};
  }

 private:
  [[nodiscard]] std::string_view text(const Row& row, std::string_view column) const {
    const auto it = std::find(columns_.begin(), columns_.end(), column);
    return it == columns_.end() ? std::string_view()
                                : row[static_cast<std::size_t>(it - columns_.begin())];
  }
  [[nodiscard]] std::int64_t number(const Row& row, std::string_view column,
                                    std::int64_t otherwise) const {
    return rocprofv3::number_in(text(row, column)).value_or(otherwise);
  }

  void add(const Row& row) {
    rocprofv3::Dispatch d;
    d.grid_items = {number(row, "Grid_Size", -1), 1, 1};  // products: the axes are not recorded
    d.workgroup = {number(row, "Workgroup_Size", -1), 1, 1};
    d.vector_registers = number(row, "Arch_VGPR", -1);
    d.accumulation_registers = number(row, "Accum_VGPR", -1);
    d.shared_bytes = number(row, "LDS_Per_Workgroup", -1);
    model::MeasuredRow measured;
    measured.name = builder_.intern(rocprofv3::kernel_name(plain_name(text(row, "Kernel_Name"))));
    measured.device = builder_.device(number(row, "GPU_ID", 0));
    measured.config = rows_.config(d);
    measured.order = number(row, "Dispatch_ID", -1);
    measured.process = number(row, "pid", number(row, "PID", -1));
    const model::MeasuredId id = builder_.add(measured);
    for (const std::size_t column : counters_) {
      double value = 0;
      if (!real(row[column], value)) {
        ++unreadable_;
        continue;
      }
      builder_.add_metric(id, columns_[column], value);
      derived_.take(id, columns_[column], value);
    }
    // Written again by a spreadsheet's rules, a time has lost its last nine digits.
    if (text(row, "Start_Timestamp").find('E') != std::string_view::npos) ++lost_times_;
  }

  void finish() {
    model::Hygiene& h = builder_.hygiene();
    h.add("truncated_input", path_, truncated_, "the file ends inside a row; that row is missing");
    h.add("unreadable_row", path_, short_, "rows with too few fields were left out");
    h.add("unreadable_value", path_, unreadable_,
          "fields of counters that are no numbers; they are taken as not measured");
    h.add("channel_counters", path_, channels_,
          "columns of single channels were left out; their sums are there");
    h.add("lost_timestamps", path_, lost_times_,
          "times were rounded to six digits when the table was written: durations are unknown");
    derived_.finish();
    rows_.finish();
    builder_.profile().provenance.tool = "rocprof-compute";
    builder_.profile().provenance.importer = "rocprof_compute";
  }

  model::Builder& builder_;
  rocprofv3::Rows rows_;
  rocprofv3::Derived derived_;
  const std::string& path_;
  std::vector<std::string> columns_;
  std::vector<std::size_t> counters_;
  std::int64_t channels_ = 0, truncated_ = 0, short_ = 0, unreadable_ = 0, lost_times_ = 0;
};

int sniff(const Probe& probe) {
  if (!probe.head.starts_with("Dispatch_ID,") && probe.head.find("Dispatch_ID,") > 8) return 0;
  const auto source = memory_source(probe.head.substr(0, probe.head.find('\n')));
  rocprofv3::Csv csv(*source);
  const Result<bool> any = csv.next();
  return any && *any && is_table(csv.row()) ? 90 : 0;
}

Result<model::Profile> read(ByteSource& source, const std::string& path, const ImportOptions&) {
  rocprofv3::Csv csv(source);
  RL_TRY(const bool any, csv.next());
  if (!any || !is_table(csv.row())) {
    return fail(ErrorCode::kUnreadable,
                "the first row does not name the columns of a counter table", path,
                "rooflab reads the pmc_perf.csv that rocprof-compute writes");
  }
  model::Builder builder(path);
  RL_CHECK_OK(Reader(builder, csv.row(), path).run(csv));
  return std::move(builder).build();
}

}  // namespace

Importer importer_rocprof_compute() {
  return {"rocprof_compute", "AMD rocprof-compute counter table", &sniff, &read};
}

}  // namespace rooflab::importers
