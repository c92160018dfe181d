// SPDX-License-Identifier: Apache-2.0
// Code is made ready inside the steps, and the device waits: module loading, just-in-time
// compilation, autotuning, graph capture. Once is warm-up; in every step it means that something
// (shapes, guards, a cache without a key that fits) changes each time.
#include "rules/stall.h"

namespace rooflab::rules {
namespace {

constexpr double kLeastShare = 0.05;

Outcome check(const analysis::Analysis& a, const WithDeviceWork& /*has*/,
              const WithHostCause& /*has*/) {
  return stall_finding(
      a, {.rule = "compile_stalls",
          .kind = "compile",
          .marker = analysis::Marker::kCompile,
          .least_share = kLeastShare,
          .nobody = "compilation",
          .title = "the device waits while code is compiled or loaded: ",
          .meanwhile = "code is compiled, loaded or captured",
          .calls = "activities",
          .calls_key = "compile_calls_count",
          .first = "a kernel or graph is needed that is not ready in this form",
          .second = "makes it ready on the launching thread",
          .falsifier = "run more steps: if it stops after the first ones, it was warm-up (leave it "
                       "out with --skip-first)"});
}

}  // namespace

Rule rule_compile_stalls() {
  return make_rule(
      {.id = "compile_stalls",
       .layer = Layer::kFramework,
       .title = "The device waits for code to be compiled or loaded",
       .why =
           "Kernels are loaded at their first use and compiled code is made for the shapes seen. "
           "In a steady state neither happens; inside timed steps it is warm-up, or shapes that "
           "change each time.",
       .thresholds = {{"least_share_ratio", kLeastShare,
                       "idle meanwhile, share of the window; less gains below 1.05x"}},
       .tested_on_real_input = true},
      &check);
}

}  // namespace rooflab::rules
