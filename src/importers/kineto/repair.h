// SPDX-License-Identifier: Apache-2.0
// The tolerant path: turns one damaged event into valid JSON, counting what it mended.
//
// Kineto has written all of these: quotes, backslashes, newlines and control characters unescaped
// in names, bare NaN, inf and N/A, trailing commas. A quote closes a string only where what follows
// it looks like JSON again ("..., "key":" or a closing bracket); everything else is content.
//
//   {"name": "C:\new "x"", "v": NaN,}  ->  {"name": "C:\new \"x\"", "v": null}
#pragma once

#include <string>
#include <string_view>

#include "importers/kineto/notes.h"

namespace rooflab::importers::kineto {

// Where the next event seems to begin at or after `from`: a '{' that is no member's value and is
// followed by one of an event's keys and a colon. `end` if nowhere.
[[nodiscard]] const char* find_event_start(const char* begin, const char* from, const char* end);

struct Repair {
  std::string json;      // valid JSON, zero-padded for scanning
  std::size_t used = 0;  // bytes of the input it stands for
  bool ok = false;
  Notes notes;  // what was mended
};
// Repairs the object that `damaged` starts with. With `close_open`, brackets that are missing at
// the end are added.
[[nodiscard]] Repair repair_object(std::string_view damaged, bool close_open);

// Whether a fragment that could not be read may have been device work: it names a device category,
// or none that is known to belong to the host.
[[nodiscard]] bool may_be_device_work(std::string_view fragment);

}  // namespace rooflab::importers::kineto
