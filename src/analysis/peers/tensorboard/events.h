// SPDX-License-Identifier: Apache-2.0
// The PyTorch profiler plugin's view of a profile: which events play which role, and its steps.
//
// A step starts where its host marker starts, but not before the previous step's end, and lasts
// until both the marker and the device work launched inside it have ended. A last step that
// launched less than 80 % of the work of the one before is left out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/intervals.h"
#include "model/profile.h"

namespace rooflab::analysis::tensorboard {

// In order of precedence: time in several roles belongs to the first.
enum class Role : std::uint8_t {
  kKernel,
  kMemcpy,
  kMemset,
  kCommunication,
  kRuntime,
  kDataLoader,
  kCpuExec,
  kOther,
};
inline constexpr std::size_t kRoles = 8;

struct Step {
  Interval time;
  std::string name;  // the number in its marker
};

struct Events {
  std::array<Intervals, kRoles> roles;  // kOther stays empty: it is what the others leave
  std::vector<Step> steps;              // the markers, by start
  Interval operators{kNanosMax,
                     kNanosMin};  // from the first operator's start to the last one's end
};

// With `device_markers`, a step marker's projection on a stream is one more step, and other
// projected ranges are CPU time, as in the plugin's last versions.
[[nodiscard]] Events collect(const model::Profile& profile, bool device_markers);

// The steps as the plugin bounds them. No marker: one step "0" over all operators.
[[nodiscard]] std::vector<Step> device_steps(const model::Profile& profile, const Events& events);

}  // namespace rooflab::analysis::tensorboard
