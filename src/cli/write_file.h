// SPDX-License-Identifier: Apache-2.0
// Writing a result whole or not at all: to a temporary name beside the target, renamed at the end,
// removed on failure.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "report/export.h"

namespace rooflab::cli {

using Writer = std::function<bool(const report::Sink&)>;
[[nodiscard]] Result<void> write_file(const std::string& path, const Writer& writer);
[[nodiscard]] Result<void> write_stdout(const Writer& writer);

}  // namespace rooflab::cli
