// SPDX-License-Identifier: Apache-2.0
#include "analysis/peers/tensorboard/events.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "analysis/peers/shared/name_test.h"

namespace rooflab::analysis::tensorboard {
namespace {

using model::SpanKind;
using model::WorkKind;

Interval span_time(const model::Profile& p, std::size_t row) {
  return {Nanos(p.spans.start[row]), Nanos(p.spans.end(row))};
}

Interval work_time(const model::Profile& p, std::size_t row) {
  return {Nanos(p.work.start[row]), Nanos(p.work.end(row))};
}

std::string step_number(std::string_view marker) {
  const std::size_t hash = marker.find('#');
  return std::string(hash == std::string_view::npos ? marker : marker.substr(hash + 1));
}

// Sorts host spans into roles; spans are read once, and names tested once each.
class HostRoles {
 public:
  HostRoles(const model::Profile& p, bool device_markers, Events& events)
      : p_(p),
        device_markers_(device_markers),
        events_(events),
        is_step_(p, "tensorboard", "step"),
        is_loader_(p, "tensorboard", "data_loader"),
        is_communication_(p, "tensorboard", "communication") {}

  void add(std::size_t row) {
    const SpanKind kind = p_.spans.kind[row];
    if (kind == SpanKind::kRuntimeCall) return put(Role::kRuntime, row);
    const bool projected = kind == SpanKind::kDeviceRange && device_markers_;
    if (kind != SpanKind::kOp && kind != SpanKind::kUserRange && !projected) return;
    if (kind == SpanKind::kOp) {
      const Interval time = span_time(p_, row);
      events_.operators.start = std::min(events_.operators.start, time.start);
      events_.operators.end = std::max(events_.operators.end, time.end);
    }
    const StringId name = p_.spans.name[row];
    if (is_step_(name)) {
      events_.steps.push_back({span_time(p_, row), step_number(p_.text(name))});
    } else if (is_loader_(name)) {
      put(Role::kDataLoader, row);
    } else {
      put(is_communication_(name) ? Role::kCommunication : Role::kCpuExec, row);
    }
  }

 private:
  void put(Role role, std::size_t row) {
    events_.roles[static_cast<std::size_t>(role)].push_back(span_time(p_, row));
  }

  const model::Profile& p_;
  bool device_markers_;
  Events& events_;
  NameTest is_step_, is_loader_, is_communication_;
};

// By span row: 1 for operators that are collectives and for calls whose innermost operator is one.
std::vector<std::uint8_t> collective_calls(const model::Profile& p) {
  NameTest is_communication(p, "tensorboard", "communication");
  const auto& spans = p.spans;
  std::vector<std::uint8_t> marks(spans.size(), 0);
  std::vector<std::size_t> open;  // the operators around the current row, outermost first
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (i > 0 && spans.track[i] != spans.track[i - 1]) open.clear();
    while (!open.empty() && spans.end(open.back()) <= spans.start[i]) open.pop_back();
    if (spans.kind[i] == SpanKind::kOp) {
      marks[i] = is_communication(spans.name[i]) ? 1 : 0;
      open.push_back(i);
    } else if (spans.kind[i] == SpanKind::kRuntimeCall && !open.empty()) {
      marks[i] = marks[open.back()];
    }
  }
  return marks;
}

Role role_of_work(const model::Profile& p, std::size_t row,
                  const std::vector<std::uint8_t>& collective) {
  switch (p.work.kind[row]) {
    case WorkKind::kCopy:
      return Role::kMemcpy;
    case WorkKind::kMemset:
      return Role::kMemset;
    case WorkKind::kKernel:
      break;
  }
  const model::SpanId by = p.work.launch[row].valid() ? p.work.launch[row] : p.work.op[row];
  return by.valid() && collective[by.row] != 0 ? Role::kCommunication : Role::kKernel;
}

// Device work and the runtime call that launched it. Driver calls are no launches to the plugin.
struct Launched {
  Interval call, work;
  std::size_t row = 0;
};

std::vector<Launched> launched_work(const model::Profile& p) {
  std::vector<Launched> launched;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const model::SpanId call = p.work.launch[i];
    if (call.valid() && p.spans.kind[call.row] == SpanKind::kRuntimeCall)
      launched.push_back({span_time(p, call.row), work_time(p, i), i});
  }
  std::sort(launched.begin(), launched.end(), [](const Launched& a, const Launched& b) {
    return a.call.start != b.call.start ? a.call.start < b.call.start : a.row < b.row;
  });
  return launched;
}

