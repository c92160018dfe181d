// SPDX-License-Identifier: Apache-2.0
// What the finders of kernel faults share: the operators' facts by work row, the order of work on
// each stream, the devices, and the parts of kernel_faults*.cpp.
#pragma once

#include <optional>
#include <vector>

#include "analysis/kernel_faults.h"
#include "analysis/kernel_path.h"
#include "analysis/launch_work.h"
#include "analysis/op_facts.h"

namespace rooflab::analysis {

class FaultFinder {
 public:
  // `devices`: the catalogue's entries by device row, nullptr = unknown.
  FaultFinder(const Analysis& analysis, std::vector<const hw::DeviceEntry*> devices);

  const Analysis& a;
  const model::Profile& p;
  KernelCeilings ceilings;
  LaunchWorks works;
  OpFactsTable facts;
  std::vector<KernelPath> paths;  // by StringId row

  [[nodiscard]] const hw::DeviceEntry* device(std::size_t work_row) const;
  [[nodiscard]] int multiprocessors(std::size_t work_row) const;
  // Ten times the compute capability, 0 = not recorded.
  [[nodiscard]] int generation(std::size_t work_row) const;
  [[nodiscard]] KernelClass class_of(std::size_t work_row) const;
  [[nodiscard]] KernelMath math_of(std::size_t work_row) const;
  [[nodiscard]] const KernelPath& path_of(std::size_t work_row) const;
  // The step that a time on the device falls in, counted from 0 before the first.
  [[nodiscard]] std::size_t step_at(std::int64_t time) const;
  [[nodiscard]] bool has_steps() const { return !step_starts_.empty(); }
  // The next row on the same stream, or the number of rows.
  [[nodiscard]] std::size_t next_on_stream(std::size_t work_row) const;
  [[nodiscard]] bool is_kernel(std::size_t work_row) const;
  // How many kernels the operator of this row launched directly.
  [[nodiscard]] std::uint32_t kernels_of_op(std::size_t work_row) const;
  // Blocks of the launch, 0 = not recorded; and how many the device can hold at once.
  [[nodiscard]] double blocks(std::size_t work_row) const;
  [[nodiscard]] double places_per_multiprocessor(std::size_t work_row) const;
  // The range of an optimizer's step that this row's launch is in; invalid = in none.
  [[nodiscard]] model::SpanId optimizer(std::size_t work_row) const;
  // Training: the file has a backward pass, so intermediate values may have to be kept for it.
  [[nodiscard]] bool trains() const { return trains_; }

 private:
  std::vector<const hw::DeviceEntry*> devices_;
  std::vector<std::int64_t> step_starts_;
  std::vector<std::uint32_t> kernels_of_span_;
  std::vector<model::SpanId> optimizer_of_span_;
  bool trains_ = false;
};

// Appends `works` as a run.
void add_run(const FaultFinder& finder, const std::vector<std::size_t>& works, WorkRun run,
             WorkRuns& out);

void find_slow_products(const FaultFinder& finder, KernelFaults& out);
void find_few_tiles(const FaultFinder& finder, KernelFaults& out);
void find_elementwise_runs(const FaultFinder& finder, KernelFaults& out);
void find_unfused_attention(const FaultFinder& finder, KernelFaults& out);
void find_unfused_optimizers(const FaultFinder& finder, KernelFaults& out);
void find_copies(const FaultFinder& finder, KernelFaults& out);

}  // namespace rooflab::analysis
