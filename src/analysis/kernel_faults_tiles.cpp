// SPDX-License-Identifier: Apache-2.0
// Products with fewer blocks than the device has multiprocessors, and runs of equal ones that one
// batched product could do. That they do not depend on each other is not recorded: equal products
// with nothing between them are taken for independent, and who uses the runs must say so.
//
// A library also splits the inner axis of a product with few tiles over more blocks and adds their
// parts in a second kernel. Such blocks fill the device but each does little, so the tiles count,
// and only where the shapes show that no product can be the next one's operand.
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
// The usual smaller result tile of library kernels for 16-bit operands (see kernel_time.cpp).
constexpr double kTile = 128;

// What one operator put on a stream, without anything else between.
struct Product {
  std::size_t first = 0, end = 0;  // work rows
  std::size_t head = 0;            // the product's own kernel
  std::uint32_t kernels = 0;
  bool split = false;  // its inner axis, over blocks
};

class Tiles {
 public:
  Tiles(const FaultFinder& finder, KernelFaults& out) : f_(finder), out_(out) {}

  void run() {
    std::vector<Product> equal;
    for (std::size_t i = 0; i < f_.p.work.size();) {
      Product product = product_at(i);
      i = product.end;
      const bool few = has_few_tiles(product);
      if (!few || (!equal.empty() && !continues(equal.back(), product))) {
        finish(equal);
        equal.clear();
      }
      if (few) equal.push_back(product);
    }
    finish(equal);
    std::sort(out_.few_tiles.begin(), out_.few_tiles.end(),
              [](const FewTiles& a, const FewTiles& b) { return a.work.row < b.work.row; });
  }

 private:
  [[nodiscard]] Product product_at(std::size_t i) const {
    Product product{i, i + 1, f_.p.work.size(), f_.is_kernel(i) ? 1U : 0U, false};
    if (is_product(i)) product.head = i;
    const model::SpanId op = op_of(i);
    if (!op.valid()) return product;
    while (f_.next_on_stream(product.end - 1) == product.end && op_of(product.end) == op) {
      const std::size_t row = product.end++;
      if (f_.is_kernel(row)) ++product.kernels;
      if (product.head == f_.p.work.size() && is_product(row)) product.head = row;
    }
    return product;
  }

  [[nodiscard]] model::SpanId op_of(std::size_t i) const {
    return i < f_.a.ops.size() ? f_.a.ops[i] : model::SpanId();
  }
  [[nodiscard]] double places(std::size_t i) const {
    const int recorded = f_.multiprocessors(i);
    return recorded > 0 ? recorded : kFewestMultiprocessors;
  }

  [[nodiscard]] bool is_product(std::size_t i) const {
    const OpFacts* const facts = f_.facts.of(i);
    const KernelClass c = f_.is_kernel(i) ? f_.class_of(i) : KernelClass::kOther;
    return facts != nullptr && facts->kind == OpKind::kProduct && c == KernelClass::kGemm;
  }

  // No value of the result's size among the operands: one product's result cannot be the next one's
  // operand, however it is viewed.
  static bool surely_independent(const OpFacts& facts) {
    return facts.n != facts.k && facts.m != facts.k;
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

  bool has_few_tiles(Product& product) {
    if (product.head >= f_.p.work.size()) return false;
    const double few = kFewRatio * places(product.head);
    const double count = blocks(product.head);
    if (count <= 0) return false;
    if (count <= few) {
      out_.few_tiles.push_back({model::WorkId(product.head), count, places(product.head),
                                f_.multiprocessors(product.head) > 0});
    }
    if (product.kernels == 1) return count <= few;
    const OpFacts& facts = *f_.facts.of(product.head);
    product.split = true;
    return tiles(facts) <= few && surely_independent(facts);
  }

  static double tiles(const OpFacts& facts) {
    return facts.batch * std::ceil(facts.m / kTile) * std::ceil(facts.n / kTile);
  }

  [[nodiscard]] bool continues(const Product& last, const Product& next) const {
    const model::WorkTable& w = f_.p.work;
    return f_.next_on_stream(last.end - 1) == next.first && last.kernels == next.kernels &&
           w.name[last.head] == w.name[next.head] && w.config[last.head] == w.config[next.head] &&
           f_.facts.of(last.head) == f_.facts.of(next.head) &&
           f_.a.ops[last.head] != f_.a.ops[next.head] &&
           f_.step_at(w.start[last.head]) == f_.step_at(w.start[next.head]);
  }

  void finish(const std::vector<Product>& equal) {
    if (equal.size() < kLeastRun) return;
    const std::size_t front = equal.front().head;
    const OpFacts& facts = *f_.facts.of(front);
    const std::optional<LaunchWork> work = f_.works.of(front);
    const hw::DeviceEntry* const device = f_.device(front);
    const int multiprocessors = f_.multiprocessors(front);
    const auto count = static_cast<double>(equal.size());
    WorkRun run;
    run.bytes_now = run.bytes_then = work ? facts.work.bytes * count : 0;
    if (work && device != nullptr && multiprocessors > 0) {
      run.has_time = true;
      run.then = product_time(*device, f_.ceilings, f_.ceilings.matrix_product,
                              compute_roof(*device, *work).flops_per_second,
                              facts.work.flops * count, facts.work.bytes * count,
                              {facts.m, facts.n, facts.k, facts.batch * count}, multiprocessors);
      // A batched product does not split: its blocks are others than today's.
      if (!equal.front().split) run.then = longer(in_rounds(equal, multiprocessors), run.then);
    }
    std::vector<std::size_t> works;
    for (const Product& product : equal) {
      for (std::size_t i = product.first; i < product.end; ++i) works.push_back(i);
      if (product.split) note_split(product);
    }
    add_run(f_, works, run, out_.batchable);
  }

  void note_split(const Product& product) {
    const std::size_t head = product.head;
    if (blocks(head) <= kFewRatio * places(head)) return;  // noted for its blocks
    std::int64_t more = 0;
    for (std::size_t i = product.first; i < product.end; ++i)
      if (i != head) more = saturating_add(more, f_.p.work.duration[i]);
    out_.few_tiles.push_back({model::WorkId(head), tiles(*f_.facts.of(head)), places(head),
                              f_.multiprocessors(head) > 0, true, more});
  }

  // Each block takes as long as now; as many run at once as there are places. How many blocks of a
  // multiprocessor help each other is not known: one (least), two or as many as fit (most).
  [[nodiscard]] TimeRange in_rounds(const std::vector<Product>& equal, int multiprocessors) const {
    double mean = 0;
    for (const Product& product : equal)
      mean +=
          static_cast<double>(f_.p.work.duration[product.head]) / static_cast<double>(equal.size());
    const double all = blocks(equal.front().head) * static_cast<double>(equal.size());
    const double fit = f_.places_per_multiprocessor(equal.front().head);
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
