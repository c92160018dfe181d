// SPDX-License-Identifier: Apache-2.0
// The checks of `rooflab doctor` as a list: one line each, and how to get what is missing below it.
#pragma once

#include <string>

#include "report/style.h"
#include "report/table.h"

namespace rooflab::report {

// Takes the table of cli/doctor.h: what, state, gives, how to get it.
[[nodiscard]] std::string doctor_text(const Table& checks, const Style& style);

}  // namespace rooflab::report
