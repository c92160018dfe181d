// SPDX-License-Identifier: Apache-2.0
// What the filters can name in a file: its streams, the threads that launch work, its user ranges.
// Hints of errors send people to `rooflab info`, so it has to list them.
//
//   contents_of(profile).ranges[0]   the user range with the most time
#pragma once

#include <vector>

#include "base/units.h"
#include "model/profile.h"

namespace rooflab::report {

struct StreamContent {
  model::DeviceId device;
  std::int64_t stream = -1, works = 0;
  Nanos sum;
};
struct ThreadContent {
  model::TrackId track;
  std::int64_t spans = 0, launched = 0;
};
struct RangeContent {
  StringId name;
  std::int64_t count = 0;
  Nanos sum;  // nested calls of the same name count several times
};

struct Contents {
  std::vector<StreamContent> streams;  // with work; by device, then stream
  std::vector<ThreadContent> threads;  // with spans; most launches first
  std::vector<RangeContent> ranges;    // most time first
};

[[nodiscard]] Contents contents_of(const model::Profile& profile);
// Devices that the file describes but that did nothing.
[[nodiscard]] std::vector<model::DeviceId> devices_without_work(const model::Profile& profile);

}  // namespace rooflab::report
