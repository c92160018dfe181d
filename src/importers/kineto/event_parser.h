// SPDX-License-Identifier: Apache-2.0
// Strict reading of one event: the fast path that nearly every event of nearly every file takes.
//
// It accepts only well-formed JSON (numbers a little leniently) and gives up at the first thing
// that is not: repair.h then mends the text and it is read again. Values of an unexpected type are
// stepped over, as if the field were absent.
#pragma once

#include "importers/kineto/event.h"

namespace rooflab::importers::kineto {

// `p` stands on '{'. The byte after the event, or nullptr if it is not well formed.
[[nodiscard]] const char* parse_event(const char* p, Event& event);

// Calls `use(key, value)` for the members of a raw object that parse_event accepted; both raw.
template <class Use>
void for_each_member(Text object, Use use);

// Whether `key` (without quotes) is a key of an event itself.
[[nodiscard]] bool is_event_key(std::string_view key);

}  // namespace rooflab::importers::kineto

#include "importers/kineto/scan.h"

namespace rooflab::importers::kineto {

template <class Use>
void for_each_member(Text object, Use use) {
  const char* p = skip_space(object.data);
  if (*p != '{') return;
  p = skip_space(p + 1);
  while (*p == '"') {
    std::uint8_t flags = 0;
    const char* const key = p + 1;
    const char* const key_end = scan_string(key, flags);
    if (key_end == nullptr) return;
    p = skip_space(key_end + 1);
    if (*p != ':') return;
    const char* const value = skip_space(p + 1);
    const char* const value_end = skip_value(value);
    if (value_end == nullptr) return;
    use(std::string_view(key, static_cast<std::size_t>(key_end - key)),
        std::string_view(value, static_cast<std::size_t>(value_end - value)));
    p = skip_space(value_end);
    if (*p != ',') return;
    p = skip_space(p + 1);
  }
}

}  // namespace rooflab::importers::kineto
