// SPDX-License-Identifier: Apache-2.0
// Nsight Compute's CSV: `ncu --csv --page raw | details` and `ncu --csv --metrics ...`, with the
// tool's own lines and the program's output before and between the rows. The parts are in
// importers/ncu/.
//
// Refuses text without a header of such a page, or without a launch below it. Values become base
// units under canonical names (data/counters); times stay counters and are no device work.
//
//   "ID","Process ID",…,"Kernel Name",…,"Block Size","Grid
//   Size","Device","CC","gpu__time_duration.sum"
//   "","",…,"ms"
//   "0","860",…,"mm(const float *)",…,"(32, 32, 1)","(128, 128, 1)","0","9.0","275.91"
#include "importers/importer.h"
#include "importers/ncu/csv_records.h"
#include "importers/ncu/csv_table.h"

namespace rooflab::importers {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

int sniff(const Probe& probe) {
  const std::string_view head = probe.head;
  const bool header = contains(head, "\"ID\",\"Process ID\"") || contains(head, "ID,Process ID,");
  if (header && contains(head, "Kernel Name")) return 97;
  // The program's output may be longer than the head.
  return contains(head.substr(0, 4096), "==PROF== ") ? 55 : 0;
}

Error no_launch(const std::string& path, bool header, bool forbidden) {
  if (forbidden) {
    return {ErrorCode::kUnreadable, "the profiler was not allowed to read counters", path,
            "ERR_NVGPUCTRPERM: ask the machine's owner to allow them (NVIDIA's page of that name), "
            "or record a timeline, which needs no counters"};
  }
  return {ErrorCode::kUnreadable,
          header ? "the page holds no kernel launch" : "there is no header of a CSV page", path,
          "export with: ncu --import FILE --csv --page raw"};
}

Result<model::Profile> read(ByteSource& source, const std::string& path,
                            const ImportOptions& /*options*/) {
  ncu::CsvRecords records(source);
  ncu::CsvTable table;
  std::vector<std::string_view> cells;
  bool forbidden = false;
  bool first = true;
  while (true) {
    RL_TRY(const bool more, records.next(cells));
    if (!more) break;
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (first && !cells.empty() && cells[0].starts_with(kByteOrderMark))
      cells[0].remove_prefix(kByteOrderMark.size());
    if (first && !cells.empty() && cells[0] == "\"ID\"") cells[0] = "ID";  // the mark hid the quote
    first = false;
    forbidden = forbidden || contains(records.line(), "ERR_NVGPUCTRPERM");
    table.row(cells);
  }
  table.finish();
  if (table.launches().size() == 0) {
    return tl::unexpected<Error>(no_launch(path, table.has_header(), forbidden));
  }
  model::Builder builder(path);
  table.launches().build(builder);
  ncu::Counts counts = table.counts();
  counts.damaged = records.damaged();
  counts.truncated = records.cut() || source.truncated() ? 1 : 0;
  ncu::report(counts, path, builder.hygiene());
  builder.profile().provenance.importer = "ncu_csv";
  builder.profile().provenance.tool = "Nsight Compute";
  return std::move(builder).build();
}

}  // namespace

Importer importer_ncu_csv() {
  return {"ncu_csv", "Nsight Compute CSV (raw, details or --metrics)", &sniff, &read};
}

}  // namespace rooflab::importers
