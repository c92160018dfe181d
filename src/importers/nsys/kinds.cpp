// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys/kinds.h"

#include <algorithm>
#include <array>
#include <string>

namespace rooflab::importers::nsys {
namespace {

using model::CopyDirection;
using model::MemoryKind;

struct MemoryWord {
  std::string_view word;  // end of CUDA_MEMOPR_MEMORY_KIND_*
  std::int64_t number;    // without ENUM_CUDA_MEM_KIND (exports before 2022.4)
  MemoryKind kind;
};
constexpr std::array kMemory{
    MemoryWord{"KIND_PAGEABLE", 0, MemoryKind::kPageable},
    MemoryWord{"KIND_PINNED", 1, MemoryKind::kPinned},
    MemoryWord{"KIND_DEVICE", 2, MemoryKind::kDevice},
    MemoryWord{"KIND_ARRAY", 3, MemoryKind::kArray},
    MemoryWord{"KIND_MANAGED", 4, MemoryKind::kManaged},
    MemoryWord{"KIND_DEVICE_STATIC", 5, MemoryKind::kDevice},
    MemoryWord{"KIND_MANAGED_STATIC", 6, MemoryKind::kManaged},
    MemoryWord{"KIND_UNKNOWN", 7, MemoryKind::kUnknown},
};

struct CopyWord {
  std::string_view word;  // end of CUDA_MEMCPY_KIND_*
  std::int64_t number;
  CopyKind kind;
};
constexpr CopyKind kind_of(CopyDirection direction, bool migration = false) {
  return {direction, migration};
}
constexpr std::array kCopies{
    CopyWord{"KIND_UNKNOWN", 0, kind_of(CopyDirection::kUnknown)},
    CopyWord{"KIND_HTOD", 1, kind_of(CopyDirection::kHostToDevice)},
    CopyWord{"KIND_DTOH", 2, kind_of(CopyDirection::kDeviceToHost)},
    CopyWord{"KIND_HTOA", 3, kind_of(CopyDirection::kHostToDevice)},
    CopyWord{"KIND_ATOH", 4, kind_of(CopyDirection::kDeviceToHost)},
    CopyWord{"KIND_ATOA", 5, kind_of(CopyDirection::kDeviceToDevice)},
    CopyWord{"KIND_ATOD", 6, kind_of(CopyDirection::kDeviceToDevice)},
    CopyWord{"KIND_DTOA", 7, kind_of(CopyDirection::kDeviceToDevice)},
    CopyWord{"KIND_DTOD", 8, kind_of(CopyDirection::kDeviceToDevice)},
    CopyWord{"KIND_HTOH", 9, kind_of(CopyDirection::kHostToHost)},
    CopyWord{"KIND_PTOP", 10, kind_of(CopyDirection::kPeerToPeer)},
    CopyWord{"KIND_UVM_HTOD", 11, kind_of(CopyDirection::kHostToDevice, true)},
    CopyWord{"KIND_UVM_DTOH", 12, kind_of(CopyDirection::kDeviceToHost, true)},
    CopyWord{"KIND_UVM_DTOD", 13, kind_of(CopyDirection::kDeviceToDevice, true)},
};

// What the enumeration's table calls each number; the known numbering where there is no table.
template <class Words, class Kind>
void read_enumeration(const Database& database, std::string_view table, const Words& words,
                      std::map<std::int64_t, Kind>& out, Tally& tally) {
  Query rows(database, table, {"id", "name"}, tally);
  while (rows.next()) {
    const auto id = rows.integer(0);
    const std::string_view name = rows.text(1);
    const auto known = std::find_if(words.begin(), words.end(),
                                    [&](const auto& w) { return name.ends_with(w.word); });
    if (id && known != words.end()) out.emplace(*id, known->kind);
  }
  if (!out.empty()) return;
  for (const auto& word : words) out.emplace(word.number, word.kind);
}

bool on_host(MemoryKind m) { return m == MemoryKind::kPageable || m == MemoryKind::kPinned; }
bool on_device(MemoryKind m) { return m == MemoryKind::kDevice || m == MemoryKind::kArray; }

std::string_view direction_word(CopyDirection d) {
  switch (d) {
    case CopyDirection::kHostToDevice:
      return " HtoD";
    case CopyDirection::kDeviceToHost:
      return " DtoH";
    case CopyDirection::kDeviceToDevice:
      return " DtoD";
    case CopyDirection::kPeerToPeer:
      return " PtoP";
    case CopyDirection::kHostToHost:
      return " HtoH";
    case CopyDirection::kNone:
    case CopyDirection::kUnknown:
      break;
  }
  return "";
}

std::string_view memory_word(MemoryKind m) {
  switch (m) {
    case MemoryKind::kPageable:
      return "Pageable";
    case MemoryKind::kPinned:
      return "Pinned";
    case MemoryKind::kDevice:
      return "Device";
    case MemoryKind::kManaged:
      return "Managed";
    case MemoryKind::kArray:
      return "Array";
    case MemoryKind::kUnknown:
      break;
  }
  return "Unknown";
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Kinds::Kinds(const Database& database, Tally& tally) : tally_(&tally) {
  read_enumeration(database, "ENUM_CUDA_MEM_KIND", kMemory, memory_, tally);
  read_enumeration(database, "ENUM_CUDA_MEMCPY_OPER", kCopies, copies_, tally);
}

MemoryKind Kinds::memory(std::int64_t number) const {
  const auto found = memory_.find(number);
  if (found != memory_.end()) return found->second;
  tally_->add(Note::kUnknownEnumeration);
  return MemoryKind::kUnknown;
}

CopyKind Kinds::copy(std::int64_t number) const {
  const auto found = copies_.find(number);
  if (found != copies_.end()) return found->second;
  tally_->add(Note::kUnknownEnumeration);
  return {};
}

CopyDirection direction_between(MemoryKind source, MemoryKind target) {
  if (on_host(source) && on_device(target)) return CopyDirection::kHostToDevice;
  if (on_device(source) && on_host(target)) return CopyDirection::kDeviceToHost;
  if (on_device(source) && on_device(target)) return CopyDirection::kDeviceToDevice;
  if (on_host(source) && on_host(target)) return CopyDirection::kHostToHost;
  return CopyDirection::kUnknown;
}

std::string copy_name(CopyDirection direction, MemoryKind source, MemoryKind target) {
  std::string name = "Memcpy";
  name += direction_word(direction);
  name += " (";
  name += memory_word(source);
  name += " -> ";
  name += memory_word(target);
  return name + ")";
}

std::string set_name(MemoryKind target) {
  return "Memset (" + std::string(memory_word(target)) + ")";
}

std::string_view call_name(std::string_view recorded) {
  std::string_view name = recorded;
  const std::size_t version = name.rfind("_v");
  // Versions have four digits and more (v3020); a _v2 belongs to the call's name.
  if (version != std::string_view::npos && name.size() - version >= 6 &&
      all_digits(name.substr(version + 2))) {
    name = name.substr(0, version);
  }
  for (const std::string_view variant : {"_ptsz", "_ptds"}) {
    if (name.ends_with(variant)) name.remove_suffix(variant.size());
  }
  return name;
}

}  // namespace rooflab::importers::nsys
