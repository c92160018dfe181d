// SPDX-License-Identifier: Apache-2.0
// A JSON document that is small enough to be read as one: its text, whole even where the file was
// cut off, and its values.
//
// Refuses more than 4 GB, which simdjson cannot address, and text that no bracket closes. What was
// mended is counted in `hygiene`: truncated_input, invalid_utf8.
#pragma once

#include <simdjson.h>

#include <string>

#include "base/io/byte_source.h"
#include "base/result.h"
#include "model/hygiene.h"

namespace rooflab::importers::json {

[[nodiscard]] Result<std::string> whole_text(ByteSource& source, const std::string& path,
                                             model::Hygiene& hygiene);
// Parses such a text. The whole is checked before any of it is used: simdjson's on-demand reader
// would be faster, but is not safe to go on with behind damage. `text` must outlive nothing:
// strings live in the parser.
[[nodiscard]] Result<simdjson::dom::element> parse(simdjson::dom::parser& parser, std::string& text,
                                                   const std::string& path,
                                                   model::Hygiene& hygiene);

}  // namespace rooflab::importers::json
