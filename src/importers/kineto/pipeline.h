// SPDX-License-Identifier: Apache-2.0
// Chunks parsed on several threads and consumed in the order in which they were submitted.
//
// The submitting thread reads, cuts and consumes; workers only parse. There are at most a few
// chunks at a time, recycled, so that memory stays bounded whatever the input's size. A small input
// (one chunk) starts no thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "importers/kineto/chunk.h"

namespace rooflab::importers::kineto {

class Pipeline {
 public:
  // `threads` 0 = as many as the machine has; 1 = parse on the calling thread.
  Pipeline(unsigned threads, std::function<void(Chunk&)> consume);
  ~Pipeline();
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // An empty chunk; waits for the oldest one in work if all are out.
  [[nodiscard]] std::unique_ptr<Chunk> acquire();
  void submit(std::unique_ptr<Chunk> chunk);
  // Parses and consumes a chunk here and now, after all that were submitted.
  void run_now(Chunk& chunk);
  // Consumes everything submitted so far.
  void drain();

 private:
  struct Job {
    std::unique_ptr<Chunk> chunk;
    bool done = false;
  };

  void start_workers();
  void work();
  bool consume_front(bool wait);

  unsigned threads_;
  std::function<void(Chunk&)> consume_;
  std::size_t allocated_ = 0;
  std::vector<std::unique_ptr<Chunk>> free_;
  std::deque<std::shared_ptr<Job>> order_;  // submitted, not consumed; only the calling thread

  std::mutex mutex_;
  std::condition_variable work_ready_, job_done_;
  std::deque<std::shared_ptr<Job>> queue_;  // guarded by mutex_
  bool stopping_ = false;                   // guarded by mutex_
  std::vector<std::thread> workers_;
};

}  // namespace rooflab::importers::kineto
