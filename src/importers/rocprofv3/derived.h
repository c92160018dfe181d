// SPDX-License-Identifier: Apache-2.0
// AMD's hardware counters -> figures that do not depend on the vendor: bytes of device memory,
// operations, hit rates. The counters themselves are kept under the tool's names.
//
// Formulas: rocprofiler-compute's analysis of gfx90a and gfx942, checked against a copy of known
// size. A figure one of whose counters is missing is not computed: on gfx942 (whose counters begin
// with TCC_EA0_) reads without TCC_BUBBLE would come out half as large as they are.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "model/builder.h"

namespace rooflab::importers::rocprofv3 {

class Derived {
 public:
  explicit Derived(model::Builder& builder) : builder_(builder) {}
  // Counters that no formula needs are ignored.
  void take(model::MeasuredId launch, std::string_view counter, double value);
  // Adds what needs several counters of a launch.
  void finish();

 private:
  static constexpr std::size_t kInputs = 16;
  using Inputs = std::array<double, kInputs>;  // NaN: not measured

  model::Builder& builder_;
  std::unordered_map<std::uint32_t, Inputs> launches_;
};

}  // namespace rooflab::importers::rocprofv3