struct StepWork {
  Interval extent{kNanosMax, kNanosMin};
  std::int64_t count = 0;
};

// Both lists are ordered by start; a call belongs to the step that contains it whole.
std::vector<StepWork> work_of_steps(const std::vector<Step>& steps,
                                    const std::vector<Launched>& launched,
                                    std::vector<std::uint8_t>& matched) {
  std::vector<StepWork> found(steps.size());
  std::size_t next = 0;
  for (std::size_t s = 0; s < steps.size(); ++s) {
    for (; next < launched.size(); ++next) {
      const Launched& one = launched[next];
      if (one.call.start < steps[s].time.start) continue;
      if (one.call.end > steps[s].time.end) {
        if (one.call.start < steps[s].time.end) continue;
        break;
      }
      found[s].extent.start = std::min(found[s].extent.start, one.work.start);
      found[s].extent.end = std::max(found[s].extent.end, one.work.end);
      ++found[s].count;
      matched[one.row] = 1;
    }
  }
  return found;
}

// Where the first step may start: not before work of the step before it has ended.
Nanos first_start(const model::Profile& p, const std::vector<Step>& steps, const StepWork& first,
                  const std::vector<std::uint8_t>& matched) {
  Nanos start = steps.front().time.start;
  if (first.count == 0) return start;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const Nanos end(p.work.end(i));
    if (matched[i] == 0 && end < first.extent.start) start = std::max(start, end);
  }
  return start;
}

void drop_cut_tail(std::vector<Step>& steps, const std::vector<StepWork>& work) {
  if (steps.size() < 2) return;
  std::size_t last = steps.size();
  while (last > 0 && work[last - 1].count == 0) --last;
  if (last == 0) return;
  const bool cut = last > 1 && static_cast<double>(work[last - 2].count) * 0.8 >
                                   static_cast<double>(work[last - 1].count);
  steps.resize(cut ? last - 1 : last);
}

}  // namespace

Events collect(const model::Profile& p, bool device_markers) {
  Events events;
  HostRoles host(p, device_markers, events);
  for (std::size_t i = 0; i < p.spans.size(); ++i) host.add(i);
  const std::vector<std::uint8_t> collective = collective_calls(p);
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const Role role = role_of_work(p, i, collective);
    events.roles[static_cast<std::size_t>(role)].push_back(work_time(p, i));
  }
  for (Intervals& role : events.roles) role = unite(std::move(role));
  std::stable_sort(events.steps.begin(), events.steps.end(),
                   [](const Step& a, const Step& b) { return a.time.start < b.time.start; });
  return events;
}

std::vector<Step> device_steps(const model::Profile& p, const Events& events) {
  std::vector<Step> steps = events.steps;
  if (steps.empty() && events.operators.start <= events.operators.end)
    steps.push_back({events.operators, "0"});
  if (steps.empty()) return steps;
  std::vector<std::uint8_t> matched(p.work.size(), 0);
  const std::vector<StepWork> work = work_of_steps(steps, launched_work(p), matched);
  if (std::find(matched.begin(), matched.end(), 1) == matched.end()) return steps;
  Nanos previous_end = first_start(p, steps, work.front(), matched);
  for (std::size_t s = 0; s < steps.size(); ++s) {
    Interval& time = steps[s].time;
    time.start = std::max(previous_end, time.start);
    time.end = std::max(time.end, time.start);
    if (work[s].count > 0) time.end = std::max(time.end, work[s].extent.end);
    previous_end = time.end;
  }
  drop_cut_tail(steps, work);
  return steps;
}

}  // namespace rooflab::analysis::tensorboard
