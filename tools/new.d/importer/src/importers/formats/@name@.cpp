// SPDX-License-Identifier: Apache-2.0
// TO WRITE: which program writes this format, in which versions; what is refused; the first lines of one.
#include "importers/importer.h"

namespace rooflab::importers {
namespace {

// Looks at content, never at the file's name. 0: not this format; 100: certain.
int sniff(const Probe& /*probe*/) { return 0; }

Result<model::Profile> read(ByteSource& /*source*/, const std::string& path,
                            const ImportOptions& /*options*/) {
  return fail(ErrorCode::kUnavailable, "the importer @name@ is still to be written", path);
}

}  // namespace

Importer importer_@name@() {
  return {"@name@", "TO WRITE: the format's name", &sniff, &read};
}

}  // namespace rooflab::importers
