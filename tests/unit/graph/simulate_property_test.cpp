// SPDX-License-Identifier: Apache-2.0
// Laws of the simulation on random programs: several threads, streams, waits, copies and ranges.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>

#include "graph/gain.h"
#include "support/built_graph.h"
#include "support/random_profile.h"

namespace rooflab::graph {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using rooflab::testing::built;
using rooflab::testing::Built;
using rooflab::testing::Random;
using rooflab::testing::TinyTrace;

// How a random program is written down: the same program in other words.
struct Writing {
  std::int64_t scale = 1;      // every time and duration times this
  bool split_kernels = false;  // each kernel as two that touch
  bool idle_stream = false;    // one stream more, without work
  std::uint64_t shuffled = 0;  // rows in another order
};

// Rows are collected first, to be added in any order.
class Program {
 public:
  Program(std::uint64_t seed, const Writing& writing) : r_(seed), w_(writing) {
    const std::int64_t steps = r_.in(3, 6);
    for (std::int64_t i = 0; i < steps; ++i) step(i);
  }

  TinyTrace trace() {
    TinyTrace t;
    if (w_.shuffled != 0) {
      std::mt19937_64 order(w_.shuffled);
      std::shuffle(rows_.begin(), rows_.end(), order);
    }
    for (const auto& row : rows_) row(t);
    if (w_.idle_stream) (void)t.builder().stream_track(0, 99, TinyTrace::kPid);
    return t;
  }

