// SPDX-License-Identifier: Apache-2.0
// What must hold for any profile: owners sum to the window, and the answer does not depend on row
// order, on a kernel being cut in two that touch, or on streams without work.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "analysis/accounting.h"
#include "support/tiny_trace.h"

namespace rooflab::analysis {
namespace {

using model::CopyDirection;
using model::MemoryKind;
using testing::TinyTrace;

using Owners = std::map<std::pair<std::int64_t, std::string>, std::int64_t>;

struct HostRow {
  int thread = 0, start = 0, duration = 0, name = 0, kind = 0;
};
struct WorkSpecRow {
  int start = 0, duration = 0, stream = 0, device = 0, name = 0;
  int launch_start = 0, launch_duration = 0, thread = 0;
  bool linked = false;
};
struct Recipe {
  std::vector<HostRow> host;
  std::vector<WorkSpecRow> work;
};

// Starts on one stream are distinct: the order of equal ones is the file's, and nothing else could
// settle it.
Recipe random_recipe() {
  Recipe r;
  const int hosts = *rc::gen::inRange(0, 25);
  for (int i = 0; i < hosts; ++i) {
    r.host.push_back({*rc::gen::inRange(1, 4), *rc::gen::inRange(0, 400), *rc::gen::inRange(0, 120),
                      *rc::gen::inRange(0, 6), *rc::gen::inRange(0, 5)});
  }
  const int works = *rc::gen::inRange(0, 25);
  std::map<std::pair<int, int>, int> next_start;
  for (int i = 0; i < works; ++i) {
    WorkSpecRow w;
    w.stream = *rc::gen::inRange(1, 4);
    w.device = *rc::gen::inRange(0, 2);
    int& next = next_start[{w.device, w.stream}];
    w.start = next + *rc::gen::inRange(0, 60);
    next = w.start + 1;
    w.duration = *rc::gen::inRange(0, 80);
    w.name = i;
    w.launch_start = w.start - *rc::gen::inRange(-20, 100);
    w.launch_duration = *rc::gen::inRange(0, 40);
    w.thread = *rc::gen::inRange(1, 4);
    w.linked = *rc::gen::inRange(0, 4) > 0;
    r.work.push_back(w);
  }
  return r;
}

constexpr const char* kHostNames[] = {"aten::mm",   "load_batch",     "cudaStreamSynchronize",
                                      "cudaMalloc", "train.py(1): f", "my range"};
constexpr model::SpanKind kHostKinds[] = {model::SpanKind::kOp, model::SpanKind::kUserRange,
                                          model::SpanKind::kRuntimeCall, model::SpanKind::kPython,
                                          model::SpanKind::kOverhead};

void add_work(TinyTrace& t, const WorkSpecRow& w, int start, int duration,
              std::int64_t correlation) {
  const testing::WorkSpec spec{start, duration, w.stream, w.device, -1};
  // Names are by row, so that two works of one stream never have the same.
  const std::string suffix = "_" + std::to_string(w.name);
  switch (w.name % 5) {
    case 0:
      t.kernel("sgemm" + suffix, spec, correlation);
      break;
    case 1:
      t.kernel("ncclDevKernel_AllReduce" + suffix, spec, correlation);
      break;
    case 2:
      t.kernel("vectorized_elementwise_kernel" + suffix, spec, correlation);
      break;
    case 3:
      t.kernel("Memset kernel" + suffix, spec, correlation);
      break;
    default:
      t.kernel("layer_norm_kernel" + suffix, spec, correlation);
      break;
  }
}

TinyTrace make(const Recipe& r, bool halves = false) {
  TinyTrace t;
  for (const HostRow& h : r.host) {
    t.span(h.thread, h.start, h.duration, kHostNames[h.name], kHostKinds[h.kind]);
  }
  for (const WorkSpecRow& w : r.work) {
    const std::int64_t correlation =
        w.linked ? t.launch_call(w.thread, w.launch_start, w.launch_duration) : -1;
    const int half = halves ? w.duration / 2 : 0;
    if (half > 0) add_work(t, w, w.start, half, correlation);
    add_work(t, w, w.start + half, w.duration - half, correlation);
  }
  return t;
}

model::Profile build(const Recipe& r, bool halves = false) {
  TinyTrace t = make(r, halves);
  return std::move(t).build();
}

Owners owners_of(const model::Profile& p, bool whole_trace = false) {
  const HostTree tree = build_host_tree(p);
  const KernelClasses classes = classify_kernels(p);
  const Selection selection;
  const Units units;  // the device span: what is tested here is the sweep
  const Result<Window> window = choose_window(p, units, selection);
  Owners out;
  if (!window) return out;
  const Accounting accounting = account(p, tree, classes, units, *window, selection, whole_trace);
  for (const DeviceAccounting& d : accounting.devices) {
    std::int64_t sum = 0;
    for (const OwnerShare& o : d.owners) {
      sum += o.time.value;
      out[{p.devices[d.device.row].index, o.owner}] = o.time.value;
    }
    RC_ASSERT(sum == d.total().value);
    std::vector<std::int64_t> by_stretch(d.owners.size(), 0);
    Nanos at = d.window.start;
    for (const Stretch& s : d.stretches) {
      RC_ASSERT(s.start == at);
      RC_ASSERT(s.end > s.start);
      at = s.end;
      by_stretch[s.owner] += (s.end - s.start).value;
    }
    RC_ASSERT(at == d.window.end);
    for (std::size_t i = 0; i < by_stretch.size(); ++i) {
      RC_ASSERT(by_stretch[i] == d.owners[i].time.value);
    }
  }
  return out;
}

TEST(AccountingProperty, OwnersSumToTheWindow) {
  EXPECT_TRUE(rc::check("owners and stretches cover the window exactly", [] {
    const Recipe recipe = random_recipe();
    owners_of(build(recipe));
    owners_of(build(recipe), true);
  }));
}

TEST(AccountingProperty, RowOrderDoesNotMatter) {
  EXPECT_TRUE(rc::check("rows in reverse give the same owners", [] {
    Recipe recipe = random_recipe();
    // Spans that begin and end together on one thread nest in the order of the file: keep them
    // apart.
    for (std::size_t i = 0; i < recipe.host.size(); ++i) {
      recipe.host[i].start = static_cast<int>(i) * 17 % 400;
    }
    for (std::size_t i = 0; i < recipe.work.size(); ++i)
      recipe.work[i].launch_duration = 41 + static_cast<int>(i);
    const Owners forward = owners_of(build(recipe));
    std::reverse(recipe.host.begin(), recipe.host.end());
    std::reverse(recipe.work.begin(), recipe.work.end());
    RC_ASSERT(owners_of(build(recipe)) == forward);
  }));
}

TEST(AccountingProperty, CuttingKernelsInTwoTouchingOnesChangesNothing) {
  EXPECT_TRUE(rc::check("halves give the same owners", [] {
    const Recipe recipe = random_recipe();
    RC_ASSERT(owners_of(build(recipe, true)) == owners_of(build(recipe)));
  }));
}

TEST(AccountingProperty, AnEmptyStreamChangesNothing) {
  EXPECT_TRUE(rc::check("streams and threads without rows give the same owners", [] {
    const Recipe recipe = random_recipe();
    const Owners plain = owners_of(build(recipe));
    TinyTrace t = make(recipe);
    t.builder().stream_track(0, 99, TinyTrace::kPid);
    t.builder().thread_track(TinyTrace::kPid, 99);
    RC_ASSERT(owners_of(std::move(t).build()) == plain);
  }));
}

}  // namespace
}  // namespace rooflab::analysis
