// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/categories.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace rooflab::importers::kineto {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using model::SpanKind;
using model::Vendor;
using model::WorkKind;

struct Named {
  std::string_view name;
  Category category;
};

constexpr Category span(SpanKind kind, Vendor vendor = Vendor::kUnknown) {
  return {Target::kSpan, kind, WorkKind::kKernel, vendor};
}
constexpr Category on_stream(SpanKind kind, Vendor vendor = Vendor::kUnknown) {
  return {Target::kStreamSpan, kind, WorkKind::kKernel, vendor};
}
constexpr Category work(WorkKind kind, Vendor vendor = Vendor::kUnknown) {
  return {Target::kWork, SpanKind::kOther, kind, vendor};
}
constexpr Category other(Target target) {
  return {target, SpanKind::kOther, WorkKind::kKernel, Vendor::kUnknown};
}

// libkineto/include/ActivityType.h of torch 2.11 and the names of torch 1.8 (output_json.cpp).
constexpr std::array kCategories{
    Named{"cpu_op", span(SpanKind::kOp)},
    Named{"Operator", span(SpanKind::kOp)},
    Named{"kernel", work(WorkKind::kKernel)},
    Named{"Kernel", work(WorkKind::kKernel)},
    Named{"ac2g", other(Target::kFlow)},
    Named{"cuda_runtime", span(SpanKind::kRuntimeCall)},  // HIP calls too
    Named{"Runtime", span(SpanKind::kRuntimeCall)},
    Named{"cuda_driver", span(SpanKind::kDriverCall)},
    Named{"Driver", span(SpanKind::kDriverCall)},
    Named{"python_function", span(SpanKind::kPython)},
    Named{"gpu_memcpy", work(WorkKind::kCopy)},
    Named{"Memcpy", work(WorkKind::kCopy)},
    Named{"gpu_memset", work(WorkKind::kMemset)},
    Named{"Memset", work(WorkKind::kMemset)},
    Named{"fwdbwd", other(Target::kForwardFlow)},
    Named{"forward_backward", other(Target::kForwardFlow)},
    Named{"async", other(Target::kFlow)},
    Named{"async_cpu_to_gpu", other(Target::kFlow)},
    Named{"async_gpu", other(Target::kFlow)},
    Named{"cpu_to_cuda", other(Target::kFlow)},
    Named{"user_annotation", span(SpanKind::kUserRange)},
    Named{"User Annotation", span(SpanKind::kUserRange)},
    Named{"gpu_user_annotation", on_stream(SpanKind::kDeviceRange)},
    Named{"overhead", span(SpanKind::kOverhead)},
    Named{"Overhead", span(SpanKind::kOverhead)},
    Named{"cuda_sync", on_stream(SpanKind::kSync)},
    Named{"cuda_event", on_stream(SpanKind::kOther)},
    Named{"cuda_profiler_range", on_stream(SpanKind::kDeviceRange)},
    Named{"cpu_instant_event", span(SpanKind::kOther)},
    Named{"external_correlation", other(Target::kFlow)},
    Named{"collective_comm", span(SpanKind::kOp)},
    Named{"hardware_counters", span(SpanKind::kOther)},
    Named{"Trace", other(Target::kWindow)},
    Named{"glow_runtime", span(SpanKind::kRuntimeCall, Vendor::kOther)},
    Named{"hpu_op", span(SpanKind::kRuntimeCall, Vendor::kIntel)},
    Named{"xpu_runtime", span(SpanKind::kRuntimeCall, Vendor::kIntel)},
    Named{"xpu_driver", span(SpanKind::kDriverCall, Vendor::kIntel)},
    Named{"xpu_sync", on_stream(SpanKind::kSync, Vendor::kIntel)},
    Named{"xpu_scope_profiler", on_stream(SpanKind::kDeviceRange, Vendor::kIntel)},
    Named{"mtia_runtime", span(SpanKind::kRuntimeCall, Vendor::kMeta)},
    Named{"mtia_ccp_events", work(WorkKind::kKernel, Vendor::kMeta)},
    Named{"mtia_workloadd", span(SpanKind::kOther, Vendor::kMeta)},
    Named{"mtia_insight", span(SpanKind::kOther, Vendor::kMeta)},
    Named{"mtia_counters", span(SpanKind::kOther, Vendor::kMeta)},
    Named{"privateuse1_runtime", span(SpanKind::kRuntimeCall, Vendor::kOther)},
    Named{"privateuse1_driver", span(SpanKind::kDriverCall, Vendor::kOther)},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool starts(std::string_view text, std::string_view head) {
  return text.substr(0, head.size()) == head;
}

MemoryKind memory_of(std::string_view word) {
  if (word == "Pageable") return MemoryKind::kPageable;
  if (word == "Pinned") return MemoryKind::kPinned;
  if (word == "Device") return MemoryKind::kDevice;
  if (word == "Managed" || word == "Unified" || word == "Device Static" ||
      word == "Managed Static") {
    return word == "Device Static" ? MemoryKind::kDevice : MemoryKind::kManaged;
  }
  if (word == "Array") return MemoryKind::kArray;
  return MemoryKind::kUnknown;
}

// What stands between the last pair of parentheses.
std::string_view in_parentheses(std::string_view name) {
  const std::size_t open = name.rfind('(');
  const std::size_t close = name.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return name.substr(open + 1, close - open - 1);
}

CopyDirection direction_from_memory(const CopyKind& kind) {
  const auto host = [](MemoryKind m) {
    return m == MemoryKind::kPageable || m == MemoryKind::kPinned;
  };
  const auto device = [](MemoryKind m) {
    return m == MemoryKind::kDevice || m == MemoryKind::kArray;
  };
  if (host(kind.source) && device(kind.target)) return CopyDirection::kHostToDevice;
  if (device(kind.source) && host(kind.target)) return CopyDirection::kDeviceToHost;
  if (device(kind.source) && device(kind.target)) return CopyDirection::kDeviceToDevice;
  if (host(kind.source) && host(kind.target)) return CopyDirection::kHostToHost;
  return CopyDirection::kUnknown;
}

}  // namespace

