// SPDX-License-Identifier: Apache-2.0
// An Nsight Systems report exported with `nsys export --type sqlite`: all generations of the schema
// (2020 to 2026), found by the tables that are there. The parts are in importers/nsys/.
//
// Refuses databases of other programs, stdin and compressed files: SQLite reads the file in place.
// Times stay nanoseconds since the session's start, which provenance.epoch_ns gives.
#include "importers/importer.h"
#include "importers/nsys/reader.h"

namespace rooflab::importers {
namespace {

// The list of tables stands in the first pages; other programs' databases name none of these.
int sniff(const Probe& probe) {
  if (!probe.head.starts_with(nsys::kSqliteMagic)) return 0;
  for (const std::string_view table :
       {"StringIds", "CUPTI_ACTIVITY_KIND_", "TARGET_INFO_", "NVTX_EVENTS", "ENUM_NSYS_"}) {
    if (probe.head.find(table) != std::string_view::npos) return 90;
  }
  return 20;  // some database: read() says what is missing
}

Result<model::Profile> read(ByteSource&, const std::string& path, const ImportOptions&) {
  RL_TRY(nsys::Database database, nsys::Database::open_file(path));
  return nsys::read_database(std::move(database), path);
}

}  // namespace

Importer importer_nsys_sqlite() {
  return {"nsys_sqlite", "Nsight Systems SQLite export", &sniff, &read};
}

}  // namespace rooflab::importers
