// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_position.h"

#include <algorithm>
#include <array>
#include <optional>

namespace rooflab::analysis {
namespace {

// All traffic of device memory passes L2, and L2's of L1 too: an outer level this close to the
// busiest is the one that sets the pace.
constexpr double kClose = 5;
// The multiprocessors' total equals the pipe that serves memory instructions: it is no compute.
constexpr double kSame = 1;

struct Part {
  std::string_view name;
  double percent = 0;
};

std::optional<Part> busiest_memory(const MeasuredKernel& k) {
  const auto dram = k.value("dram_percent");
  const auto l2 = k.value("l2_percent");
  auto l1 = k.value("l1_percent");
  // Of elapsed cycles, as the others are, where it is there.
  if (const auto data = k.value("lsu_wavefront_percent"); data && !l1) l1 = data;
  auto total = k.value("memory_percent");
  if (!total) {
    for (const auto& part : {dram, l2, l1}) {
      if (part) total = std::max(total.value_or(0), *part);
    }
  }
  if (!total) return std::nullopt;
  if (dram && *dram >= *total - kClose) return Part{"dram", *total};
  if (l2 && *l2 >= *total - kClose) return Part{"l2", *total};
  if (l1 && *l1 >= *total - kClose) return Part{"l1", *total};
  return Part{"", *total};
}

std::optional<Part> busiest_pipe(const MeasuredKernel& k) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kPipes{
      {{"tensor_percent", "tensor"},
       {"fma_percent", "fma"},
       {"alu_percent", "alu"},
       {"fp64_percent", "fp64"},
       {"fp16_percent", "fp16"},
       {"xu_percent", "xu"}}};
  std::optional<Part> best;
  for (const auto& [metric, name] : kPipes) {
    const auto percent = k.value(metric);
    if (percent && (!best || *percent > best->percent)) best = Part{name, *percent};
  }
  // Schedulers can be the limit although no one pipe is.
  const auto issue = k.value("issue_percent");
  if (best && issue && best->percent<kBoundPercent&& * issue> best->percent)
    best = Part{"issue", *issue};
  if (best) return best;
  const auto total = k.value("sm_percent");
  const auto memory_pipe = k.value("sm_memory_pipe_percent");
  if (!total || !memory_pipe) return std::nullopt;
  if (*memory_pipe >= *total - kSame) return Part{"", 0};
  return Part{"", *total};
}

}  // namespace

void find_position(MeasuredKernel& k) {
  const auto memory = busiest_memory(k);
  const auto compute = busiest_pipe(k);
  const auto total = k.value("sm_percent");
  const double memory_percent = memory ? memory->percent : 0;
  const double compute_percent = compute ? compute->percent : 0;
  if (memory_percent >= kBoundPercent && memory_percent >= compute_percent) {
    k.limit = Roof::kMemory;
    k.level = memory->name;
    k.level_percent = memory_percent;
    k.of_shared =
        memory->name == "l1" && k.value_or("shared_wavefront_percent", 0) * 2 >= memory_percent;
  } else if (compute_percent >= kBoundPercent) {
    k.limit = Roof::kCompute;
    k.level = compute->name;
    k.level_percent = compute_percent;
  } else if (memory && (compute || total)) {
    // A busy multiprocessor whose pipes are not in the file may compute or load.
    if (!compute && *total >= kBoundPercent) return;
    k.limit = Roof::kLatency;
    k.level_percent = std::max({memory_percent, compute_percent, compute ? 0.0 : *total});
  }
}

std::optional<double> stall_share(const MeasuredKernel& k, std::string_view metric) {
  const auto cycles = k.value(metric);
  const auto all = k.value("warp_latency_cycles");
  if (!cycles || !all || !(*all > 0)) return std::nullopt;
  return std::min(1.0, *cycles / *all);
}

Stall largest_stall(const MeasuredKernel& k) {
  Stall best;
  for (const auto& [metric, cycles] : k.values) {
    const bool ready = metric == "stall_selected" || metric == "stall_not_selected";
    if (!metric.starts_with("stall_") || ready) continue;
    const auto share = stall_share(k, metric);
    if (share && *share > best.share) best = {metric, *share};
  }
  return best;
}

}  // namespace rooflab::analysis
