// SPDX-License-Identifier: Apache-2.0
// TO WRITE: the fault in a sentence, and when this stays silent although it looks alike.
#include "rules/rule.h"

namespace rooflab::rules {
namespace {

// Every threshold has its source here and stands in `thresholds` below.

Outcome check(const analysis::Analysis& /*a*/, const WithDeviceWork& /*has*/) {
  return NotEvaluated{"its check to be written"};
}

}  // namespace

Rule rule_@name@() {
  return make_rule({.id = "@name@",
                    .layer = Layer::kSystem,
                    .title = "TO WRITE: the fault in a few words",
                    .why = "TO WRITE: the mechanism, for `rooflab explain @name@`.",
                    .thresholds = {},
                    .tested_on_real_input = false},
                   &check);
}

}  // namespace rooflab::rules
