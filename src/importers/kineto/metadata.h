// SPDX-License-Identifier: Apache-2.0
// The members of the trace file around its events: device properties, rank, versions, time base.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "importers/kineto/notes.h"
#include "model/profile.h"

namespace rooflab::importers::kineto {

using HeaderFields = std::vector<std::pair<std::string, std::string>>;

// Fills devices (those that work ran on), rank and provenance. A member that cannot be read is
// noted and skipped. `time_offset`: what was taken off every time (merge.h). `call_vendor`: whose
// runtime the recorded calls belong to, for devices that the file does not describe.
void apply_header(const HeaderFields& header, std::int64_t time_offset, model::Vendor call_vendor,
                  model::Profile& profile, Notes& notes);

}  // namespace rooflab::importers::kineto
