// SPDX-License-Identifier: Apache-2.0
// Kernels that only move values: conversions between element types, and between memory layouts. A
// conversion whose value is converted back within a few kernels need not be: the kernels between
// can work in the narrower type. Beside them, the batch normalisation of channels-first tensors:
// one channel to a block leaves most of the device empty where there are few channels, which is a
// matter of the layout too.
#include <algorithm>

#include "analysis/analysis.h"
#include "analysis/kernel_fault_finder.h"

namespace rooflab::analysis {
namespace {

constexpr std::size_t kReach = 4;  // kernels between a conversion and the one back
constexpr double kSlowNorm = 0.8;  // as for products: ceilings are known to a quarter

class Copies {
 public:
  Copies(const FaultFinder& finder, KernelFaults& out)
      : f_(finder), out_(out), returned_(finder.p.work.size(), false) {}

  void run() {
    convolves_ = has_convolutions();
    for (std::size_t i = 0; i < f_.p.work.size(); ++i) {
      if (!f_.is_kernel(i)) continue;
      if (f_.path_of(i).layout_change) {
        out_.layout.push_back({model::WorkId(i), true});
        continue;
      }
      find_channel_norm(i);
      const OpFacts* const facts = copy(i);
      if (facts == nullptr) continue;
      if (facts->type_change) {
        out_.casts.push_back({model::WorkId(i), returned_[i] || returns(i, *facts)});
      } else if (facts->layout_change) {
        out_.layout.push_back({model::WorkId(i), false});
      }
    }
  }

 private:
  [[nodiscard]] bool has_convolutions() const {
    for (std::size_t i = 0; i < f_.p.work.size(); ++i) {
      const OpFacts* const facts = f_.is_kernel(i) ? f_.facts.of(i) : nullptr;
      if (facts != nullptr && facts->kind == OpKind::kConvolution) return true;
    }
    return false;
  }

  // In the other layout the kernels stream their operands as far as they can: they gather sums over
  // threads that each hold one channel. Small sizes do worse: the least is half of it.
  void find_channel_norm(std::size_t i) {
    const int passes = f_.path_of(i).channel_passes;
    const OpFacts* const facts = convolves_ && passes > 0 ? f_.facts.of(i) : nullptr;
    const hw::DeviceEntry* const device = f_.device(i);
    if (facts == nullptr || facts->kind != OpKind::kBatchNorm || device == nullptr ||
        device->memory_bandwidth.value <= 0) {
      return;
    }
    const auto now = static_cast<double>(f_.p.work.duration[i]);
    SlowWork slow{model::WorkId(i), {}, true, true, 0};
    const hw::Ceiling& ceiling =
        passes == 1 ? f_.ceilings.channel_statistics : f_.ceilings.channel_apply;
    slow.then = longer(stream_time(*device, ceiling, passes * facts->reads.front().bytes),
                       floor_time(f_.ceilings.streaming_floor));
    if (slow.then.likely > kSlowNorm * now) return;
    slow.then.longest = (std::min(slow.then.longest, now) + now) / 2;
    out_.channel_norms.push_back(slow);
  }

  [[nodiscard]] const OpFacts* copy(std::size_t i) const {
    const OpFacts* const facts = f_.is_kernel(i) ? f_.facts.of(i) : nullptr;
    return facts != nullptr && facts->kind == OpKind::kCopy && !facts->reads.empty() ? facts
                                                                                     : nullptr;
  }

  // Whether the value is converted back; then marks the conversion back and the kernels between.
  bool returns(std::size_t from, const OpFacts& there) {
    const int source = there.reads.front().element_bytes;
    const int target = there.result.element_bytes;
    const double elements = there.result.elements;
    std::size_t at = from;
    for (std::size_t steps = 0; steps <= kReach; ++steps) {
      at = f_.next_on_stream(at);
      if (at >= f_.p.work.size()) return false;
      const OpFacts* const back = copy(at);
      if (back == nullptr || !back->type_change || returned_[at]) continue;
      if (back->reads.front().element_bytes != target || back->result.element_bytes != source ||
          back->result.elements != elements)
        continue;
      if (f_.step_at(f_.p.work.start[from]) != f_.step_at(f_.p.work.start[at])) return false;
      returned_[at] = true;
      narrow_between(from, at, std::min(source, target), std::max(source, target), elements);
      return true;
    }
    return false;
  }

  void narrow_between(std::size_t from, std::size_t to, int narrow, int wide, double elements) {
    if (wide <= 0) return;
    for (std::size_t i = from + 1; i < to; ++i) {
      const OpFacts* const facts = f_.is_kernel(i) ? f_.facts.of(i) : nullptr;
      if (facts == nullptr || facts->reads.empty() ||
          (facts->kind != OpKind::kPointwise && facts->kind != OpKind::kReduction))
        continue;
      const Operand& read = facts->reads.front();
      if (read.element_bytes == wide && read.elements == elements)
        out_.narrowed.push_back({model::WorkId(i), static_cast<double>(narrow) / wide});
    }
  }

  const FaultFinder& f_;
  KernelFaults& out_;
  std::vector<bool> returned_;
  bool convolves_ = false;
};

}  // namespace

void find_copies(const FaultFinder& finder, KernelFaults& out) { Copies(finder, out).run(); }

}  // namespace rooflab::analysis
