// SPDX-License-Identifier: Apache-2.0
// The name of a change with its arguments, as a rule proposes it and `whatif --change` reads it.
//
//   {"loader-workers", {"4"}}
#pragma once

#include <string>
#include <vector>

namespace rooflab::graph {

struct ChangeCall {
  std::string name;
  std::vector<std::string> arguments;
  bool operator==(const ChangeCall&) const = default;
};

}  // namespace rooflab::graph
