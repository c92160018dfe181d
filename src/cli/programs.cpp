// SPDX-License-Identifier: Apache-2.0
#include "cli/programs.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace rooflab::cli {

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string candidate = std::string(rest.substr(0, colon)) + "/" + name;
    if (colon > 0 && access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return {};
}

}  // namespace rooflab::cli
