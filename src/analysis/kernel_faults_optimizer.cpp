// SPDX-License-Identifier: Apache-2.0
// Updates of parameters that take many kernels although one pass over parameters, gradients and
// states would do. How many parameters there are is read off the operators' shapes: most of an
// update's operators touch each parameter once, so the median over them is taken.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "analysis/analysis.h"
#include "analysis/kernel_fault_finder.h"
#include "analysis/optimizer_ranges.h"

namespace rooflab::analysis {
namespace {

// With fewer kernels a step there is nothing worth fusing.
constexpr std::size_t kLeastKernels = 8;

struct Size {
  double elements = 0;
  int element_bytes = 0;  // 0 = not recorded
};

class Optimizers {
 public:
  Optimizers(const FaultFinder& finder, KernelFaults& out) : f_(finder), out_(out) {}

  void run() {
    std::map<std::uint32_t, std::vector<std::size_t>> works_of_range;
    for (std::size_t i = 0; i < f_.p.work.size(); ++i) {
      const model::SpanId range = f_.optimizer(i);
      if (range.valid() && f_.is_kernel(i)) works_of_range[range.row].push_back(i);
    }
    for (auto& [range, works] : works_of_range) {
      std::sort(works.begin(), works.end(), [&](std::size_t a, std::size_t b) {
        return f_.p.work.start[a] != f_.p.work.start[b] ? f_.p.work.start[a] < f_.p.work.start[b]
                                                        : a < b;
      });
      look_at(range, works);
    }
  }

 private:
  void look_at(std::uint32_t range, const std::vector<std::size_t>& works) {
    if (works.size() < kLeastKernels || fused(works)) return;
    const std::size_t front = works.front();
    const Size parameters = parameters_of(works);
    if (parameters.elements <= 0) return;
    const std::string_view name = optimizer_name(f_.p.text(f_.p.spans.name[range]));
    const int bytes =
        parameters.element_bytes > 0 ? parameters.element_bytes : update_element_bytes();
    WorkRun run;
    run.bytes_then = parameters.elements * bytes * update_traffic(name);
    for (const std::size_t i : works) {
      if (const auto work = f_.works.of(i)) run.bytes_now += work->bytes;
    }
    if (const hw::DeviceEntry* const device = f_.device(front)) {
      run.has_time = device->memory_bandwidth.value > 0;
      run.then = stream_time(*device, f_.ceilings.optimizer, run.bytes_then) +
                 floor_time(f_.ceilings.streaming_floor);
    }
    add_run(f_, works, run, out_.optimizer);
  }

  // Most of the time is spent in operators that update everything in one pass.
  [[nodiscard]] bool fused(const std::vector<std::size_t>& works) const {
    std::int64_t all = 0;
    std::int64_t in_fused = 0;
    for (const std::size_t i : works) {
      const std::int64_t ns = f_.p.work.duration[i];
      all = saturating_add(all, ns);
      const model::SpanId op = f_.a.ops[i];
      if (op.row < f_.p.spans.size() && is_fused_update(f_.p.span_name(op)))
        in_fused = saturating_add(in_fused, ns);
    }
    return in_fused > all / 2;
  }

  [[nodiscard]] Size parameters_of(const std::vector<std::size_t>& works) {
    std::map<std::uint32_t, Size> of_name;
    std::set<std::uint32_t> seen;  // an operator may launch several kernels
    for (const std::size_t i : works) {
      const std::uint32_t op = f_.a.ops[i].row;
      if (op >= f_.p.spans.size() || !seen.insert(op).second) continue;
      const Size size = size_of(f_.p.spans.args[op]);
      Size& total = of_name[f_.p.spans.name[op].row];
      total.elements += size.elements;
      total.element_bytes = std::max(total.element_bytes, size.element_bytes);
    }
    std::vector<Size> sizes;
    for (const auto& [name, size] : of_name) {
      if (size.elements > 0) sizes.push_back(size);
    }
    if (sizes.empty()) return {};
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end(),
                     [](const Size& a, const Size& b) { return a.elements < b.elements; });
    return *middle;
  }

  // Elements of the first tensor or list of tensors.
  Size size_of(model::ArgsId args) {
    if (args.row >= f_.p.op_args.size()) return {};
    const auto [entry, fresh] = size_of_args_.try_emplace(args.row);
    if (!fresh) return entry->second;
    const model::OpArgs& texts = f_.p.op_args[args.row];
    const OpArguments arguments =
        parse_op_arguments(f_.p.text(texts.dims), f_.p.text(texts.types), {}, {});
    if (arguments.empty()) return {};
    const OpArgument& first = arguments.front();
    for (const OpTensor& tensor : first.tensors) {
      if (!tensor.dims.empty()) entry->second.elements += tensor.elements();
    }
    entry->second.element_bytes = first.is_tensor ? first.element_bytes : 0;
    return entry->second;
  }

  const FaultFinder& f_;
  KernelFaults& out_;
  std::unordered_map<std::uint32_t, Size> size_of_args_;
};

}  // namespace

void find_unfused_optimizers(const FaultFinder& finder, KernelFaults& out) {
  Optimizers(finder, out).run();
}

}  // namespace rooflab::analysis
