// SPDX-License-Identifier: Apache-2.0
// Products with fewer blocks than the device has multiprocessors, and runs of equal ones that one
// batched product could do. That they do not depend on each other is not recorded: equal products
// with nothing between them are taken for independent, and who uses the runs must say so.
#include <algorithm>
#include <cmath>

#include "analysis/analysis.h"
#include "analysis/kernel_fault_finder.h"
#include "analysis/roofline.h"

namespace rooflab::analysis {
namespace {

// Below half of the multiprocessors most of the device idles whatever else is right.
constexpr double kFewRatio = 0.5;
// With fewer equal products in a row it may be chance.
constexpr std::size_t kLeastRun = 3;
// Where neither launch geometry nor the device is recorded: the fewest multiprocessors of a device
// in data/devices (40). Fewer tiles than that leave any of them part empty.
constexpr double kFewestMultiprocessors = 40;

class Tiles {
 public:
  Tiles(const FaultFinder& finder, KernelFaults& out) : f_(finder), out_(out) {}

  void run() {
    std::vector<std::size_t> equal;
    for (std::size_t i = 0; i < f_.p.work.size(); ++i) {
      const bool few = has_few_tiles(i);
      const bool follows = few && !equal.empty() && continues(equal.back(), i);
      if (!follows) {
        finish(equal);
        equal.clear();
      }
      if (few) equal.push_back(i);
    }
    finish(equal);
  }

 private:
  [[nodiscard]] bool is_product(std::size_t i) const {
    const OpFacts* const facts = f_.facts.of(i);
    const KernelClass c = f_.is_kernel(i) ? f_.class_of(i) : KernelClass::kOther;
    return facts != nullptr && facts->kind == OpKind::kProduct && c == KernelClass::kGemm;
  }

  // Launch geometry, else the tile in the kernel's name over the result; 0 = not known.
  [[nodiscard]] double blocks(std::size_t i) const {
    if (const double recorded = f_.blocks(i); recorded > 0) return recorded;
    const KernelPath& path = f_.path_of(i);
    const OpFacts& facts = *f_.facts.of(i);
    if (path.tile_rows <= 0) return 0;
    return facts.batch * std::ceil(facts.m / path.tile_rows) *
           std::ceil(facts.n / path.tile_columns);
  }

  bool has_few_tiles(std::size_t i) {
    if (!is_product(i)) return false;
    const int recorded = f_.multiprocessors(i);
    const double places = recorded > 0 ? recorded : kFewestMultiprocessors;
    const double count = blocks(i);
    if (count <= 0 || count > kFewRatio * places) return false;
    out_.few_tiles.push_back({model::WorkId(i), count, places, recorded > 0});
    return true;
  }

  [[nodiscard]] bool continues(std::size_t last, std::size_t i) const {
    const std::uint32_t a = f_.a.ops[last].row;
    const std::uint32_t b = f_.a.ops[i].row;
    return f_.next_on_stream(last) == i && f_.p.work.name[last] == f_.p.work.name[i] &&
           f_.p.work.config[last] == f_.p.work.config[i] && f_.facts.of(last) == f_.facts.of(i) &&
           a != b && f_.step_at(f_.p.work.start[last]) == f_.step_at(f_.p.work.start[i]);
  }

  void finish(const std::vector<std::size_t>& equal) {
    if (equal.size() < kLeastRun) return;
    const std::size_t front = equal.front();
    const OpFacts& facts = *f_.facts.of(front);
    const std::optional<LaunchWork> work = f_.works.of(front);
    const hw::DeviceEntry* const device = f_.device(front);
    const int multiprocessors = f_.multiprocessors(front);
    WorkRun run;
    const auto count = static_cast<double>(equal.size());
    run.bytes_now = run.bytes_then = work ? work->bytes * count : 0;
    if (work && device != nullptr && multiprocessors > 0) {
      run.has_time = true;
      run.then =
          longer(in_rounds(equal, multiprocessors),
                 product_time(*device, f_.ceilings, f_.ceilings.matrix_product,
                              compute_roof(*device, *work).flops_per_second, work->flops * count,
                              work->bytes * count, {facts.m, facts.n, facts.k, facts.batch * count},
                              multiprocessors));
    }
    add_run(f_, equal, run, out_.batchable);
  }

  // Each block takes as long as now; as many run at once as there are places. How many blocks of a
  // multiprocessor help each other is not known: one (least), two or as many as fit (most).
  [[nodiscard]] TimeRange in_rounds(const std::vector<std::size_t>& equal,
                                    int multiprocessors) const {
    double mean = 0;
    for (const std::size_t i : equal)
      mean += static_cast<double>(f_.p.work.duration[i]) / static_cast<double>(equal.size());
    const double all = blocks(equal.front()) * static_cast<double>(equal.size());
    const double fit = f_.places_per_multiprocessor(equal.front());
    const auto rounds = [&](double places) {
      return std::max(1.0, std::ceil(all / (multiprocessors * places))) * mean;
    };
    return {rounds(1), rounds(std::min(2.0, fit)), rounds(fit)};
  }

  const FaultFinder& f_;
  KernelFaults& out_;
};

}  // namespace

void find_few_tiles(const FaultFinder& finder, KernelFaults& out) { Tiles(finder, out).run(); }

}  // namespace rooflab::analysis
