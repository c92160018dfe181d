// SPDX-License-Identifier: Apache-2.0
// Random profiles that keep the model's rules: all tables, odd values, ties, limits of the types.
#pragma once

#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/builder.h"

namespace rooflab::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::int64_t in(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  bool chance(int percent) { return in(0, 99) < percent; }
  // Mostly small, sometimes anything, sometimes a limit.
  std::int64_t odd() {
    const std::int64_t kind = in(0, 19);
    if (kind == 0) return std::numeric_limits<std::int64_t>::max();
    if (kind == 1) return std::numeric_limits<std::int64_t>::min();
    if (kind < 4) return static_cast<std::int64_t>(engine_());
    return in(-1, 300);
  }
  std::string text() {
    std::string out(static_cast<std::size_t>(in(0, 12)), '\0');
    for (char& c : out) c = static_cast<char>(in(0, 255));
    return out;
  }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[static_cast<std::size_t>(in(0, static_cast<std::int64_t>(from.size()) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

namespace detail {

inline std::int32_t small(Random& r) { return static_cast<std::int32_t>(r.in(-1, 2048)); }

inline void add_spans(model::Builder& b, Random& r, std::int64_t count,
                      std::vector<std::pair<model::TrackId, std::int64_t>>& starts) {
  for (std::int64_t i = 0; i < count; ++i) {
    model::SpanRow row;
    row.start = r.odd();
    row.duration = r.odd();
    row.name = b.intern(r.text());
    row.track = r.chance(90) ? b.thread_track(r.in(0, 2), r.in(0, 3)) : b.other_track(r.text());
    row.kind = static_cast<model::SpanKind>(r.in(0, 8));
    row.correlation = r.odd();
    row.external_id = r.odd();
    if (r.chance(50)) {
      row.args = b.args({b.intern(r.text()), b.intern(r.text()), {}, b.intern("[]"), {}});
    }
    b.add(row);
    starts.emplace_back(row.track, row.start);
  }
}

inline void add_work(model::Builder& b, Random& r, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    model::WorkRow row;
    row.start = r.odd();
    row.duration = r.odd();
    row.name = b.intern(r.text());
    row.track = b.stream_track(r.in(0, 2), r.in(0, 3), r.in(-1, 2));
    row.kind = static_cast<model::WorkKind>(r.in(0, 2));
    row.direction = static_cast<model::CopyDirection>(r.in(0, 6));
    row.source_memory = static_cast<model::MemoryKind>(r.in(0, 5));
    row.target_memory = static_cast<model::MemoryKind>(r.in(0, 5));
    row.bytes = r.odd();
    row.graph_node = r.odd();
    row.correlation = r.odd();
    row.external_id = r.odd();
    if (r.chance(70)) {
      row.config = b.launch_config({{small(r), 1, 1}, {32, small(r), 1}, small(r), 0, 12.5F});
    }
    if (r.chance(20)) {
      model::Collective c;
      c.name = b.intern(r.text());
      c.in_elements = r.odd();
      c.group_size = small(r);
      row.collective = b.collective(c);
    }
    b.add(row);
  }
}

inline void add_points(model::Builder& b, Random& r, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const model::TrackId track = b.thread_track(r.in(0, 2), r.in(0, 3));
    b.add_memory(r.odd(), track, static_cast<model::MemoryDevice>(r.in(0, 1)), small(r), r.odd(),
                 static_cast<std::uint64_t>(r.odd()), r.odd(), -1);
    b.add_instant(r.odd(), track, b.intern(r.text()));
    b.add_counter(r.odd(), track, b.intern(r.text()), static_cast<double>(r.odd()) / 3.0);
  }
}

// What no importer adds through the builder yet.
inline void add_rest(model::Profile& p, Random& r, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto have = static_cast<std::int64_t>(p.stacks.size());
    const model::StackId caller = r.chance(30) || have == 0
                                      ? model::StackId()
                                      : model::StackId(std::size_t(r.in(0, have - 1)));
    p.stacks.push_back({p.strings.intern(r.text()), caller, p.strings.intern(r.text()),
                        p.strings.intern(r.text())});
    p.samples.time.push_back(r.odd());
    p.samples.track.push_back(model::TrackId());
    p.samples.stack.emplace_back(std::size_t(r.in(0, have)));
    p.samples.event.push_back(p.strings.intern(r.text()));
    p.samples.weight.push_back(r.odd());
    p.measured.name.push_back(p.strings.intern(r.text()));
    p.measured.device.emplace_back();
    p.measured.config.emplace_back();
    p.measured.order.push_back(r.odd());
    p.measured.process.push_back(r.odd());
    p.measured.work.emplace_back();
    p.metrics.launch.emplace_back(p.measured.size() - 1);
    p.metrics.metric.push_back(p.strings.intern(r.text()));
    p.metrics.value.push_back(static_cast<double>(r.odd()) / 7.0);
    p.provenance.metadata.emplace_back(r.text(), r.text());
    p.hygiene.add(r.text(), r.text(), r.in(0, 5), r.text(),
                  static_cast<model::Claim>(std::uint32_t(r.in(0, 31))));
  }
  for (model::Device& device : p.devices) {
    device.name = p.strings.intern(r.text());
    device.vendor = static_cast<model::Vendor>(r.in(0, 5));
    device.memory_bytes = r.odd();
    device.warp_size = small(r);
  }
  p.rank = {r.odd(), r.odd(), r.text()};
  p.provenance.importer = r.text();
  p.provenance.tool = r.text();
  p.provenance.tool_version = r.text();
  p.provenance.epoch_ns = r.odd();
  p.provenance.shapes_recorded = r.chance(50);
  p.provenance.stacks_recorded = r.chance(50);
}

}  // namespace detail

// About `size` rows in each table.
inline model::Profile random_profile(std::uint64_t seed, std::int64_t size) {
  Random r(seed);
  model::Builder b("random " + std::to_string(seed));
  std::vector<std::pair<model::TrackId, std::int64_t>> starts;
  detail::add_spans(b, r, r.in(0, size), starts);
  detail::add_work(b, r, r.in(0, size));
  detail::add_points(b, r, r.in(0, size));
  for (std::int64_t i = 0; i < size && !starts.empty(); ++i) {
    const auto& [track, start] = r.pick(starts);
    b.add_forward_backward(r.in(0, size), track, start, r.chance(50));
  }
  detail::add_rest(b.profile(), r, r.in(0, size));
  return std::move(b).build();
}

}  // namespace rooflab::testing
