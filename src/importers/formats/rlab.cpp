// SPDX-License-Identifier: Apache-2.0
// rooflab's own run file, so that every verb reads a saved run like any trace.
#include "importers/importer.h"
#include "model/run_file.h"

namespace rooflab::importers {
namespace {

int sniff(const Probe& probe) { return probe.head.starts_with(model::kRunFileMagic) ? 100 : 0; }

Result<model::Profile> read(ByteSource& source, const std::string& path, const ImportOptions&) {
  return model::read_run(source, path);
}

}  // namespace

Importer importer_rlab() { return {"rlab", "rooflab run file", &sniff, &read}; }

}  // namespace rooflab::importers
