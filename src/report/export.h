// SPDX-License-Identifier: Apache-2.0
// Profiles in other tools' forms: one file src/report/exports/<id>.cpp with `Export export_<id>()`.
// Text is handed out in pieces, so that a large profile needs no second copy in memory.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "model/profile.h"

namespace rooflab::report {

// False once the text cannot be written any more: the export then stops.
using Sink = std::function<bool(std::string_view)>;

struct Export {
  const char* id;
  const char* summary;
  bool (*write)(const model::Profile& profile, const Sink& sink);
};

std::vector<Export> all_exports();  // generated

}  // namespace rooflab::report
