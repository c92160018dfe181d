// SPDX-License-Identifier: Apache-2.0
// CPU samples: when, on which thread, and the stack of functions, leaf first in the database.
#include <algorithm>

#include "importers/nsys/reader.h"

namespace rooflab::importers::nsys {
namespace {

// Deeper stacks are cut at their outer end; the recorder itself stops far earlier.
constexpr std::size_t kDeepestStack = 1024;

struct Frame {
  std::int64_t sample = 0, depth = 0, symbol = 0, module = 0;
};

std::vector<Frame> read_frames(const Database& database, Tally& tally) {
  constexpr std::string_view kTable = "SAMPLING_CALLCHAINS";
  Query rows(database, kTable, {"id", "stackDepth", "symbol", "module"}, tally);
  std::vector<Frame> frames;
  while (rows.next()) {
    const auto sample = rows.integer(0);
    if (!sample) {
      tally.add(Note::kLostStacks);
      continue;
    }
    frames.push_back(
        {*sample, rows.integer_or(1, 0), rows.integer_or(2, -1), rows.integer_or(3, -1)});
  }
  if (rows.damaged()) tally.add(Note::kDamagedHostTable, kTable);
  std::stable_sort(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) {
    return a.sample != b.sample ? a.sample < b.sample : a.depth < b.depth;
  });
  return frames;
}

// "/usr/lib/libc.so.6" -> "libc.so.6"
std::string_view without_folders(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace

void Reader::read_samples() {
  constexpr std::string_view kTable = "COMPOSITE_EVENTS";
  enum : std::size_t { kId = 1, kThread, kCycles };
  Query rows(db_, kTable, {"start", "id", "globalTid", "cpuCycles"}, tally_);
  if (!db_.has_table(kTable)) return;
  read_tables_.insert({std::string(kTable), "SAMPLING_CALLCHAINS"});
  const std::vector<Frame> frames = read_frames(db_, tally_);
  const StringId event = builder_.intern("samples");
  const auto stack_of = [&](std::int64_t sample) -> model::StackId {
    auto [begin, end] =
        std::equal_range(frames.begin(), frames.end(), Frame{sample, 0, 0, 0},
                         [](const Frame& a, const Frame& b) { return a.sample < b.sample; });
    end = begin + std::min<std::ptrdiff_t>(end - begin, kDeepestStack);
    model::StackId caller;
    for (auto it = end; it != begin;) {
      --it;
      model::Stack frame;
      frame.frame = strings_.intern(it->symbol);
      frame.caller = caller;
      if (strings_.has(it->module)) {
        frame.module = strings_.intern(without_folders(strings_.view(it->module)));
      }
      caller = builder_.stack(frame);
    }
    return caller;
  };
  while (rows.next()) {
    const auto time = rows.integer(0);
    const auto id = rows.integer(kId);
    const auto global_tid = rows.integer(kThread);
    if (!time || !global_tid) {
      tally_.add(Note::kDroppedNoTime);
      continue;
    }
    model::SampleRow row;
    row.time = std::clamp(*time, -model::kTimeLimit, model::kTimeLimit);
    row.track = thread(*global_tid);
    row.event = event;
    if (id) row.stack = stack_of(*id);
    builder_.add(row);
  }
  check_end(rows, kTable, false);
}

}  // namespace rooflab::importers::nsys
