// SPDX-License-Identifier: Apache-2.0
// The work of single kernel launches: an operator's work belongs to the kernels that it launched
// directly, and where there are several (split-K and its reduction, layout changes around a
// convolution) it is shared by their time, so that each has the operator's roof ratio. Copies and
// sets that the operator launched have no share.
//
// An operator is modelled once for each distinct (name, arguments).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/kernel_class.h"
#include "analysis/work_model.h"
#include "model/profile.h"

namespace rooflab::analysis {

struct LaunchWork {
  double flops = 0, bytes = 0;
  Precision precision = Precision::kUnknown;
  bool matrix = false;
  KernelMath math;  // of the operator's longest matrix kernel
};

// A kernel that computes: not communication, not a runtime's copy or set.
[[nodiscard]] bool is_compute(KernelClass c);

class LaunchWorks {
 public:
  // All arguments must outlive it. `ops`: the operator of each work row.
  LaunchWorks(const model::Profile& profile, const KernelClasses& classes,
              const std::vector<model::SpanId>& ops);
  // nullopt: no operator, or one that is not modelled.
  [[nodiscard]] std::optional<LaunchWork> of(std::size_t work_row) const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;
  struct OpLaunches {
    std::int64_t time = 0;      // of all compute kernels of the operator
    std::int64_t longest = -1;  // duration of its longest matrix kernel
    KernelMath math;
    std::uint32_t model = kNone;  // index into models_, kNone = not modelled
  };

  [[nodiscard]] bool counts(std::size_t work_row) const;
  void find_launches();
  void model_operators();

  const model::Profile* profile_;
  const KernelClasses* classes_;
  const std::vector<model::SpanId>* ops_;
  std::vector<std::uint32_t> launches_of_span_;  // by span row: index into launches_
  std::vector<OpLaunches> launches_;
  std::vector<std::uint32_t> span_of_launches_;
  std::vector<OpWork> models_;
};

}  // namespace rooflab::analysis
