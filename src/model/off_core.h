// SPDX-License-Identifier: Apache-2.0
// Names of the spans in which the scheduler had taken a thread off its core (SpanKind::kOffCpu),
// where the recorder says why: the thread waited for something, or others had their turn.
#pragma once

#include <string_view>

namespace rooflab::model {

constexpr std::string_view kOffCoreWaiting = "off core: waiting";
constexpr std::string_view kOffCorePreempted = "off core: preempted";

}  // namespace rooflab::model
