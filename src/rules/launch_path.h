// SPDX-License-Identifier: Apache-2.0
// What the host's launch path costs the device: idle inside launch calls, between a call and the
// kernel's start, and in the framework's work before a call. Shared by the two rules about it, of
// which one at most fires on a file: `small_kernels` where the kernels themselves are too short,
// `launch_bound` where they are not and the host is slow.
//
// Gaps that a copy over a link ends are left out: they belong to the rules about copies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "rules/finding.h"

namespace rooflab::rules {

constexpr Nanos kShortKernel{10'000};
constexpr double kLeastShortRatio = 0.5;
constexpr double kLeastSmallKernelsShare = 0.15;
constexpr Nanos kMostRunAhead{20'000};

struct LaunchCause {
  std::string owner;
  StringId activity;  // the operator or call
  Nanos time;
  std::int64_t gaps = 0;
};

struct LaunchPath {
  Nanos host;                       // in_call, dispatch, starved.framework
  Nanos graph;                      // between the nodes of one graph launch
  Ratio host_share, share;          // of the window; share is with graph
  std::vector<LaunchCause> causes;  // of `host`, largest first
  std::int64_t kernels = 0, short_kernels = 0;
  Nanos kernel_time;
  [[nodiscard]] Nanos idle() const { return host + graph; }
  [[nodiscard]] double short_ratio() const;
};

[[nodiscard]] LaunchPath launch_path(const analysis::Analysis& a);
// The owners it is made of.
[[nodiscard]] std::vector<std::string> launch_owners();
// True where the kernels' own shortness is the reason: `small_kernels` speaks, `launch_bound` not.
[[nodiscard]] bool kernels_are_the_reason(const analysis::Analysis& a, const LaunchPath& path);

// Waits among the launches; false where they are rare.
[[nodiscard]] bool waits_between_launches(const analysis::BlockingCalls& blocking);
constexpr double kLeastLaunchesPerWait = 20;
// Puts the waits first (evidence, chain, falsifier, fixes, remedy): they come before any capture.
void add_waits(const analysis::Analysis& a, Finding& f);

}  // namespace rooflab::rules
