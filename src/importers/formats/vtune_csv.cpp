// SPDX-License-Identifier: Apache-2.0
// Tables that Intel VTune's command line prints (vtune -report hotspots|hw-events|callstacks|
// top-down -format csv, delimiter comma, tab, semicolon or bar), written after its documentation:
// no file of the tool itself was at hand. The parts are in importers/vtune/.
//
// Refuses text without a header that names functions, threads or lines and something counted.
//
//   Function,CPU Time,CPU Time:Effective Time,Module,Source File
//   parse,1.250,1.250,app,parse.cpp
#include "importers/importer.h"
#include "importers/lines.h"
#include "importers/vtune/rows.h"

namespace rooflab::importers {
namespace {

// Messages of the tool may stand before the table; more than these lines are another file.
constexpr int kLinesBefore = 200;

int sniff(const Probe& probe) {
  std::string_view text = probe.head;
  for (int i = 0; i < kLinesBefore && !text.empty(); ++i) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (vtune::parse_table_header(line)) return 80;
  }
  return 0;
}

Result<model::Profile> read(ByteSource& source, const std::string& path, const ImportOptions&) {
  model::Builder builder(path);
  LineReader lines(source);
  std::optional<vtune::Header> header;
  std::int64_t before = 0;
  while (!header && lines.next()) {
    header = vtune::parse_table_header(lines.line());
    if (!header && !lines.line().empty()) ++before;
  }
  RL_CHECK_OK(lines.status());
  if (!header) {
    return fail(ErrorCode::kUnreadable, "the text holds no table of functions", path,
                "print one: vtune -report hotspots -format csv -csv-delimiter comma -r RESULT");
  }
  vtune::Rows rows(builder, std::move(*header));
  while (lines.next()) rows.line(lines.line());
  RL_CHECK_OK(lines.status());
  rows.finish(path, before, lines.cut_lines(), source.truncated());
  if (rows.rows() == 0) {
    return fail(ErrorCode::kUnreadable, "the table has no rows", path,
                "was anything run while the recorder was on?");
  }
  return std::move(builder).build();
}

}  // namespace

Importer importer_vtune_csv() { return {"vtune_csv", "Intel VTune report (CSV)", &sniff, &read}; }

}  // namespace rooflab::importers
