// SPDX-License-Identifier: Apache-2.0
// Shell completion for verbs, options and the values of options that have a list.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace rooflab::cli {

// The values of options and arguments that take one of a list.
using Choices = std::map<const CLI::Option*, std::vector<std::string>>;
[[nodiscard]] std::string completion_script(const std::string& shell, const CLI::App& app,
                                            const Choices& choices);

}  // namespace rooflab::cli
