// SPDX-License-Identifier: Apache-2.0
// Evidence tags: what a rule can ask for. missing() is empty when the profile has it, else what the
// user must record.
#pragma once

#include <string>

#include "analysis/analysis.h"

namespace rooflab::rules {

struct WithDeviceWork {
  static std::string missing(const analysis::Analysis& a);
};
struct WithHostCause {  // launches linked to host activity, and hygiene allows to name causes
  static std::string missing(const analysis::Analysis& a);
};
struct WithShapes {
  static std::string missing(const analysis::Analysis& a);
};
struct WithMemoryEvents {  // the allocator's totals on the device
  static std::string missing(const analysis::Analysis& a);
};
struct WithHostOps {  // framework operators
  static std::string missing(const analysis::Analysis& a);
};
struct WithKnownDevice {  // the device stands in data/devices
  static std::string missing(const analysis::Analysis& a);
};
struct WithCounters {  // launches whose counters were read
  static std::string missing(const analysis::Analysis& a);
};

}  // namespace rooflab::rules
