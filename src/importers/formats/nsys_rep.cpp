// SPDX-License-Identifier: Apache-2.0
// A report of Nsight Systems as it was recorded (.nsys-rep, .qdrep): a closed format, which only
// nsys itself reads. With nsys on PATH it is exported to a temporary database and read from there;
// without, the error says how to export it.
//
// The format has no published mark to know it by. So a name with the tool's own ending is asked
// for, and content that is no text; anything that another importer knows is never taken.
#include "importers/importer.h"
#include "importers/nsys/export_report.h"
#include "importers/nsys/reader.h"

namespace rooflab::importers {
namespace {

bool is_binary(std::string_view head) { return head.find('\0') != std::string_view::npos; }

int sniff(const Probe& probe) {
  const bool named = probe.path.ends_with(".nsys-rep") || probe.path.ends_with(".qdrep");
  const bool database = probe.head.starts_with(nsys::kSqliteMagic);
  return named && !database && is_binary(probe.head) ? 2 : 0;
}

Result<model::Profile> read(ByteSource&, const std::string& path, const ImportOptions& options) {
  if (options.nsys.empty()) {
    return fail(ErrorCode::kUnreadable,
                "this looks like a report of Nsight Systems, a closed format that only nsys reads",
                path,
                "export it where nsys is installed: nsys export --type sqlite --output NAME.sqlite "
                "NAME.nsys-rep; with nsys on PATH, rooflab does so itself");
  }
  RL_TRY(const nsys::ExportedReport exported, nsys::ExportedReport::make(options.nsys, path));
  RL_TRY(nsys::Database database, nsys::Database::open_file(exported.database()));
  return nsys::read_database(std::move(database), path);
}

}  // namespace

Importer importer_nsys_rep() {
  return {"nsys_rep", "Nsight Systems report (with nsys on PATH)", &sniff, &read};
}

}  // namespace rooflab::importers
