// SPDX-License-Identifier: Apache-2.0
// Chains of memory-bound elementwise kernels and reductions over one tensor, next to each other on
// a stream: each reads from memory what the one before has just written. One kernel would read the
// chain's inputs and write its result.
//
// Which tensor is which is not recorded, only shapes. An operand as large as the chain's tensor is
// taken for the value of the kernel before it; a second one may be an older value of the chain
// (nothing to read) or a new input (to be read): `least` reads all of them, `most` none, `likely`
// half. In training, values between may have to be kept for the backward pass: `least` writes all
// of them, `likely` half of the reads' saving is kept.
//
// A fused kernel keeps a row on chip while it reduces it and applies what it found: mean, variance,
// scale and shift of one normalisation. A second one starts from the first one's result, which is
// written and read again; so a chain ends before a reduction that follows a finished one.
#include <algorithm>
#include <cmath>

#include "analysis/analysis.h"
#include "analysis/kernel_fault_finder.h"

namespace rooflab::analysis {
namespace {

// Of the chain's time its compulsory traffic must explain this share at the full bandwidth: below,
// the kernels are short and not bound by memory.
constexpr double kLeastMemoryShare = 0.3;
// Values for each row (a mean, a variance) have at most a sixteenth of the elements.
constexpr double kSmallRatio = 1.0 / 16;
constexpr double kLikelyShare = 0.5;
constexpr std::size_t kLongestChain = 64;  // compilers do not fuse without bound
// Reductions that need one another, of a kernel: mean and variance, maximum and sum.
constexpr int kMostStages = 2;

struct Traffic {
  double now = 0;
  double surely = 0;   // read or written by any fused kernel
  double perhaps = 0;  // second operands that may be new inputs
  double kept = 0;     // values between, if they must be written too
};

class Chains {
 public:
  Chains(const FaultFinder& finder, KernelFaults& out) : f_(finder), out_(out) {}

  void run() {
    for (std::size_t i = 0; i < f_.p.work.size(); ++i) {
      const OpFacts* const facts = streaming(i);
      if (facts == nullptr || (!chain_.empty() && !continues(i, *facts))) finish();
      if (facts != nullptr) add(i, *facts);
    }
    finish();
  }

 private:
  // The operator's facts if this is its only kernel, and it streams.
  [[nodiscard]] const OpFacts* streaming(std::size_t i) const {
    if (!f_.is_kernel(i) || f_.kernels_of_op(i) != 1 || f_.optimizer(i).valid()) return nullptr;
    const OpFacts* const facts = f_.facts.of(i);
    if (facts == nullptr) return nullptr;
    const bool streams = facts->kind == OpKind::kPointwise || facts->kind == OpKind::kReduction ||
                         (facts->kind == OpKind::kCopy && !facts->layout_change);
    return streams ? facts : nullptr;
  }

  static double largest(const OpFacts& facts) {
    double elements = facts.result.elements;
    for (const Operand& read : facts.reads) elements = std::max(elements, read.elements);
    return elements;
  }

  [[nodiscard]] bool continues(std::size_t i, const OpFacts& facts) const {
    const std::size_t last = chain_.back();
    if (chain_.size() >= kLongestChain || ended_ || f_.next_on_stream(last) != i) return false;
    if (f_.a.ops[last] == f_.a.ops[i] || repeats(facts)) return false;
    if (f_.step_at(f_.p.work.start[last]) != f_.step_at(f_.p.work.start[i])) return false;
    if (facts.kind == OpKind::kReduction && stages_ > 0 &&
        (finished_ || (applied_ && stages_ >= kMostStages))) {
      return false;
    }
    const double size = largest(facts);
    if (size == elements_) return reads_full(facts);
    // Values for each row, made in the chain.
    return size <= elements_ * kSmallRatio && row_elements_ > 0 && size == row_elements_;
  }

  [[nodiscard]] bool reads_full(const OpFacts& facts) const {
    return std::any_of(facts.reads.begin(), facts.reads.end(),
                       [&](const Operand& read) { return read.elements == elements_; });
  }

  // A call that is repeated: a loop over the same operands rather than a chain, where the same call
  // stands twice in a row or nothing else tells where a step ends.
  [[nodiscard]] bool repeats(const OpFacts& facts) const {
    if (f_.facts.of(chain_.back()) == &facts) return true;
    return !f_.has_steps() && std::any_of(chain_.begin(), chain_.end(),
                                          [&](std::size_t i) { return f_.facts.of(i) == &facts; });
  }

