// SPDX-License-Identifier: Apache-2.0
// The events of XLA's Chrome trace as rows. Times are microseconds printed from doubles
// (20482.245999999999): they are rounded at the picosecond, and both ends then to the nanosecond as
// an XPlane's are, so that both files of one recording say the same.
#pragma once

#include <string>

#include "base/result.h"
#include "model/builder.h"

namespace rooflab::importers::xla {

// `text` is whole JSON (json::whole_text), and may be changed. False: it has no "traceEvents".
[[nodiscard]] Result<bool> read_trace(std::string& text, const std::string& path,
                                      model::Builder& builder);

}  // namespace rooflab::importers::xla