 private:
  void step(std::int64_t index) {
    const std::int64_t from = now_;
    const std::int64_t launches = r_.in(1, 8);
    for (std::int64_t i = 0; i < launches; ++i) {
      now_ += r_.in(0, 3) * 1000;
      if (r_.chance(60)) op(now_, r_.in(100, 8000), r_.chance(20) ? "load_batch" : "aten::add");
      now_ += r_.in(200, 30'000);
      launch();
      if (r_.chance(15)) wait();
    }
    range(from, now_ - from, "ProfilerStep#" + std::to_string(index));
    now_ += r_.in(10, 500);
  }

  void launch() {
    const std::int64_t call = r_.in(500, 4000), duration = 2 * r_.in(50, 40'000);
    const std::int64_t stream = r_.chance(80) ? 7 : 8;
    std::int64_t& end = stream == 7 ? first_end_ : second_end_;
    const std::int64_t start = std::max(now_ + call + r_.in(500, 3000), end + r_.in(500, 2000));
    const bool copy = r_.chance(15);
    end = start + duration;
    work(now_, call, start, duration, stream, copy);
    now_ += call;
  }

  void wait() {
    const std::int64_t end = std::max(first_end_, second_end_) + 3000;
    if (end <= now_ + 1000) return;
    const std::int64_t from = now_ + 500;
    const std::int64_t c = w_.scale;
    rows_.emplace_back(
        [=](TinyTrace& t) { t.call(1, from * c, (end - from) * c, "cudaDeviceSynchronize"); });
    now_ = end;
  }

  void op(std::int64_t at, std::int64_t duration, std::string name) {
    const std::int64_t c = w_.scale;
    rows_.emplace_back([=](TinyTrace& t) { t.op(1, at * c, duration * c, name); });
    now_ = at + duration;
  }
  void range(std::int64_t at, std::int64_t duration, std::string name) {
    const std::int64_t c = w_.scale;
    rows_.emplace_back([=](TinyTrace& t) { t.range(1, at * c, duration * c, name); });
  }

  void work(std::int64_t at, std::int64_t call, std::int64_t start, std::int64_t duration,
            std::int64_t stream, bool copy) {
    const std::int64_t c = w_.scale;
    const std::int64_t id = ++correlations_;
    const bool split = w_.split_kernels && !copy;
    rows_.emplace_back([=](TinyTrace& t) {
      t.span(1, at * c, call * c, copy ? "cudaMemcpyAsync" : "cudaLaunchKernel",
             model::SpanKind::kRuntimeCall, id);
    });
    const auto add = [=](std::int64_t from, std::int64_t ns) {
      return [=](TinyTrace& t) {
        t.kernel(rooflab::testing::kElementwise,
                 {.start = from * c, .duration = ns * c, .stream = stream}, id);
      };
    };
    if (copy) {
      rows_.emplace_back([=](TinyTrace& t) {
        t.copy({.start = start * c, .duration = duration * c, .stream = stream},
               CopyDirection::kHostToDevice, MemoryKind::kPinned, MemoryKind::kDevice, 4096, id);
      });
    } else if (split) {
      rows_.emplace_back(add(start, duration / 2));
      rows_.emplace_back(add(start + duration / 2, duration / 2));
    } else {
      rows_.emplace_back(add(start, duration));
    }
  }

  Random r_;
  Writing w_;
  std::vector<std::function<void(TinyTrace&)>> rows_;
  std::int64_t now_ = 0, first_end_ = 0, second_end_ = 0, correlations_ = 0;
};

std::unique_ptr<Built> program(std::uint64_t seed, const Writing& writing = {}) {
  return built(Program(seed, writing).trace());
}

double step_of(const Built& b) { return simulate(b.graph, as_recorded(b.graph)).step_ns; }

RC_GTEST_PROP(SimulateProperty, RemovingTimeNeverMakesAStepLonger, (std::uint64_t seed)) {
  const auto b = program(seed);
  RC_ASSERT(b != nullptr);
  RC_PRE(!b->graph.unit_starts.empty());
  Scenario s = as_recorded(b->graph);
  // Lengths, not means of steps: what is taken from the first step also moves its start.
  const auto end_of_run = [&](const Scenario& scenario) {
    const Timing t = simulate(b->graph, scenario);
    std::int64_t end = 0;
    for (std::size_t row = 0; row < t.work_start.size(); ++row) {
      end = std::max(end, t.work_start[row] + scenario.work_ns[row]);
    }
    return end;
  };
  Random r(seed ^ 0x5bd1e995U);
  std::int64_t before = end_of_run(s);
  for (int edit = 0; edit < 5; ++edit) {
    const std::int64_t kind = r.in(0, 3);
    const auto less = [&](std::vector<std::int64_t>& column) {
      if (column.empty()) return;
      std::int64_t& value =
          column[static_cast<std::size_t>(r.in(0, static_cast<std::int64_t>(column.size()) - 1))];
      value = r.in(0, value);
    };
    if (kind == 0) less(s.part_ns);
    if (kind == 1) less(s.call_ns);
    if (kind == 2) less(s.work_ns);
    if (kind == 3 && !s.waits.empty()) {
      s.waits[static_cast<std::size_t>(r.in(0, static_cast<std::int64_t>(s.waits.size()) - 1))] = 0;
    }
    const std::int64_t after = end_of_run(s);
    RC_ASSERT(after <= before);
    before = after;
  }
}

RC_GTEST_PROP(SimulateProperty, TheOrderOfRowsInTheFileDoesNotMatter,
              (std::uint64_t seed, std::uint64_t order)) {
  const auto b = program(seed);
  const auto shuffled = program(seed, {.shuffled = order | 1U});
  RC_ASSERT(b != nullptr && shuffled != nullptr);
  RC_ASSERT(step_of(*b) == step_of(*shuffled));
  RC_ASSERT(b->graph.anchor_count() == shuffled->graph.anchor_count());
}

RC_GTEST_PROP(SimulateProperty, AnIdleStreamChangesNothing, (std::uint64_t seed)) {
  const auto b = program(seed);
  const auto more = program(seed, {.idle_stream = true});
  RC_ASSERT(b != nullptr && more != nullptr);
  RC_ASSERT(step_of(*b) == step_of(*more));
}

// Two kernels of one launch that touch take what the whole took: the gap between them is the
// file's own, here zero.
RC_GTEST_PROP(SimulateProperty, AKernelCutInTwoTakesAsLong, (std::uint64_t seed)) {
  const auto b = program(seed);
  const auto cut = program(seed, {.split_kernels = true});
  RC_ASSERT(b != nullptr && cut != nullptr);
  RC_ASSERT(step_of(*b) == step_of(*cut));
}

RC_GTEST_PROP(SimulateProperty, AllTimesScaledScaleTheStep, (std::uint64_t seed)) {
  const auto b = program(seed);
  RC_ASSERT(b != nullptr);
  RC_PRE(b->graph.unit_starts.size() >= 2);
  const std::int64_t c = *rc::gen::inRange<std::int64_t>(2, 9);
  Graph scaled = b->graph;
  for (Anchor& a : scaled.anchors) {
    a.begin *= c;
    a.end *= c;
    a.issue_ns *= c;
  }
  scaled.launch_call_median_ns *= c;
  Scenario s = as_recorded(b->graph);
  for (auto* column : {&s.part_ns, &s.call_ns, &s.work_ns}) {
    for (std::int64_t& ns : *column) ns *= c;
  }
  Latencies& l = s.latencies;
  for (double* value :
       {&l.dispatch, &l.stream_gap, &l.copy_gap, &l.node_gap, &l.cross_gap, &l.wait_return}) {
    // Whole nanoseconds, so that nothing is lost in rounding.
    *value = static_cast<double>(static_cast<std::int64_t>(*value));
  }
  Scenario plain = as_recorded(b->graph);
  plain.latencies = l;
  for (double* value :
       {&l.dispatch, &l.stream_gap, &l.copy_gap, &l.node_gap, &l.cross_gap, &l.wait_return}) {
    *value *= static_cast<double>(c);
  }
  const double once = simulate(b->graph, plain).step_ns;
  RC_ASSERT(std::abs(simulate(scaled, s).step_ns - static_cast<double>(c) * once) <
            1e-6 * once * static_cast<double>(c));
}

RC_GTEST_PROP(SimulateProperty, AnchorsAndWorkKeepTheirOrder, (std::uint64_t seed)) {
  const auto b = program(seed);
  RC_ASSERT(b != nullptr);
  const Timing t = simulate(b->graph, as_recorded(b->graph));
  for (std::size_t i = 0; i < b->graph.anchor_count(); ++i) {
    const Anchor& a = b->graph.anchors[i];
    if (a.after != kNoAnchor) RC_ASSERT(t.anchor_begin[i] >= t.anchor_begin[a.after]);
    for (std::uint32_t k = a.first_work; k < b->graph.anchors[i + 1].first_work; ++k) {
      RC_ASSERT(t.work_start[b->graph.works_of_anchor[k].row] >= t.anchor_begin[i]);
    }
  }
}

// Whatever a file holds: no crash, no overflow, no endless loop.
RC_GTEST_PROP(SimulateProperty, AnyProfileCanBeSimulated, (std::uint64_t seed)) {
  model::Profile profile = rooflab::testing::random_profile(seed, 40);
  if (profile.spans.size() + profile.work.size() == 0) return;  // refused: nothing to analyse
  const auto b = built(std::move(profile));
  RC_ASSERT(b != nullptr);
  const Timing t = simulate(b->graph, as_recorded(b->graph));
  RC_ASSERT(t.work_start.size() == b->profile.work.size());
  const Predictor predictor(b->graph, true);
  for (const Change& change : all_changes()) {
    (void)predictor.gain({{change.name, {}}});
    (void)predictor.gain({{change.name, {"2"}}});
  }
}

}  // namespace
}  // namespace rooflab::graph
