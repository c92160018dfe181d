// SPDX-License-Identifier: Apache-2.0
// TO WRITE: what a row of this table is, in which order the rows are, which question it answers.
#pragma once

#include <vector>

#include "base/units.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct @Name@Row {
  StringId name;
  Nanos sum;
};

struct @Name@ {
  std::vector<@Name@Row> rows;
};

[[nodiscard]] @Name@ build_@name@(const model::Profile& profile);

}  // namespace rooflab::analysis
