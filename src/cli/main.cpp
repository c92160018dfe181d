// SPDX-License-Identifier: Apache-2.0
// Entry point of the rooflab binary.
#include <string>
#include <vector>

#include "base/huge_pages.h"
#include "cli/app.h"

int main(int argc, char** argv) {
  rooflab::use_huge_pages();
  return rooflab::cli::run_command_line(
      std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
}
