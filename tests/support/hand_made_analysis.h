// SPDX-License-Identifier: Apache-2.0
// An Analysis filled by hand: one device whose window is divided among the owners given, for tests
// of rules, verdict and report that are about shares and not about how they were found.
//
//   HandMade h;
//   h.own("idle.starved.input:load_batch", 90).own("compute.gemm", 10);
//   rules::evaluate(h.analysis(), nullptr);
#pragma once

#include <string>
#include <utility>

#include "analysis/analysis.h"
#include "model/columns.h"

namespace rooflab::testing {

class HandMade {
 public:
  HandMade() {
    profile_.devices.push_back({});
    profile_.devices[0].name = profile_.strings.intern("Test GPU");
    profile_.provenance.input = "hand-made";
    profile_.provenance.host_ops_recorded = true;
    a_.metrics.total.launched = 100;
  }

  // A stretch of `ms` milliseconds after those before.
  HandMade& own(const std::string& owner, std::int64_t ms) {
    if (a_.accounting.devices.empty()) {
      a_.accounting.devices.emplace_back();
      device().device = model::DeviceId(0U);
    }
    analysis::DeviceAccounting& d = device();
    const Nanos start = d.window.end;
    d.window.end += Nanos(ms * 1'000'000);
    a_.window.end = d.window.end;
    std::uint32_t index = 0;
    while (index < d.owners.size() && d.owners[index].owner != owner) ++index;
    if (index == d.owners.size()) d.owners.push_back({owner, Nanos()});
    d.owners[index].time += Nanos(ms * 1'000'000);
    analysis::Stretch stretch;
    stretch.start = start;
    stretch.end = d.window.end;
    stretch.owner = index;
    stretch.work = model::WorkId(static_cast<std::uint32_t>(d.stretches.size()));
    d.stretches.push_back(stretch);
    if (!owner.starts_with("idle")) d.busy += Nanos(ms * 1'000'000);
    a_.metrics.gpu_busy_ratio = ratio_of(d.busy, d.window.length()).value;
    return *this;
  }

  // A host span over the last stretch, as the cause of it.
  HandMade& because(const std::string& activity) {
    if (profile_.tracks.empty()) {
      profile_.processes.push_back({});
      profile_.threads.push_back({model::ProcessId(0U), 467, StringId(0U)});
      profile_.tracks.push_back({});
      profile_.tracks[0].kind = model::TrackKind::kThread;
      profile_.tracks[0].thread = model::ThreadId(0U);
    }
    analysis::Stretch& last = device().stretches.back();
    last.cause = model::SpanId(profile_.spans.size());
    model::SpanTable& s = profile_.spans;
    s.start.push_back(last.start.value);
    s.duration.push_back((last.end - last.start).value);
    s.name.push_back(profile_.strings.intern(activity));
    s.track.push_back(model::TrackId(0U));
    s.kind.push_back(model::SpanKind::kUserRange);
    s.args.emplace_back();
    s.correlation.push_back(-1);
    return *this;
  }

  analysis::KernelRow& kernel(const std::string& name, analysis::KernelClass kind,
                              std::int64_t count, Nanos sum) {
    analysis::KernelRow row;
    row.name = profile_.strings.intern(name);
    row.kernel_class = kind;
    row.count = count;
    row.sum = sum;
    row.median = row.min = row.max = Nanos(count > 0 ? sum.value / count : 0);
    a_.kernels.rows.push_back(row);
    return a_.kernels.rows.back();
  }

  // One launch of a kernel on a stream of its own: a row of work, for faults that name launches.
  model::WorkId launch(const std::string& name, std::int64_t start_ns, std::int64_t ns) {
    if (stream_.row == model::TrackId::kNone) {
      stream_ = model::TrackId(profile_.tracks.size());
      model::Track track;
      track.kind = model::TrackKind::kStream;
      track.device = model::DeviceId(0U);
      profile_.tracks.push_back(track);
    }
    model::WorkTable& work = profile_.work;
    model::for_each_column(work, [](std::string_view, auto& column) { column.emplace_back(); });
    work.start.back() = start_ns;
    work.duration.back() = ns;
    work.name.back() = profile_.strings.intern(name);
    work.track.back() = stream_;
    work.kind.back() = model::WorkKind::kKernel;
    a_.ops.emplace_back();
    return model::WorkId(work.size() - 1);
  }

  HandMade& on(hw::DeviceEntry entry) {
    hardware_ = std::move(entry);
    a_.hardware = &hardware_;
    a_.kernels.device_name = hardware_.title;
    return *this;
  }

  model::Profile& profile() { return profile_; }
  analysis::Analysis& analysis() {
    a_.profile = &profile_;
    return a_;
  }

 private:
  analysis::DeviceAccounting& device() { return a_.accounting.devices[0]; }

  model::Profile profile_;
  model::TrackId stream_;
  hw::DeviceEntry hardware_;
  analysis::Analysis a_;
};

}  // namespace rooflab::testing
