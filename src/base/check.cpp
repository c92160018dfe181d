// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace rooflab {

void check_failed(const char* file, int line, const char* condition, const char* why) {
  std::fprintf(stderr, "rooflab: bug at %s:%d: %s does not hold (%s). Please report it.\n", file,
               line, condition, why);
  std::abort();
}

}  // namespace rooflab
