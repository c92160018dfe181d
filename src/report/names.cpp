// SPDX-License-Identifier: Apache-2.0
#include "report/names.h"

#include <fmt/format.h>

#include "report/text.h"

namespace rooflab::report {

std::string_view direction_word(model::CopyDirection d) {
  switch (d) {
    case model::CopyDirection::kHostToDevice:
      return "h2d";
    case model::CopyDirection::kDeviceToHost:
      return "d2h";
    case model::CopyDirection::kDeviceToDevice:
      return "d2d";
    case model::CopyDirection::kPeerToPeer:
      return "p2p";
    case model::CopyDirection::kHostToHost:
      return "h2h";
    case model::CopyDirection::kNone:
    case model::CopyDirection::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view memory_word(model::MemoryKind m) {
  switch (m) {
    case model::MemoryKind::kPageable:
      return "pageable";
    case model::MemoryKind::kPinned:
      return "pinned";
    case model::MemoryKind::kDevice:
      return "device";
    case model::MemoryKind::kManaged:
      return "managed";
    case model::MemoryKind::kArray:
      return "array";
    case model::MemoryKind::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view work_word(model::WorkKind k) {
  switch (k) {
    case model::WorkKind::kKernel:
      return "kernel";
    case model::WorkKind::kCopy:
      return "copy";
    case model::WorkKind::kMemset:
      return "memset";
  }
  return "kernel";
}

std::string_view span_word(model::SpanKind k) {
  switch (k) {
    case model::SpanKind::kOp:
      return "op";
    case model::SpanKind::kUserRange:
      return "user_range";
    case model::SpanKind::kRuntimeCall:
      return "runtime_call";
    case model::SpanKind::kDriverCall:
      return "driver_call";
    case model::SpanKind::kSync:
      return "sync";
    case model::SpanKind::kPython:
      return "python";
    case model::SpanKind::kOverhead:
      return "overhead";
    case model::SpanKind::kDeviceRange:
      return "device_range";
    case model::SpanKind::kOsCall:
      return "os_call";
    case model::SpanKind::kOffCpu:
      return "off_cpu";
    case model::SpanKind::kOther:
      break;
  }
  return "other";
}

std::string thread_words(const model::Profile& p, model::TrackId track) {
  if (!track.valid() || track.row >= p.tracks.size()) return {};
  const model::ThreadId thread = p.tracks[track.row].thread;
  if (!thread.valid() || thread.row >= p.threads.size())
    return printable(p.text(p.tracks[track.row].name));
  const model::Thread& row = p.threads[thread.row];
  return fmt::format("thread {}", row.tid);
}

std::string device_words(const model::Profile& p, model::DeviceId device) {
  if (!device.valid() || device.row >= p.devices.size()) return "all devices";
  const model::Device& row = p.devices[device.row];
  const std::string name = printable(p.text(row.name));
  return name.empty() ? fmt::format("device {}", row.index)
                      : fmt::format("{} (device {})", name, row.index);
}

}  // namespace rooflab::report
