// SPDX-License-Identifier: Apache-2.0
// What to look at for an owner of the window that no finding explains, from data/advice.
//
//   advice_for("idle.starved.range:augment")  ->  "the launching thread runs this range ..."
#pragma once

#include <string>
#include <string_view>

namespace rooflab::report {

// By the longest branch that holds the owner; empty where none does.
[[nodiscard]] std::string advice_for(std::string_view owner);

}  // namespace rooflab::report
