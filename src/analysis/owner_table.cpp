// SPDX-License-Identifier: Apache-2.0
// Names and totals of owners.
#include "analysis/owner_table.h"

#include <algorithm>
#include <numeric>

namespace rooflab::analysis {
namespace {

using model::CopyDirection;
using model::MemoryKind;

constexpr std::array<std::string_view, kIdleOwnerCount> kIdleNames{
    "idle.profiler", "idle.in_call", "idle.dispatch",      "idle.blocked",
    "idle.unlinked", "idle.graph",   "idle.window.before", "idle.window.after"};

// Waiting for other ranks and moving data cannot be told apart in one rank's file.
constexpr std::string_view kCommName = "comm.exposed.unsplit";

}  // namespace

std::string_view to_string(CopyDirection d) {
  switch (d) {
    case CopyDirection::kHostToDevice:
      return "h2d";
    case CopyDirection::kDeviceToHost:
      return "d2h";
    case CopyDirection::kDeviceToDevice:
      return "d2d";
    case CopyDirection::kPeerToPeer:
      return "p2p";
    case CopyDirection::kHostToHost:
      return "h2h";
    case CopyDirection::kNone:
    case CopyDirection::kUnknown:
      break;
  }
  return "unknown";
}

std::string_view to_string(MemoryKind m) {
  switch (m) {
    case MemoryKind::kPageable:
      return "pageable";
    case MemoryKind::kPinned:
      return "pinned";
    case MemoryKind::kDevice:
    case MemoryKind::kArray:
      return "device";
    case MemoryKind::kManaged:
      return "managed";
    case MemoryKind::kUnknown:
      break;
  }
  return "unknown";
}

MemoryKind copy_memory(const model::Profile& profile, std::size_t row) {
  const MemoryKind source = profile.work.source_memory[row];
  const MemoryKind target = profile.work.target_memory[row];
  switch (profile.work.direction[row]) {
    case CopyDirection::kHostToDevice:
      return source;
    case CopyDirection::kDeviceToHost:
      return target;
    case CopyDirection::kDeviceToDevice:
    case CopyDirection::kPeerToPeer:
      return source == MemoryKind::kManaged || target == MemoryKind::kManaged ? MemoryKind::kManaged
                                                                              : MemoryKind::kDevice;
    case CopyDirection::kHostToHost:
    case CopyDirection::kNone:
    case CopyDirection::kUnknown:
      break;
  }
  return source != MemoryKind::kUnknown ? source : target;
}

OwnerTable::OwnerTable(const model::Profile& profile, const KernelClasses& classes)
    : p_(profile), classes_(classes) {}

std::uint32_t OwnerTable::id_of(const std::string& name) {
  const auto [it, added] = ids_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (added) {
    names_.push_back(name);
    times_.push_back(0);
  }
  return it->second;
}

std::uint32_t OwnerTable::of_work(std::size_t row) {
  const WorkGroup group = work_group(p_, classes_, row);
  if (group == WorkGroup::kCopy) {
    const CopyDirection direction = p_.work.direction[row];
    const MemoryKind memory = copy_memory(p_, row);
    std::uint32_t& id =
        copy_ids_[static_cast<std::size_t>(direction)][static_cast<std::size_t>(memory)];
    if (id == 0) {
      id = 1 + id_of("copy.exposed." + std::string(to_string(direction)) + "." +
                     std::string(to_string(memory)));
    }
    return id - 1;
  }
  const KernelClass kernel_class =
      group == WorkGroup::kMemset ? KernelClass::kMemset : classes_.of(p_.work.name[row]);
  std::uint32_t& id = class_ids_[static_cast<std::size_t>(kernel_class)];
  if (id == 0) {
    std::string name = "compute." + std::string(to_string(kernel_class));
    if (group == WorkGroup::kMemset) name = "memset";
    if (group == WorkGroup::kComm) name = kCommName;
    id = 1 + id_of(name);
  }
  return id - 1;
}

std::uint32_t OwnerTable::of_idle(IdleOwner idle) {
  std::uint32_t& id = idle_ids_[static_cast<std::size_t>(idle)];
  if (id == 0) id = 1 + id_of(std::string(kIdleNames[static_cast<std::size_t>(idle)]));
  return id - 1;
}

std::uint32_t OwnerTable::of_host(HostClass host_class, model::SpanId cause) {
  const auto index = static_cast<std::size_t>(host_class);
  const auto base = [&] { return "idle.starved." + std::string(to_string(host_class)); };
  const bool named = host_class == HostClass::kInput || host_class == HostClass::kRange;
  if (!named || !cause.valid()) {
    std::uint32_t& id = host_ids_[index];
    if (id == 0) id = 1 + id_of(base());
    return id - 1;
  }
  const StringId name = p_.spans.name[cause.row];
  std::uint32_t& id = named_ids_[(std::uint64_t{index} << 32U) | name.row];
  if (id == 0) {
    id = 1 + id_of(base() + ":" + owner_label(p_.text(name), p_.spans.kind[cause.row]));
  }
  return id - 1;
}

std::vector<OwnerShare> OwnerTable::sorted(std::vector<std::uint32_t>& new_index) const {
  std::vector<std::uint32_t> order(names_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return times_[a] != times_[b] ? times_[a] > times_[b] : names_[a] < names_[b];
  });
  std::vector<OwnerShare> shares;
  new_index.assign(names_.size(), 0);
  for (const std::uint32_t id : order) {
    if (times_[id] == 0) continue;
    new_index[id] = static_cast<std::uint32_t>(shares.size());
    shares.push_back({names_[id], Nanos(times_[id])});
  }
  return shares;
}

}  // namespace rooflab::analysis
