// SPDX-License-Identifier: Apache-2.0
// What the parts of the Nsight Systems importer share: the database, the profile being built,
// names, and who owns what by the export's serialised ids.
//
// A globalTid is virtual machine << 48 | pid << 24 | tid, a globalPid the same with tid 0. Calls
// and device work are matched by (correlation, everything above the tid).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "importers/nsys/database.h"
#include "importers/nsys/kinds.h"
#include "importers/nsys/strings.h"
#include "importers/nsys/tally.h"
#include "model/builder.h"

namespace rooflab::importers::nsys {

constexpr std::int64_t kNoStream = 4294967295;  // CUPTI_SYNCHRONIZATION_INVALID_VALUE

// The process's key in the builder; its low 24 bits are the pid.
[[nodiscard]] constexpr std::int64_t process_key(std::int64_t global_id) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(global_id) >> 24U);
}
[[nodiscard]] constexpr std::int64_t pid_of(std::int64_t key) { return key & 0xffffff; }
[[nodiscard]] constexpr std::int64_t tid_of(std::int64_t global_tid) {
  return global_tid & 0xffffff;
}

// Refuses a database without any table of such an export.
[[nodiscard]] Result<model::Profile> read_database(Database database, const std::string& path);

class Reader {
 public:
  Reader(Database database, const std::string& path);

  [[nodiscard]] Result<model::Profile> read() &&;

 private:
  struct Times {
    std::int64_t start = 0, end = 0;
    [[nodiscard]] std::int64_t length() const;
  };

  // device_work.cpp
  void read_kernels();
  void read_copies();
  void read_sets();
  void read_graphs();
  [[nodiscard]] model::TrackId stream(Query& rows, std::size_t device, std::size_t context,
                                      std::size_t stream, std::size_t process);
  void add_work(const Times& times, model::WorkRow row);

  // host.cpp
  void read_calls();
  void read_syncs();
  void read_overhead(std::string_view table);
  void read_os_calls();
  void read_scheduler();

  // nvtx.cpp
  void read_ranges();
  void close_ranges();

  // samples.cpp
  void read_samples();

  // target.cpp
  void map_devices();
  // Of a process's CUDA device number: those of several processes that see different devices under
  // one number are told apart where the export says how.
  [[nodiscard]] std::int64_t device_index(std::int64_t process_key, std::int64_t device) const;
  void describe_session();
  void describe_devices();
  void name_processes();
  void name_threads();
  void note_contents();

  [[nodiscard]] bool times_of(Query& rows, bool device_work, Times& out);
  [[nodiscard]] bool usable(Query& rows, std::string_view table, bool device_work);
  void check_end(const Query& rows, std::string_view table, bool device_work);
  [[nodiscard]] model::TrackId thread(std::int64_t global_tid);
  void add_span(const Times& times, model::SpanRow row);

  Database db_;
  model::Builder builder_;
  std::string path_;
  Tally tally_;
  Strings strings_;
  Kinds kinds_;
  std::unordered_map<std::int64_t, model::TrackId> threads_;  // by globalTid
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> context_device_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpu_of_;  // (pid, CUDA device)
  std::vector<model::SpanRow> open_ranges_;
  std::int64_t last_time_ = 0, last_thread_ = 0;
  model::TrackId last_thread_track_;
  bool host_ops_ = false, shapes_ = false;
  std::set<std::string> read_tables_;
};

}  // namespace rooflab::importers::nsys
