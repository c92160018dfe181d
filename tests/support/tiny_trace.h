// SPDX-License-Identifier: Apache-2.0
// Small hand-made profiles for tests of analyses: one process, host threads by number, streams of
// devices.
//
//   TinyTrace t;
//   t.op(1, 0, 100, "aten::mm");
//   t.launch(1, 10, 20, "ampere_sgemm_128x64_tn", {.start = 40, .duration = 5});
//   const model::Profile p = std::move(t).build();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "model/builder.h"

namespace rooflab::testing {

constexpr std::string_view kGemm = "ampere_sgemm_128x64_tn";
constexpr std::string_view kElementwise =
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>>(int)";
constexpr std::string_view kAllReduce =
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgs)";

struct WorkSpec {
  std::int64_t start = 0, duration = 0;
  std::int64_t stream = 7, device = 0;
  std::int64_t graph_node = -1;
};

class TinyTrace {
 public:
  static constexpr std::int64_t kPid = 100;

  void span(std::int64_t thread, std::int64_t start, std::int64_t duration, std::string_view name,
            model::SpanKind kind, std::int64_t correlation = -1) {
    model::SpanRow row;
    row.start = start;
    row.duration = duration;
    row.name = builder_.intern(name);
    row.track = builder_.thread_track(kPid, thread);
    row.kind = kind;
    row.correlation = correlation;
    builder_.add(row);
  }
  void op(std::int64_t thread, std::int64_t start, std::int64_t duration, std::string_view name) {
    span(thread, start, duration, name, model::SpanKind::kOp);
  }
  void range(std::int64_t thread, std::int64_t start, std::int64_t duration,
             std::string_view name) {
    span(thread, start, duration, name, model::SpanKind::kUserRange);
  }
  void frame(std::int64_t thread, std::int64_t start, std::int64_t duration,
             std::string_view name) {
    span(thread, start, duration, name, model::SpanKind::kPython);
  }
  // A call that launches nothing.
  void call(std::int64_t thread, std::int64_t start, std::int64_t duration, std::string_view name) {
    span(thread, start, duration, name, model::SpanKind::kRuntimeCall);
  }
  // A launch call; returns the correlation for work of one launch.
  std::int64_t launch_call(std::int64_t thread, std::int64_t start, std::int64_t duration,
                           std::string_view name = "cudaLaunchKernel") {
    const std::int64_t correlation = ++correlations_;
    span(thread, start, duration, name, model::SpanKind::kRuntimeCall, correlation);
    return correlation;
  }
  void kernel(std::string_view name, const WorkSpec& spec, std::int64_t correlation = -1) {
    builder_.add(work_row(name, spec, correlation));
  }
  void copy(const WorkSpec& spec, model::CopyDirection direction, model::MemoryKind source,
            model::MemoryKind target, std::int64_t bytes, std::int64_t correlation = -1) {
    model::WorkRow row = work_row("copy", spec, correlation);
    row.kind = model::WorkKind::kCopy;
    row.direction = direction;
    row.source_memory = source;
    row.target_memory = target;
    row.bytes = bytes;
    builder_.add(row);
  }
  void memset(const WorkSpec& spec, std::int64_t correlation = -1) {
    model::WorkRow row = work_row("memset", spec, correlation);
    row.kind = model::WorkKind::kMemset;
    builder_.add(row);
  }
  // A launch call and its kernel.
  void launch(std::int64_t thread, std::int64_t start, std::int64_t duration, std::string_view name,
              const WorkSpec& spec) {
    kernel(name, spec, launch_call(thread, start, duration));
  }

  [[nodiscard]] model::Builder& builder() { return builder_; }
  [[nodiscard]] model::Profile build() && { return std::move(builder_).build(); }

 private:
  model::WorkRow work_row(std::string_view name, const WorkSpec& spec, std::int64_t correlation) {
    model::WorkRow row;
    row.start = spec.start;
    row.duration = spec.duration;
    row.name = builder_.intern(name);
    row.track = builder_.stream_track(spec.device, spec.stream, kPid);
    row.correlation = correlation;
    row.graph_node = spec.graph_node;
    return row;
  }

  model::Builder builder_{"tiny"};
  std::int64_t correlations_ = 0;
};

}  // namespace rooflab::testing
