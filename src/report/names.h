// SPDX-License-Identifier: Apache-2.0
// Model enums and rows in the words that all outputs share: "h2d", "pageable", "thread 467
// (python)".
#pragma once

#include <string>
#include <string_view>

#include "model/profile.h"

namespace rooflab::report {

[[nodiscard]] std::string_view direction_word(model::CopyDirection d);  // "h2d"
[[nodiscard]] std::string_view memory_word(model::MemoryKind m);        // "pageable"
[[nodiscard]] std::string_view work_word(model::WorkKind k);            // "kernel"
[[nodiscard]] std::string_view span_word(model::SpanKind k);            // "op"
[[nodiscard]] std::string thread_words(const model::Profile& p, model::TrackId track);
[[nodiscard]] std::string device_words(const model::Profile& p,
                                       model::DeviceId device);  // "NVIDIA H200 (0)"

}  // namespace rooflab::report
