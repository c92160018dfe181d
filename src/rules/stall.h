// SPDX-License-Identifier: Apache-2.0
// The finding of rules that say "the device idles while the launching thread is in calls of one
// kind": share of the window, the calls of that kind, and the activities behind the idle time.
#pragma once

#include <string>

#include "analysis/markers.h"
#include "rules/rule.h"

namespace rooflab::rules {

struct Stall {
  const char* rule;
  const char* kind;  // of host time: "alloc" -> idle.starved.alloc, remedy remove-host alloc
  analysis::Marker marker;
  double least_share;     // of the window; below it the rule is clear
  const char* nobody;     // the culprit where no activity is known
  const char* title;      // "the device waits while memory is reserved or given back: "
  const char* meanwhile;  // "the launching thread is in calls that reserve or free memory"
  const char* calls;      // "calls"
  const char* calls_key;  // "alloc_calls_count"
  const char* first;      // of the cause chain
  const char* second;     // what the culprit then does
  const char* falsifier;
};

[[nodiscard]] Outcome stall_finding(const analysis::Analysis& a, const Stall& stall);

}  // namespace rooflab::rules
