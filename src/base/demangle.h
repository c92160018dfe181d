// SPDX-License-Identifier: Apache-2.0
// C++ symbols as people write them: "_ZN3app5Model3runEv" -> "app::Model::run()". What is no
// mangled symbol, or one that would expand without bounds, comes back as it is.
#pragma once

#include <string>
#include <string_view>

namespace rooflab {

[[nodiscard]] std::string demangle(std::string_view name);

}  // namespace rooflab
