// SPDX-License-Identifier: Apache-2.0
// The export's numbers for kinds of memory and copies, and the spelling of its call names.
//
// The export numbers memory in its own way (0 pageable, 1 pinned), not as the CUPTI headers do; a
// database that brings its tables of enumerations is read by those.
//
//   call_name("cudaMemcpyAsync_ptsz_v7000") -> "cudaMemcpyAsync"
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "importers/nsys/database.h"
#include "model/profile.h"

namespace rooflab::importers::nsys {

struct CopyKind {
  model::CopyDirection direction = model::CopyDirection::kUnknown;
  bool migration = false;  // of managed memory
};

class Kinds {
 public:
  Kinds(const Database& database, Tally& tally);
  [[nodiscard]] model::MemoryKind memory(std::int64_t number) const;
  [[nodiscard]] CopyKind copy(std::int64_t number) const;

 private:
  std::map<std::int64_t, model::MemoryKind> memory_;
  std::map<std::int64_t, CopyKind> copies_;
  Tally* tally_;
};

// Where the kind of copy is not told, both ends may tell it.
[[nodiscard]] model::CopyDirection direction_between(model::MemoryKind source,
                                                     model::MemoryKind target);
// As PyTorch's traces name copies and sets: "Memcpy HtoD (Pinned -> Device)".
[[nodiscard]] std::string copy_name(model::CopyDirection direction, model::MemoryKind source,
                                    model::MemoryKind target);
[[nodiscard]] std::string set_name(model::MemoryKind target);

// Without the version of the interface (_v7000) and the variant for default streams (_ptsz, _ptds).
[[nodiscard]] std::string_view call_name(std::string_view recorded);

}  // namespace rooflab::importers::nsys
