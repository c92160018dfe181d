// SPDX-License-Identifier: Apache-2.0
// Programs of this machine that rooflab can ask for help, found as a shell would find them.
//
//   find_program("nsys") -> "/opt/nvidia/nsight-systems/bin/nsys", or empty
#pragma once

#include <string>

namespace rooflab::cli {

[[nodiscard]] std::string find_program(const std::string& name);

}  // namespace rooflab::cli
