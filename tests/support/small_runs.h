// SPDX-License-Identifier: Apache-2.0
// Hand-made profiles of two kinds of device work that no recording at hand shows: small kernels one
// after another, and forward operators run again in the backward pass.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "model/builder.h"
#include "support/tiny_trace.h"

namespace rooflab::testing {

constexpr std::int64_t kMultiprocessors = 100;

struct SmallKernels {
  int count = 8;
  std::int32_t blocks = 10;
  std::int64_t duration = 50'000, gap = 1'000;
  bool one_call = false;     // all launched by one operator
  bool two_streams = false;  // every second one on another stream
};

// One operator a kernel, equal arguments; the host far ahead. Times in ns.
inline model::Profile small_kernels_in_a_row(const SmallKernels& spec) {
  TinyTrace t;
  model::Builder& b = t.builder();
  model::OpArgs args;
  args.dims = b.intern("[[64,64],[64,64]]");
  args.types = b.intern("[\"float\",\"float\"]");
  model::LaunchConfig config;
  config.grid = {spec.blocks, 1, 1};
  config.block = {128, 1, 1};
  const model::LaunchConfigId geometry = b.launch_config(config);
  std::int64_t at = 1'000'000;
  const auto add_op = [&](std::int64_t host, std::int64_t length) {
    model::SpanRow op;
    op.start = host;
    op.duration = length;
    op.name = b.intern("aten::mm");
    op.track = b.thread_track(TinyTrace::kPid, 1);
    op.kind = model::SpanKind::kOp;
    op.args = b.args(args);
    b.add(op);
  };
  if (spec.one_call) add_op(0, 1000 * spec.count);
  for (int i = 0; i < spec.count; ++i) {
    const std::int64_t host = 1000 * i;
    if (!spec.one_call) add_op(host, 900);
    model::WorkRow work;
    work.start = at;
    work.duration = spec.duration;
    work.name = b.intern(kGemm);
    work.track = b.stream_track(0, spec.two_streams && i % 2 == 1 ? 8 : 7, TinyTrace::kPid);
    work.correlation = t.launch_call(1, host + 100, 100);
    work.config = geometry;
    b.add(work);
    at += spec.duration + spec.gap;
  }
  b.device(0);
  model::Profile p = std::move(t).build();
  p.devices[0].multiprocessors = kMultiprocessors;
  p.provenance.shapes_recorded = p.provenance.host_ops_recorded = true;
  return p;
}

// Three layers forward and three gradients; with `again` each gradient first runs its layer's
// forward operator once more. Kernels of 100 us, forward and gradient alike.
inline model::Profile training_step(bool again) {
  TinyTrace t;
  model::Builder& b = t.builder();
  std::int64_t host = 0;
  std::int64_t device = 10'000'000;
  const auto op = [&](std::int64_t thread, std::int64_t start, std::int64_t length,
                      std::string_view name, std::string_view dims) {
    model::OpArgs args;
    args.dims = b.intern(dims);
    model::SpanRow row;
    row.start = start;
    row.duration = length;
    row.name = b.intern(name);
    row.track = b.thread_track(TinyTrace::kPid, thread);
    row.kind = model::SpanKind::kOp;
    row.args = b.args(args);
    b.add(row);
  };
  const auto kernel = [&](std::int64_t thread, std::int64_t start) {
    t.launch(thread, start, 10, kGemm, {.start = device, .duration = 100'000});
    device += 101'000;
  };
  const auto layer = [](int i) { return "[[8," + std::to_string(64 + i) + "],[64,64]]"; };
  for (int i = 0; i < 3; ++i, host += 1000) {
    op(1, host, 500, "aten::linear", layer(i));
    op(1, host + 50, 400, "aten::addmm", layer(i));
    kernel(1, host + 100);
  }
  for (int i = 2; i >= 0; --i, host += 2000) {
    op(2, host, 1900, "autograd::engine::evaluate_function: AddmmBackward0", "[]");
    if (again) {
      op(2, host + 100, 500, "aten::linear", layer(i));
      op(2, host + 150, 400, "aten::addmm", layer(i));
      kernel(2, host + 200);
    }
    op(2, host + 1000, 500, "aten::mm", layer(i));
    kernel(2, host + 1100);
  }
  model::Profile p = std::move(t).build();
  p.provenance.shapes_recorded = p.provenance.host_ops_recorded = true;
  return p;
}

}  // namespace rooflab::testing
