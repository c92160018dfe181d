// SPDX-License-Identifier: Apache-2.0
#include "graph/change.h"

namespace rooflab::graph {

const Change* find_change(std::string_view name) {
  static const std::vector<Change> kChanges = all_changes();
  for (const Change& change : kChanges) {
    if (name == change.name) return &change;
  }
  return nullptr;
}

}  // namespace rooflab::graph