Category category_of(std::string_view name) {
  for (const Named& named : kCategories) {
    if (named.name == name) return named.category;
  }
  if (starts(name, "mtia_")) return span(SpanKind::kOther, Vendor::kMeta);
  if (starts(name, "xpu_")) return span(SpanKind::kOther, Vendor::kIntel);
  if (starts(name, "privateuse1_")) return span(SpanKind::kOther, Vendor::kOther);
  return {};
}

bool is_user_range_name(std::string_view name) {
  return starts(name, "ProfilerStep#") || starts(name, "enumerate(DataLoader)#") ||
         starts(name, "Optimizer.step#") || starts(name, "Optimizer.zero_grad#");
}

Vendor vendor_of_call(std::string_view name) {
  if (starts(name, "cuda")) return Vendor::kNvidia;
  if (starts(name, "hip")) return Vendor::kAmd;
  const bool camel = name.size() > 2 && std::isupper(static_cast<unsigned char>(name[2])) != 0;
  if (camel && starts(name, "cu")) return Vendor::kNvidia;
  if (camel && (starts(name, "ze") || starts(name, "ur"))) return Vendor::kIntel;
  if (starts(name, "mtia")) return Vendor::kMeta;
  return Vendor::kUnknown;
}

Vendor vendor_of_device_name(std::string_view name) {
  for (const std::string_view word : {"NVIDIA", "Tesla", "GeForce", "Quadro", "TITAN"}) {
    if (contains(name, word)) return Vendor::kNvidia;
  }
  for (const std::string_view word : {"AMD", "Instinct", "Radeon", "gfx"}) {
    if (contains(name, word)) return Vendor::kAmd;
  }
  for (const std::string_view word : {"Intel", "Arc", "Gaudi"}) {
    if (contains(name, word)) return Vendor::kIntel;
  }
  if (contains(name, "MTIA")) return Vendor::kMeta;
  return name.empty() ? Vendor::kUnknown : Vendor::kOther;
}

CopyKind copy_kind_of(std::string_view name) {
  CopyKind kind;
  const std::string_view memory = in_parentheses(name);
  if (const std::size_t arrow = memory.find(" -> "); arrow != std::string_view::npos) {
    kind.source = memory_of(memory.substr(0, arrow));
    kind.target = memory_of(memory.substr(arrow + 4));
  }
  struct Word {
    std::string_view word;
    CopyDirection direction;
  };
  constexpr std::array kWords{
      Word{"HtoD", CopyDirection::kHostToDevice},
      Word{"DtoH", CopyDirection::kDeviceToHost},
      Word{"DtoD", CopyDirection::kDeviceToDevice},
      Word{"PtoP", CopyDirection::kPeerToPeer},
      Word{"HtoH", CopyDirection::kHostToHost},
      Word{"HtoA", CopyDirection::kHostToDevice},
      Word{"AtoH", CopyDirection::kDeviceToHost},
      Word{"AtoA", CopyDirection::kDeviceToDevice},
      Word{"AtoD", CopyDirection::kDeviceToDevice},
      Word{"DtoA", CopyDirection::kDeviceToDevice},
      Word{"HostToDevice", CopyDirection::kHostToDevice},
      Word{"DeviceToHost", CopyDirection::kDeviceToHost},
      Word{"DeviceToDevice", CopyDirection::kDeviceToDevice},
  };
  for (const Word& word : kWords) {
    if (contains(name, word.word)) {
      kind.direction = word.direction;
      return kind;
    }
  }
  kind.direction = direction_from_memory(kind);
  return kind;
}

MemoryKind set_memory_of(std::string_view name) { return memory_of(in_parentheses(name)); }

CopyDirection direction_of_hip_kind(std::string_view kind) {
  if (kind == "0") return CopyDirection::kHostToHost;
  if (kind == "1") return CopyDirection::kHostToDevice;
  if (kind == "2") return CopyDirection::kDeviceToHost;
  if (kind == "3") return CopyDirection::kDeviceToDevice;
  return CopyDirection::kUnknown;  // 4 = the runtime decides
}

}  // namespace rooflab::importers::kineto
