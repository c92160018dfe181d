// SPDX-License-Identifier: Apache-2.0
// Kernel names short enough to read: demangled, without return type and parameters, template
// arguments folded.
//
//   fold_kernel_name("void at::native::unrolled_kernel<4, Functor<float> >(int, Functor<float>)")
//     == "unrolled_kernel<…>"
//
// Folding can make two kernels look alike; fold_kernel_names() then keeps the first template
// argument word that tells them apart: "unrolled_kernel<…AddFunctor…>".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/style.h"

namespace rooflab::report {

// Demangled where it is an Itanium-ABI symbol, else as it is. Long hostile symbols are left alone.
[[nodiscard]] std::string demangle(std::string_view name);
[[nodiscard]] std::string fold_kernel_name(std::string_view name, const Style& style);
// One text a name, in order; printable. With style.full_names only demangled.
[[nodiscard]] std::vector<std::string> display_kernel_names(
    const std::vector<std::string_view>& names, const Style& style);

}  // namespace rooflab::report
