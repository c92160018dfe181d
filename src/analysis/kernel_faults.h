// SPDX-License-Identifier: Apache-2.0
// Kernels that could take less time, and what they would take: the detection that rules report and
// changes simulate, so that both speak of the same launches.
//
// Every list is in order of work rows (of first rows for runs) and covers the whole file; who needs
// a window filters. Times are only given where the device is known; `has_time` says so. Nothing is
// found in recordings without operator shapes except what names alone show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/kernel_class.h"
#include "analysis/kernel_time.h"
#include "analysis/units.h"
#include "hw/device_catalog.h"
#include "model/profile.h"

namespace rooflab::analysis {

// One launch that would take `then` instead of its own time.
struct SlowWork {
  model::WorkId work;
  TimeRange then;
  bool has_time = false;
  bool named = false;  // the kernel's name shows the fault too
  int generation = 0;  // of the kernel, ten times the compute capability; 0 = not known
};

// Launches that one kernel could do, in launch order on one stream: the first takes `then`, the
// others go.
struct WorkRun {
  std::uint32_t first = 0, count = 0;  // in WorkRuns::works
  TimeRange then;
  bool has_time = false;
  double bytes_now = 0, bytes_then = 0;  // compulsory traffic; `then` by the likely reading
  std::int64_t ns_now = 0;
};
struct WorkRuns {
  std::vector<model::WorkId> works;
  std::vector<WorkRun> runs;
};

// A conversion between element types.
struct Cast {
  model::WorkId work;
  bool round_trip = false;  // converted back within a few kernels
};
// A streaming kernel between the two conversions of a round trip, which would move `ratio` of its
// bytes in the narrow type.
struct NarrowedWork {
  model::WorkId work;
  double ratio = 1;
};

struct LayoutCopy {
  model::WorkId work;
  bool convolution = false;  // channels first to last or back, else a strided copy
};

// A product with fewer blocks than the device has places for. `split`: with fewer tiles of its
// result; blocks share a tile by splitting the inner axis, and `more_ns` goes to adding their
// parts.
struct FewTiles {
  model::WorkId work;
  double blocks = 0, places = 0;
  bool known_places = true;  // false: the fewest that any known device has
  bool split = false;
  std::int64_t more_ns = 0;
};

struct KernelFaults {
  std::vector<SlowWork> vector_products;  // single precision without the matrix units
  std::vector<SlowWork> misaligned;       // sizes that rule fast kernels out
  std::vector<SlowWork> old_path;         // written for an older device, and slow
  std::vector<FewTiles> few_tiles;
  WorkRuns batchable;    // equal products with few tiles, back to back
  WorkRuns elementwise;  // chains of memory-bound kernels
  WorkRuns attention;    // product, softmax, product
  WorkRuns optimizer;    // updates of parameters in many kernels
  std::vector<LayoutCopy> layout;
  std::vector<SlowWork> channel_norms;  // one channel to a block, beside convolutions
  std::vector<Cast> casts;
  std::vector<NarrowedWork> narrowed;
};

struct Analysis;
[[nodiscard]] KernelFaults find_kernel_faults(const Analysis& analysis,
                                              const hw::DeviceCatalog& catalog);

}  // namespace rooflab::analysis
