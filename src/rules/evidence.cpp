// SPDX-License-Identifier: Apache-2.0
#include "rules/evidence.h"

namespace rooflab::rules {

std::string WithDeviceWork::missing(const analysis::Analysis& a) {
  if (!a.accounting.devices.empty()) return {};
  return "device work (record device activity together with the host's)";
}

std::string WithHostCause::missing(const analysis::Analysis& a) {
  const model::Hygiene& hygiene = a.profile->hygiene;
  if (hygiene.forbids(model::Claim::kLinks))
    return "launch records that match the device work (too many are missing)";
  if (hygiene.forbids(model::Claim::kHostCause)) return "a complete record of what the host did";
  if (a.metrics.total.launched == 0)
    return "launch records (record host runtime calls together with device work)";
  return {};
}

std::string WithShapes::missing(const analysis::Analysis& a) {
  if (a.profile->provenance.shapes_recorded) return {};
  return "operator shapes (record_shapes=True)";
}

std::string WithMemoryEvents::missing(const analysis::Analysis& a) {
  if (a.profile->hygiene.forbids(model::Claim::kMemory)) return "a complete record of allocations";
  const model::MemoryEventTable& events = a.profile->memory_events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool totals = events.total_allocated[i] >= 0 || events.total_reserved[i] >= 0;
    if (events.device_type[i] == model::MemoryDevice::kDevice && totals) return {};
  }
  return "allocations on the device with the allocator's totals (profile_memory=True)";
}

std::string WithHostOps::missing(const analysis::Analysis& a) {
  if (a.profile->provenance.host_ops_recorded) return {};
  return "framework operators (record host activity)";
}

std::string WithKnownDevice::missing(const analysis::Analysis& a) {
  if (!a.kernels.device_name.empty()) return {};
  return "a device whose peaks are known (none of this file's stands in data/devices)";
}

std::string WithCounters::missing(const analysis::Analysis& a) {
  if (!a.counters.kernels.empty()) return {};
  return "counters of kernels (give a kernel profiler's report or raw page)";
}

}  // namespace rooflab::rules
