// SPDX-License-Identifier: Apache-2.0
// Adds chunks of rows to the model in file order, and settles at the end what only the whole file
// can say: the time that is 0, names, grids counted in work-items, frames without a thread.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "importers/kineto/chunk.h"
#include "model/builder.h"

namespace rooflab::importers::kineto {

class Merger {
 public:
  explicit Merger(model::Builder& builder) : builder_(builder) {}

  void add(const Chunk& chunk);
  // After the last chunk. Device names are applied by metadata.h.
  void finish();

  // Stored times are file times less this (a whole millisecond at or before the earliest).
  [[nodiscard]] std::int64_t time_offset() const { return offset_; }
  [[nodiscard]] std::int64_t events() const { return events_; }
  [[nodiscard]] bool has_end_marker() const { return has_end_marker_; }
  [[nodiscard]] bool ended_inside() const { return ended_inside_; }
  [[nodiscard]] model::Vendor call_vendor() const { return call_vendor_; }
  [[nodiscard]] Notes& notes() { return notes_; }

 private:
  // Handles of one chunk -> handles of the model.
  struct Maps {
    std::vector<StringId> strings;
    std::vector<model::TrackId> tracks;
    std::vector<model::ArgsId> args;
    std::vector<model::LaunchConfigId> configs;
    std::vector<model::CollectiveId> collectives;
  };

  void map_handles(const ChunkRows& rows);
  [[nodiscard]] StringId text(StringId local) const;
  [[nodiscard]] std::int64_t time(std::int64_t file_time);
  void set_offset(const ChunkRows& rows);
  void add_spans(const ChunkRows& rows);
  void add_works(const ChunkRows& rows);
  void add_work(model::WorkRow row);
  void add_points(const ChunkRows& rows);
  void remember(const ChunkRows& rows);

  void place_python_frames();
  void use_external_ids();
  void apply_call_facts();
  void apply_names();
  void start_at_lowest();

  model::Builder& builder_;
  Maps maps_;
  Notes notes_;
  std::int64_t offset_ = 0, events_ = 0;
  std::int64_t lowest_ = 0;  // of all times so far, after the offset
  bool offset_known_ = false;
  bool any_correlation_ = false, has_end_marker_ = false, ended_inside_ = false;
  model::Vendor call_vendor_ = model::Vendor::kUnknown;
  std::vector<model::SpanRow> python_without_thread_;  // mapped, but for the track
  struct CallWithExternalId {
    std::uint32_t row = 0;  // in the builder's span table
    std::int64_t external_id = -1;
  };
  std::vector<CallWithExternalId> calls_with_external_id_;
  std::vector<model::WorkRow> works_with_external_id_;  // mapped, not yet added
  std::vector<CallFacts> calls_;
  std::map<std::tuple<MetaKind, std::int64_t, std::int64_t>, StringId> names_;
};

}  // namespace rooflab::importers::kineto
