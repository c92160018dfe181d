// SPDX-License-Identifier: Apache-2.0
// Small profiles by hand, and reading a figure back out of a peer's report.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "analysis/peers/peer.h"
#include "model/builder.h"

namespace rooflab::analysis {

Peer peer_tracelens();
Peer peer_hta();
Peer peer_tensorboard();

namespace testing {

// One process with one thread (pid 1, tid 1) and one device (0) with streams; times in ns.
class HandMade {
 public:
  model::Builder& builder() { return builder_; }

  void span(model::SpanKind kind, const std::string& name, std::int64_t start, std::int64_t end) {
    add_span(kind, name, start, end, -1);
  }
  // A runtime call; its number is what `kernel` and `copy` take to be linked to it.
  std::int64_t launch(const std::string& name, std::int64_t start, std::int64_t end,
                      model::SpanKind kind = model::SpanKind::kRuntimeCall) {
    add_span(kind, name, start, end, ++last_launch_);
    return last_launch_;
  }
  // A record of a device-side wait on the stream, as made by the call numbered `launch`.
  void wait(const std::string& name, std::int64_t start, std::int64_t end, std::int64_t launch) {
    model::SpanRow row;
    row.start = start;
    row.duration = end - start;
    row.name = builder_.intern(name);
    row.track = builder_.stream_track(0, 7, 1);
    row.kind = model::SpanKind::kSync;
    row.correlation = launch;
    builder_.add(row);
  }
  void kernel(const std::string& name, std::int64_t start, std::int64_t end,
              std::int64_t launch = kUnlinked, model::LaunchConfigId config = {}) {
    add_work(model::WorkKind::kKernel, name, start, end, launch, config);
  }
  void copy(const std::string& name, std::int64_t start, std::int64_t end,
            std::int64_t launch = kUnlinked) {
    add_work(model::WorkKind::kCopy, name, start, end, launch, {});
  }
  void memset(const std::string& name, std::int64_t start, std::int64_t end,
              std::int64_t launch = kUnlinked) {
    add_work(model::WorkKind::kMemset, name, start, end, launch, {});
  }
  [[nodiscard]] model::Profile build() && { return std::move(builder_).build(); }

 private:
  static constexpr std::int64_t kUnlinked = 1000000;  // a correlation that no call has

  void add_span(model::SpanKind kind, const std::string& name, std::int64_t start, std::int64_t end,
                std::int64_t correlation) {
    model::SpanRow row;
    row.start = start;
    row.duration = end - start;
    row.name = builder_.intern(name);
    row.track = kind == model::SpanKind::kDeviceRange ? builder_.stream_track(0, 7, 1)
                                                      : builder_.thread_track(1, 1);
    row.kind = kind;
    row.correlation = correlation;
    builder_.add(row);
  }
  void add_work(model::WorkKind kind, const std::string& name, std::int64_t start, std::int64_t end,
                std::int64_t launch, model::LaunchConfigId config) {
    model::WorkRow row;
    row.start = start;
    row.duration = end - start;
    row.name = builder_.intern(name);
    row.track = builder_.stream_track(0, 7, 1);
    row.kind = kind;
    row.config = config;
    row.correlation = launch;
    builder_.add(row);
  }

  model::Builder builder_{"hand made"};
  std::int64_t last_launch_ = 0;
};

// NaN, which equals nothing, when the report has no such figure.
inline double figure(const PeerReport& report, const std::string& label, const std::string& key) {
  for (const PeerRow& row : report.rows) {
    if (row.label != label) continue;
    for (const PeerFigure& f : row.figures)
      if (f.key == key) return f.value;
  }
  ADD_FAILURE() << "no figure " << key << " in a row " << label;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace testing
}  // namespace rooflab::analysis