  void add(std::size_t i, const OpFacts& facts) {
    const bool first = chain_.empty();
    if (first) elements_ = largest(facts);
    bool chained = first;  // the first kernel's operands all come from memory
    double reads = 0;
    for (const Operand& read : facts.reads) {
      const bool full = read.elements == elements_;
      reads += read.bytes;
      if (first) {
        traffic_.surely += read.bytes;
      } else if (full && !chained) {
        chained = true;  // what the kernel before it left on chip
      } else if (full) {
        traffic_.perhaps += read.bytes;
      } else if (read.elements != row_elements_) {
        traffic_.surely += read.bytes;
      }
    }
    if (!first) traffic_.kept += last_result_;
    traffic_.now += reads + facts.result.bytes;
    last_result_ = facts.result.bytes;
    const bool full_kernel = largest(facts) == elements_;
    if (full_kernel) ++full_kernels_;
    if (full_kernel && facts.kind != OpKind::kReduction) apply(facts);
    if (facts.kind == OpKind::kReduction) {
      if (stages_ == 0 || applied_) ++stages_;  // mean and maximum of one tensor are one stage
      applied_ = false;
      row_elements_ = facts.result.elements;
      ended_ = !facts.trailing;  // over other axes: its values are ready only when all is read
    }
    chain_.push_back(i);
  }

  // What a kernel over the whole tensor does with the last reduction's values. A parameter for each
  // column after them (a scale, a shift) ends a normalisation.
  void apply(const OpFacts& facts) {
    if (stages_ == 0) return;
    for (const Operand& read : facts.reads) {
      const bool small = read.elements > 1 && read.elements <= elements_ * kSmallRatio;
      if (small && read.elements != row_elements_) finished_ = finished_ || applied_;
    }
    applied_ = true;
  }

  void finish() {
    if (full_kernels_ >= 2) report();
    chain_.clear();
    traffic_ = {};
    elements_ = row_elements_ = last_result_ = 0;
    full_kernels_ = stages_ = 0;
    ended_ = applied_ = finished_ = false;
  }

  void report() {
    const hw::DeviceEntry* const device = f_.device(chain_.front());
    double taken = 0;
    for (const std::size_t i : chain_) taken += static_cast<double>(f_.p.work.duration[i]);
    WorkRun run;
    run.bytes_now = traffic_.now;
    const double written = traffic_.surely + last_result_;
    const bool trains = f_.trains();
    const double most_bytes = written + traffic_.perhaps + (trains ? traffic_.kept : 0);
    run.bytes_then = written + kLikelyShare * (traffic_.perhaps + (trains ? traffic_.kept : 0));
    if (device != nullptr && device->memory_bandwidth.value > 0) {
      const double peak = device->memory_bandwidth.value / 1e9;  // bytes/ns
      if (traffic_.now / peak < kLeastMemoryShare * taken) return;
      run.has_time = true;
      // Data that comes from a cache today will then too.
      const double now = traffic_.now / taken;
      const hw::Ceiling& ceiling = stages_ > 0 ? f_.ceilings.row_reduction : f_.ceilings.streaming;
      const auto rate = [&](double ratio) { return std::max(peak * ratio, now); };
      run.then = {most_bytes / rate(ceiling.low), run.bytes_then / rate(ceiling.likely),
                  written / rate(ceiling.high)};
      run.then = longer(run.then, floor_time(f_.ceilings.streaming_floor));
      if (run.then.likely >= taken) return;
    }
    add_run(f_, chain_, run, out_.elementwise);
  }

  const FaultFinder& f_;
  KernelFaults& out_;
  std::vector<std::size_t> chain_;
  Traffic traffic_;
  double elements_ = 0;      // of the chain's tensor
  double row_elements_ = 0;  // of the last reduction's result
  double last_result_ = 0;   // bytes
  int full_kernels_ = 0;
  int stages_ = 0;         // reductions, each over what the one before it led to
  bool applied_ = false;   // the last reduction's values, to the whole tensor
  bool finished_ = false;  // a normalisation
  bool ended_ = false;
};

}  // namespace

void find_elementwise_runs(const FaultFinder& finder, KernelFaults& out) {
  Chains(finder, out).run();
}

}  // namespace rooflab::analysis
