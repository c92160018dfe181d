// SPDX-License-Identifier: Apache-2.0
// The text of `perf script` as rows of a profile: samples with their stacks, threads and their
// names, and the stretches in which the scheduler had taken a thread off its core (from switch
// records or sched:sched_switch), which are spans.
//
// Times are those of the file. Where its header (perf script --header) pairs its clock with the
// time of day, provenance.epoch_ns says which Unix time 0 is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "importers/perf/frame_line.h"
#include "importers/perf/header_line.h"
#include "model/builder.h"

namespace rooflab::importers::perf {

class Reader {
 public:
  explicit Reader(model::Builder& builder) : builder_(builder) {}

  void line(std::string_view line);
  // After the last line; notes what was odd about `input`.
  void finish(const std::string& input, std::int64_t cut_lines, bool truncated);
  [[nodiscard]] std::int64_t samples() const { return samples_; }
  [[nodiscard]] std::int64_t records() const { return records_; }

 private:
  struct Frame {
    StringId function, module, location;
    bool inlined = false;
  };
  // What a thread was doing when it was last heard of.
  struct ThreadState {
    std::int64_t pid = -1;
    std::string command;
    std::int64_t off_since = 0;
    bool off = false, preempted = false;
    StringId off_name;
  };
  struct Counts {
    std::int64_t unreadable = 0, lost = 0, throttled = 0, unresolved = 0, no_time = 0, idle = 0,
                 deep = 0, no_weight = 0, no_process = 0, unknown_records = 0, unpaired = 0;
  };

  void comment(std::string_view text);
  void begin_sample(const HeaderLine& header);
  void end_sample();
  void record(const HeaderLine& header);
  void switch_record(const HeaderLine& header);
  void sched_switch(const HeaderLine& header);
  void comm_record(const HeaderLine& header);
  void fork_record(const HeaderLine& header);
  void frame(std::string_view line);
  void source_line(std::string_view place);
  void goes_off(std::int64_t tid, std::int64_t time, bool preempted);
  void comes_on(std::int64_t tid, std::int64_t time);
  ThreadState& state_of(std::int64_t pid, std::int64_t tid);
  model::TrackId track_of(std::int64_t pid, std::int64_t tid, std::string_view command);
  model::StackId stack();

  model::Builder& builder_;
  std::unordered_map<std::int64_t, ThreadState> threads_;
  std::vector<Frame> frames_;  // of the open sample, innermost first
  model::SampleRow sample_;
  bool open_ = false, skipping_ = false, innermost_known_ = true, deep_ = false;
  std::int64_t samples_ = 0, records_ = 0;
  Counts counts_;
  std::string clock_;
};

}  // namespace rooflab::importers::perf
