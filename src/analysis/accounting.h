// SPDX-License-Identifier: Apache-2.0
// Every nanosecond of the window has one owner, per device (DESIGN section 3). The sum equals the
// window exactly.
//
// Owner names are dotted paths: compute.gemm, comm.exposed.transfer, copy.exposed.h2d.pageable,
// memset, idle.starved.input:load_batch, idle.in_call, idle.dispatch, idle.blocked, idle.unlinked,
// idle.graph, idle.profiler. With whole_trace, time outside the window is idle.window.before and
// idle.window.after. Where the other ranks are known, communication is comm.exposed.wait until the
// last rank has started and comm.exposed.transfer after that; else comm.exposed.unsplit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/host_tree.h"
#include "analysis/kernel_class.h"
#include "analysis/units.h"
#include "model/job.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct OwnerShare {
  std::string owner;
  Nanos time;
};

// One stretch of the window with one owner. Stretches of a device are gapless and in order.
struct Stretch {
  Nanos start, end;
  std::uint32_t owner = 0;  // index into DeviceAccounting::owners
  model::WorkId work;       // the work that owns it, or for idle the work whose launch ends the gap
  model::SpanId cause;      // idle: the host span that owns it, where there is one
  std::uint8_t hops = 0;    // threads the search moved across
};

struct DeviceAccounting {
  model::DeviceId device;
  std::int64_t device_index = 0;  // as the recorder numbers it
  std::int64_t rank = -1;
  Window window;
  std::vector<OwnerShare> owners;  // sorted by time, largest first; ties by name
  std::vector<Stretch> stretches;
  Nanos busy;         // union of device work inside the window
  Nanos hidden_comm;  // communication that ran beside compute
  Nanos hidden_copy;  // copies that ran beside compute or communication
  [[nodiscard]] Nanos total() const { return window.length(); }
};

struct Accounting {
  std::vector<DeviceAccounting> devices;  // by device row; only devices with work
  bool samples_used = false;              // starvation named by CPU samples
};

// When the last rank started a collective, on this profile's own clock.
struct LastStart {
  model::WorkId work;
  std::int64_t time = 0;
};
// Of the rank at `place`, in order of work row.
[[nodiscard]] std::vector<LastStart> last_starts_of(const model::Job& job, std::size_t place);

[[nodiscard]] Accounting account(const model::Profile& profile, const HostTree& tree,
                                 const KernelClasses& classes, const Units& units,
                                 const Window& window, const Selection& selection,
                                 bool whole_trace = false,
                                 const std::vector<LastStart>& last_starts = {});

}  // namespace rooflab::analysis
