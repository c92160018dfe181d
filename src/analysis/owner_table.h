// SPDX-License-Identifier: Apache-2.0
// The owners of one device's accounting: ids for the dotted names of accounting.h, and the time
// each one has.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/accounting.h"
#include "analysis/device_sweep.h"
#include "analysis/host_owner.h"

namespace rooflab::analysis {

enum class IdleOwner : std::uint8_t {
  kProfiler,
  kInCall,
  kDispatch,
  kBlocked,
  kUnlinked,
  kGraph,
  kBefore,
  kAfter,
};
constexpr std::size_t kIdleOwnerCount = 8;

class OwnerTable {
 public:
  OwnerTable(const model::Profile& profile, const KernelClasses& classes);

  [[nodiscard]] std::uint32_t of_work(std::size_t row);
  [[nodiscard]] std::uint32_t of_comm_wait() { return id_of("comm.exposed.wait"); }
  [[nodiscard]] std::uint32_t of_comm_transfer() { return id_of("comm.exposed.transfer"); }
  [[nodiscard]] std::uint32_t of_idle(IdleOwner idle);
  // idle.starved.<class>, with the cause's name where the class has one.
  [[nodiscard]] std::uint32_t of_host(HostClass host_class, model::SpanId cause);

  void add(std::uint32_t owner, std::int64_t ns) { times_[owner] += ns; }
  // Owners by time, largest first, ties by name; `new_index[id]` is where an id went. Owners
  // without time are dropped.
  [[nodiscard]] std::vector<OwnerShare> sorted(std::vector<std::uint32_t>& new_index) const;

 private:
  std::uint32_t id_of(const std::string& name);

  const model::Profile& p_;
  const KernelClasses& classes_;
  std::vector<std::string> names_;
  std::vector<std::int64_t> times_;
  std::unordered_map<std::string, std::uint32_t> ids_;
  // Ids by what they are looked up by, so that names are built once: 1 + id, 0 = not yet.
  std::array<std::uint32_t, 32> class_ids_{};               // by KernelClass
  std::array<std::array<std::uint32_t, 8>, 8> copy_ids_{};  // by direction and memory
  std::array<std::uint32_t, kIdleOwnerCount> idle_ids_{};
  std::array<std::uint32_t, 16> host_ids_{};                    // classes without a name
  std::unordered_map<std::uint64_t, std::uint32_t> named_ids_;  // (class, name of the cause)
};

// The memory on the host's side of a copy, or the device's for copies between devices.
[[nodiscard]] model::MemoryKind copy_memory(const model::Profile& profile, std::size_t row);
[[nodiscard]] std::string_view to_string(model::CopyDirection d);  // "h2d"
[[nodiscard]] std::string_view to_string(model::MemoryKind m);     // "pageable"

}  // namespace rooflab::analysis
