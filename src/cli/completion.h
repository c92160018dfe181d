// SPDX-License-Identifier: Apache-2.0
// Shell completion for verbs, options and the values of options that have a list.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace rooflab::cli {

[[nodiscard]] std::string completion_script(const std::string& shell, const CLI::App& app);

}  // namespace rooflab::cli
