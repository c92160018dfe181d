// SPDX-License-Identifier: Apache-2.0
// What changes can reach in practice, from data/ceilings/*.json: each a range with unit and source.
// `low` is the value under which a change gains least, not the smaller number.
//
//   hw::ceiling("graph_launch_ns").likely
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace rooflab::hw {

struct Ceiling {
  std::string name, unit, what, source, date;
  double low = 0, likely = 0, high = 0;
};

// One file. Refuses (Error): no {"ceilings": [...]} of that shape, a value that is not positive and
// finite, values that are not in one order, no unit, source or date.
[[nodiscard]] Result<std::vector<Ceiling>> parse_ceilings(std::string_view json,
                                                          std::string_view path);
// A shipped one. Asking for a name that no file has is our bug.
[[nodiscard]] const Ceiling& ceiling(std::string_view name);
[[nodiscard]] const std::vector<Ceiling>& all_ceilings();

}  // namespace rooflab::hw
