// SPDX-License-Identifier: Apache-2.0
// Whole-file device figures: what `info` and the `metrics` block of `why --json` print. Counts are
// of every row in the file, linked or not; busy times are unions, so that concurrent work counts
// once; span runs from the first start to the last end of device work.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/kernel_class.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct CopyGroup {
  model::CopyDirection direction = model::CopyDirection::kUnknown;
  model::MemoryKind memory =
      model::MemoryKind::kUnknown;  // of the host side; device for device-to-device
  std::int64_t count = 0;
  Nanos sum;
  Bytes bytes;  // of the copies whose size is recorded
  std::int64_t sized = 0;
  [[nodiscard]] double bytes_per_second() const;  // achieved rate, 0 when unknown
};

struct DeviceMetrics {
  model::DeviceId device;  // invalid in the totals
  std::int64_t kernel_count = 0;
  Nanos kernel_sum, kernel_union;
  std::int64_t work_count = 0, memset_count = 0;
  Nanos busy, span;
  std::vector<CopyGroup> copies;  // by direction, then memory
  std::int64_t unlinked = 0;
  // Kernel start minus end of its launch call, over kernels with a launch record; the median says
  // how far the host runs ahead (small: the device waits for the host).
  Nanos run_ahead_median, launch_call_median;
  std::int64_t launched = 0;
};

struct Metrics {
  DeviceMetrics total;
  std::vector<DeviceMetrics> devices;
  // Mean over devices of busy / span, never the union over devices; for the window see Accounting.
  double gpu_busy_ratio = 0;
};

[[nodiscard]] Metrics device_metrics(const model::Profile& profile, const KernelClasses& classes);

// The copies of one device that start in [start, end), on `stream` if it is given; grouped as in
// DeviceMetrics::copies.
[[nodiscard]] std::vector<CopyGroup> copies_between(const model::Profile& profile,
                                                    const KernelClasses& classes,
                                                    model::DeviceId device, Nanos start, Nanos end,
                                                    std::optional<std::int64_t> stream);
// One list with the groups of `more` added to those of `copies`.
void add_copies(const std::vector<CopyGroup>& more, std::vector<CopyGroup>& copies);

}  // namespace rooflab::analysis
