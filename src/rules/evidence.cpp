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

std::string WithKnownDevice::missing(const analysis::Analysis& a) {
  if (!a.kernels.device_name.empty()) return {};
  return "a device whose peaks are known (none of this file's stands in data/devices)";
}

}  // namespace rooflab::rules
