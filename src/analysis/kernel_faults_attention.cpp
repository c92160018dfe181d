// SPDX-License-Identifier: Apache-2.0
// Attention written out: a product whose result is the softmax's input (the scores), the softmax,
// and a product with its result. One attention kernel never writes the scores to memory. Kernels
// between them that work on all scores (scale, mask, dropout, casts) go too; copies of queries,
// keys and values stay. The backward pass is found around the softmax's backward in the same way:
// it needs five products, one of them the scores again.
#include <algorithm>
#include <cmath>

#include "analysis/analysis.h"
#include "analysis/kernel_fault_finder.h"
#include "analysis/roofline.h"

namespace rooflab::analysis {
namespace {

// Kernels between the softmax and its products: scale, mask, dropout, casts, and copies of the
// operands, with some to spare.
constexpr std::size_t kReach = 8;
// Attention kernels work on tiles of 64 queries by 64 keys or more.
constexpr double kTile = 64;

double padded(double size) { return std::ceil(size / kTile) * kTile; }

class Attentions {
 public:
  Attentions(const FaultFinder& finder, KernelFaults& out)
      : f_(finder), out_(out), taken_(finder.p.work.size(), false) {}

  void run() {
    for (std::size_t i = 0; i < f_.p.work.size(); ++i) {
      const OpFacts* const facts = f_.is_kernel(i) ? f_.facts.of(i) : nullptr;
      if (facts == nullptr || facts->reads.empty()) continue;
      scores_ = facts->result.elements;
      if (facts->kind == OpKind::kSoftmax) forward(i);
      if (facts->kind == OpKind::kSoftmaxBackward) backward(i);
    }
  }

 private:
  [[nodiscard]] const OpFacts* product(std::size_t i) const {
    const OpFacts* const facts = f_.is_kernel(i) && !taken_[i] ? f_.facts.of(i) : nullptr;
    return facts != nullptr && facts->kind == OpKind::kProduct ? facts : nullptr;
  }
  [[nodiscard]] bool makes_scores(const OpFacts& p) const { return p.m * p.n * p.batch == scores_; }
  [[nodiscard]] bool reads_scores(const OpFacts& p) const { return p.m * p.k * p.batch == scores_; }
  // A kernel over all scores that a fused kernel does on chip.
  [[nodiscard]] bool on_scores(std::size_t i) const {
    const OpFacts* const facts = f_.is_kernel(i) && !taken_[i] ? f_.facts.of(i) : nullptr;
    if (facts == nullptr) return false;
    const bool streams = facts->kind == OpKind::kPointwise || facts->kind == OpKind::kCopy ||
                         facts->kind == OpKind::kReduction;
    return streams && (facts->result.elements == scores_ ||
                       (!facts->reads.empty() && facts->reads.front().elements == scores_));
  }

  [[nodiscard]] std::size_t first_near(std::size_t i) const {
    std::size_t at = i;
    while (at > 0 && i - at < kReach && f_.p.work.track[at - 1] == f_.p.work.track[i]) --at;
    return at;
  }
  [[nodiscard]] std::size_t end_near(std::size_t i) const {
    std::size_t end = i + 1;
    while (end < f_.p.work.size() && end - i <= kReach &&
           f_.p.work.track[end] == f_.p.work.track[i])
      ++end;
    return end;
  }

  void forward(std::size_t softmax) {
    std::size_t made = softmax;
    const std::size_t first = first_near(softmax);
    for (std::size_t i = softmax; i-- > first && made == softmax;) {
      if (const OpFacts* p = product(i); p != nullptr && makes_scores(*p)) made = i;
    }
    std::size_t read = softmax;
    const std::size_t end = end_near(softmax);
    for (std::size_t i = softmax + 1; i < end && read == softmax; ++i) {
      if (const OpFacts* p = product(i); p != nullptr && reads_scores(*p)) read = i;
    }
    if (made == softmax || read == softmax) return;
    const OpFacts& qk = *f_.facts.of(made);
    const OpFacts& pv = *f_.facts.of(read);
    if (qk.weight_operand || pv.weight_operand) return;  // a layer, not keys or values
    std::vector<std::size_t> works;
    for (std::size_t i = made; i <= read; ++i) {
      if (i == made || i == softmax || i == read || on_scores(i)) works.push_back(i);
    }
    const double pad = padded(qk.m) * padded(qk.n) / (qk.m * qk.n);
    const double moved =
        qk.batch * ((qk.m + qk.n) * qk.k + (pv.k + pv.m) * pv.n) * qk.element_bytes;
    report(works, made, (qk.work.flops + pv.work.flops) * pad, moved,
           f_.ceilings.attention_forward);
  }

  void backward(std::size_t softmax) {
    std::vector<std::size_t> works;
    const OpFacts* one = nullptr;
    std::size_t matrix = softmax;
    std::size_t products = 0;
    for (std::size_t i = first_near(softmax); i < end_near(softmax); ++i) {
      const OpFacts* const p = product(i);
      const bool part =
          p != nullptr && !p->weight_operand && (makes_scores(*p) || reads_scores(*p));
      if (part) {
        one = p;
        matrix = i;
        ++products;
      }
      if (part || i == softmax || on_scores(i)) works.push_back(i);
    }
    constexpr std::size_t kLeastProducts = 3;  // of four; one may be far away
    if (products < kLeastProducts) return;
    const bool makes = makes_scores(*one);
    const double columns = makes ? one->n : one->k;  // the other side of the scores
    const double head = makes ? one->k : one->n;
    const double pad = padded(one->m) * padded(columns) / (one->m * columns);
    constexpr double kProducts = 5;
    constexpr double kTensors = 8;  // q, k, v, out, grad in; dq, dk, dv out
    const double moved =
        kTensors * one->batch * std::max(one->m, columns) * head * one->element_bytes;
    report(works, matrix, kProducts * one->work.flops * pad, moved, f_.ceilings.attention_backward);
  }

  void report(const std::vector<std::size_t>& works, std::size_t matrix, double flops, double moved,
              const hw::Ceiling& ceiling) {
    const std::optional<LaunchWork> work = f_.works.of(matrix);
    const hw::DeviceEntry* const device = f_.device(matrix);
    WorkRun run;
    run.bytes_then = moved;
    double now = 0;
    for (const std::size_t i : works) {
      if (const OpFacts* facts = f_.facts.of(i)) run.bytes_now += facts->work.bytes;
      now += static_cast<double>(f_.p.work.duration[i]);
    }
    if (work && device != nullptr) {
      const double peak = compute_roof(*device, *work).flops_per_second;
      if (peak <= 0) return;
      run.has_time = true;
      run.then = longer(product_time(*device, f_.ceilings, ceiling, peak, flops, moved, {}, -1),
                        floor_time(f_.ceilings.product_floor));
      if (run.then.likely >= now) return;
    }
    for (const std::size_t i : works) taken_[i] = true;
    add_run(f_, works, run, out_.attention);
  }

  const FaultFinder& f_;
  KernelFaults& out_;
  std::vector<bool> taken_;
  double scores_ = 0;
};

}  // namespace

void find_unfused_attention(const FaultFinder& finder, KernelFaults& out) {
  Attentions(finder, out).run();
}

}  // namespace rooflab::analysis
