// SPDX-License-Identifier: Apache-2.0
// What each category of a Kineto trace means, from torch 1.8 ("Operator", "Kernel") to 2.11.
#pragma once

#include <string_view>

#include "model/profile.h"

namespace rooflab::importers::kineto {

enum class Target : std::uint8_t {
  kSpan,         // on a host thread
  kStreamSpan,   // on a device stream, but no work
  kWork,         // device work
  kFlow,         // arrows between events that their ids join anyway
  kForwardFlow,  // forward -> backward
  kWindow,       // the recorder's own window ("Trace")
  kUnknown,
};

struct Category {
  Target target = Target::kUnknown;
  model::SpanKind span = model::SpanKind::kOther;
  model::WorkKind work = model::WorkKind::kKernel;
  model::Vendor vendor = model::Vendor::kUnknown;  // where the category's name says it
};

[[nodiscard]] Category category_of(std::string_view name);

// torch 1.8 writes user ranges as "Operator"; later versions give these names a category.
[[nodiscard]] bool is_user_range_name(std::string_view name);

// The vendor whose runtime has a call of this name, or kUnknown: cuda*, cu[A-Z]*, hip*, ze*, mtia*.
[[nodiscard]] model::Vendor vendor_of_call(std::string_view name);
[[nodiscard]] model::Vendor vendor_of_device_name(std::string_view name);

// "Memcpy HtoD (Pageable -> Device)" -> direction and the two kinds of memory.
struct CopyKind {
  model::CopyDirection direction = model::CopyDirection::kUnknown;
  model::MemoryKind source = model::MemoryKind::kUnknown, target = model::MemoryKind::kUnknown;
};
[[nodiscard]] CopyKind copy_kind_of(std::string_view name);
[[nodiscard]] model::MemoryKind set_memory_of(std::string_view name);  // "Memset (Device)"
// hipMemcpyKind, as HIP calls record it: 0 host-host, 1 host-device, 2 device-host, 3
// device-device.
[[nodiscard]] model::CopyDirection direction_of_hip_kind(std::string_view kind);

}  // namespace rooflab::importers::kineto
