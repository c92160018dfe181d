// SPDX-License-Identifier: Apache-2.0
// One spelling for a kernel's name: recorders differ in return types, parameter lists, spaces and
// casts of template arguments.
//
//   kernel_key("void mm_tiled<(int)32>(const float *, float *)") == "mm_tiled<32>"
//   kernel_base("void mm_tiled<(int)32>(const float *, float *)") == "mm_tiled"
//
// Names that are still mangled are left alone.
#pragma once

#include <string>
#include <string_view>

namespace rooflab::model {

// Without return type, parameter list, spaces and casts.
[[nodiscard]] std::string kernel_key(std::string_view name);
// The function's own name: without namespaces and template arguments too.
[[nodiscard]] std::string kernel_base(std::string_view name);

}  // namespace rooflab::model
