// SPDX-License-Identifier: Apache-2.0
#include "analysis/@name@.h"

namespace rooflab::analysis {

@Name@ build_@name@(const model::Profile& /*profile*/) { return {}; }

}  // namespace rooflab::analysis
