// SPDX-License-Identifier: Apache-2.0
// The records in rocprofv3's JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/builder.h"

namespace rooflab::importers::rocprofv3 {

// `text` is whole JSON (json::whole_text), and may be changed. False: it has no member
// "rocprofiler-sdk-tool".
[[nodiscard]] Result<bool> read_json(std::string& text, const std::string& path,
                                     model::Builder& builder);

}  // namespace rooflab::importers::rocprofv3
