// SPDX-License-Identifier: Apache-2.0
// The verdict in one sentence: what the device waits for or is busy with, and how much.
#pragma once

#include <string>

#include "verdict/limit.h"

namespace rooflab::verdict {

[[nodiscard]] std::string sentence(const analysis::Analysis& analysis, const LimitShare& leader);

}  // namespace rooflab::verdict
