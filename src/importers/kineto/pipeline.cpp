// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/pipeline.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace rooflab::importers::kineto {
namespace {

constexpr unsigned kMaxThreads = 32;  // reading and merging are sequential: more do not help

}  // namespace

Pipeline::Pipeline(unsigned threads, std::function<void(Chunk&)> consume)
    : threads_(threads != 0 ? threads : std::max(1U, std::thread::hardware_concurrency())),
      consume_(std::move(consume)) {
  threads_ = std::min(threads_, kMaxThreads);
}

Pipeline::~Pipeline() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.clear();
  }
  work_ready_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Pipeline::start_workers() {
  try {
    while (workers_.size() < threads_) workers_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    // The system gives no more threads: go on with those there are, or with this one.
    threads_ = workers_.empty() ? 1 : static_cast<unsigned>(workers_.size());
  }
}

void Pipeline::work() {
  for (;;) {
    std::shared_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      work_ready_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (stopping_) return;
      job = std::move(queue_.front());
      queue_.pop_front();
    }
    parse_chunk(*job->chunk);
    {
      const std::lock_guard lock(mutex_);
      job->done = true;
    }
    job_done_.notify_one();
  }
}

bool Pipeline::consume_front(bool wait) {
  if (order_.empty()) return false;
  Job& job = *order_.front();
  {
    std::unique_lock lock(mutex_);
    if (!job.done && !wait) return false;
    job_done_.wait(lock, [&job] { return job.done; });
  }
  std::unique_ptr<Chunk> chunk = std::move(job.chunk);
  order_.pop_front();
  consume_(*chunk);
  free_.push_back(std::move(chunk));
  return true;
}

std::unique_ptr<Chunk> Pipeline::acquire() {
  const std::size_t limit = threads_ == 1 ? 2 : static_cast<std::size_t>(threads_) * 2 + 2;
  while (free_.empty() && allocated_ >= limit && consume_front(true)) {
  }
  std::unique_ptr<Chunk> chunk;
  if (free_.empty()) {
    chunk = std::make_unique<Chunk>();
    ++allocated_;
  } else {
    chunk = std::move(free_.back());
    free_.pop_back();
  }
  chunk->size = 0;
  chunk->offset = 0;
  chunk->array_end = 0;
  chunk->first = chunk->last = chunk->input_ends = chunk->uncertain = chunk->ends_inside = false;
  chunk->rows.clear();
  return chunk;
}

void Pipeline::submit(std::unique_ptr<Chunk> chunk) {
  const bool alone = chunk->last;  // nothing to do meanwhile
  if (workers_.empty() && threads_ > 1 && !alone) start_workers();
  if (workers_.empty()) {
    run_now(*chunk);
    free_.push_back(std::move(chunk));
    return;
  }
  auto job = std::make_shared<Job>();
  job->chunk = std::move(chunk);
  order_.push_back(job);
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(job));
  }
  work_ready_.notify_one();
  while (consume_front(false)) {
  }
}

void Pipeline::run_now(Chunk& chunk) {
  drain();
  parse_chunk(chunk);
  consume_(chunk);
}

void Pipeline::drain() {
  while (consume_front(true)) {
  }
}

}  // namespace rooflab::importers::kineto
