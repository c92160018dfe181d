// SPDX-License-Identifier: Apache-2.0
// Memory is reserved from the driver or given back to it inside the steps, and the device waits:
// each call for it takes the driver's lock and often waits until the device has finished. Says
// nothing about allocations that a caching allocator serves itself: they make no such call.
#include "rules/stall.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  return stall_finding(
      a, {.rule = "allocator_stalls",
          .kind = "alloc",
          .marker = analysis::Marker::kAlloc,
          .least_share = kLeastShare,
          .nobody = "the allocator",
          .title = "the device waits while memory is reserved or given back: ",
          .meanwhile = "the launching thread is in calls that reserve or free memory",
          .calls = "calls",
          .calls_key = "alloc_calls_count",
          .first = "the allocator has no cached block that fits, or gives its cache back",
          .second = "goes to the driver, which may wait for the device",
          .falsifier = "run more steps: if the calls stop after the first ones, they were warm-up "
                       "(leave it out with --skip-first)"});
}

}  // namespace

Rule rule_allocator_stalls() {
  return make_rule(
      {.id = "allocator_stalls",
       .layer = Layer::kFramework,
       .title = "The device waits for memory calls",
       .why = "Frameworks keep freed memory and serve later requests from it. Emptying that cache, "
              "sizes that change from step to step, or memory that is nearly full send requests to "
              "the driver in every step, and freeing there waits for the device.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "idle in such calls, share of the window; less gains below 1.05x"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
