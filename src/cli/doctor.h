// SPDX-License-Identifier: Apache-2.0
// What this machine can do for rooflab: processors, memory, and every library, tool and kernel
// setting that data/doctor.json names, each with what it gives and how to get it. Nothing is
// changed and no device is opened.
#pragma once

#include "report/table.h"

namespace rooflab::cli {

// Columns: what, state ("yes", "no", a value), gives, enable.
[[nodiscard]] report::Table examine_machine();

}  // namespace rooflab::cli
