// SPDX-License-Identifier: Apache-2.0
// Attention written out: a product whose result is the softmax's input (the scores), the softmax,
// and a product with its result. One attention kernel never writes the scores to memory. Whatever
// between them works on all scores (scale, mask, dropout, casts) goes too. Copies of queries, keys
// and values into the layout that the products want, and of the result back, go with the likely and
// the most: attention kernels take heads in any stride. The backward pass is found around the
// softmax's backward in the same way: it needs five products, one of them the scores again.
//
// A mask over queries and keys that all heads and sequences share is most often the causal one,
// with which half of the arithmetic is left out: so the likely and the most; the least does all.
#include <algorithm>
#include <cmath>

#include "analysis/analysis.h"
#include "analysis/kernel_fault_finder.h"
#include "analysis/roofline.h"

namespace rooflab::analysis {
namespace {

// Kernels between the softmax and its products: scale, mask, dropout, casts, and copies of the
// operands, with some to spare.
constexpr std::size_t kReach = 12;
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
  struct Written {
    std::vector<std::size_t> works;
    double copies_ns = 0;  // of those works that the least keeps
    bool causal = false;
  };

  [[nodiscard]] const OpFacts* product(std::size_t i) const {
    const OpFacts* const facts = f_.is_kernel(i) && !taken_[i] ? f_.facts.of(i) : nullptr;
    return facts != nullptr && facts->kind == OpKind::kProduct ? facts : nullptr;
  }
  [[nodiscard]] bool makes_scores(const OpFacts& p) const { return p.m * p.n * p.batch == scores_; }
  [[nodiscard]] bool reads_scores(const OpFacts& p) const { return p.m * p.k * p.batch == scores_; }
  // A kernel or copy of an operator that streams its operands.
  [[nodiscard]] const OpFacts* streaming(std::size_t i) const {
    const OpFacts* const facts = taken_[i] ? nullptr : f_.facts.of(i);
    if (facts == nullptr) return nullptr;
    const bool streams = facts->kind == OpKind::kPointwise || facts->kind == OpKind::kCopy ||
                         facts->kind == OpKind::kReduction;
    return streams ? facts : nullptr;
  }
  // Over all scores: a fused kernel does it on chip.
  [[nodiscard]] bool on_scores(std::size_t i) const {
    const OpFacts* const facts = streaming(i);
    return facts != nullptr &&
           (facts->result.elements == scores_ ||
            (!facts->reads.empty() && facts->reads.front().elements == scores_));
  }
  [[nodiscard]] bool layout_copy(std::size_t i, double elements) const {
    const OpFacts* const facts = streaming(i);
    return facts != nullptr && facts->kind == OpKind::kCopy && facts->layout_change &&
           facts->result.elements == elements;
  }
  // With one value for each query and key, whatever the head and the sequence.
  [[nodiscard]] bool masks(std::size_t i, const OpFacts& scores) const {
    const OpFacts* const facts = streaming(i);
    if (facts == nullptr || facts->kind != OpKind::kPointwise || scores.m != scores.n) return false;
    return std::any_of(facts->reads.begin(), facts->reads.end(), [&](const Operand& read) {
      return read.elements == scores.m * scores.n && scores.batch > 1;
    });
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
    Written written;
    const double q = qk.batch * qk.m * qk.k;
    const double k = qk.batch * qk.n * qk.k;
    const double v = pv.batch * pv.k * pv.n;
    std::size_t begin = made;
    while (begin > first && (layout_copy(begin - 1, q) || layout_copy(begin - 1, k) ||
                             layout_copy(begin - 1, v) || sets(begin - 1))) {
      --begin;
    }
    while (sets(begin)) ++begin;
    for (std::size_t i = begin; i <= read; ++i) {
      const bool part = i == made || i == softmax || i == read || sets(i) || on_scores(i);
      const bool copy = !part && (layout_copy(i, q) || layout_copy(i, k) || layout_copy(i, v));
      if (part || copy) written.works.push_back(i);
      if (copy) written.copies_ns += static_cast<double>(f_.p.work.duration[i]);
      written.causal = written.causal || masks(i, qk);
    }
    const double out = pv.batch * pv.m * pv.n;
    if (read + 1 < end && layout_copy(read + 1, out)) {
      written.works.push_back(read + 1);
      written.copies_ns += static_cast<double>(f_.p.work.duration[read + 1]);
    }
    if (written.causal) causal_scores_.push_back(scores_);
    const double pad = padded(qk.m) * padded(qk.n) / (qk.m * qk.n);
    const double moved =
        qk.batch * ((qk.m + qk.n) * qk.k + (pv.k + pv.m) * pv.n) * qk.element_bytes;
    report(written, made, (qk.work.flops + pv.work.flops) * pad, moved,
           f_.ceilings.attention_forward);
  }

  // Products set counters to zero before they run.
  [[nodiscard]] bool sets(std::size_t i) const {
    return f_.p.work.kind[i] == model::WorkKind::kMemset;
  }

  void backward(std::size_t softmax) {
    Written written;
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
      if (part || i == softmax || on_scores(i)) written.works.push_back(i);
    }
    written.causal =
        std::find(causal_scores_.begin(), causal_scores_.end(), scores_) != causal_scores_.end();
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
    report(written, matrix, kProducts * one->work.flops * pad, moved,
           f_.ceilings.attention_backward);
  }

  void report(const Written& written, std::size_t matrix, double flops, double moved,
              const hw::Ceiling& ceiling) {
    const std::optional<LaunchWork> work = f_.works.of(matrix);
    const hw::DeviceEntry* const device = f_.device(matrix);
    WorkRun run;
    run.bytes_then = moved;
    double now = 0;
    for (const std::size_t i : written.works) {
      if (const OpFacts* facts = f_.facts.of(i)) run.bytes_now += facts->work.bytes;
      now += static_cast<double>(f_.p.work.duration[i]);
    }
    if (work && device != nullptr) {
      const double peak = compute_roof(*device, *work).flops_per_second;
      if (peak <= 0) return;
      run.has_time = true;
      const auto time = [&](double of_flops) {
        return longer(product_time(*device, f_.ceilings, ceiling, peak, of_flops, moved, {}, -1),
                      floor_time(f_.ceilings.product_floor));
      };
      run.then = time(written.causal ? flops / 2 : flops);
      run.then.longest = time(flops).longest + written.copies_ns;
      if (run.then.likely >= now) return;
    }
    for (const std::size_t i : written.works) taken_[i] = true;
    add_run(f_, written.works, run, out_.attention);
  }

  const FaultFinder& f_;
  KernelFaults& out_;
  std::vector<bool> taken_;
  std::vector<double> causal_scores_;  // elements of the scores that a forward pass masked
  double scores_ = 0;
};

}  // namespace

void find_unfused_attention(const FaultFinder& finder, KernelFaults& out) {
  Attentions(finder, out).run();
}

}  // namespace rooflab::analysis
