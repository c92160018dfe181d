// SPDX-License-Identifier: Apache-2.0
// Reads an XSpace (the planes, lines and events of an .xplane.pb) off the wire into rows.
//
// Times: a line has a start in nanoseconds, an event an offset and a duration in picoseconds; both
// ends are rounded to nanoseconds, so that what touches still touches. Lines count from the start
// of the recording, or from 1970 in older files; then the earliest whole millisecond becomes time
// 0. What is nested in what is fixed (space, plane, line, event, value), so nothing recurses.
#pragma once

#include <string>
#include <string_view>

#include "model/builder.h"

namespace rooflab::importers::xla {

// False: these bytes hold no plane.
[[nodiscard]] bool read_xspace(std::string_view bytes, const std::string& path,
                               model::Builder& builder);
// Whether bytes begin like an XSpace: a first plane with one of the names that planes have.
[[nodiscard]] bool begins_like_xspace(std::string_view head);

}  // namespace rooflab::importers::xla
