// SPDX-License-Identifier: Apache-2.0
#include "rules/finding.h"

namespace rooflab::rules {

std::string_view to_string(Layer layer) {
  switch (layer) {
    case Layer::kSystem:
      return "system";
    case Layer::kCpu:
      return "cpu";
    case Layer::kKernel:
      return "kernel";
    case Layer::kFramework:
      return "framework";
  }
  return "system";
}

std::string_view to_string(Confidence c) {
  switch (c) {
    case Confidence::kProvisional:
      return "provisional";
    case Confidence::kLow:
      return "low";
    case Confidence::kMedium:
      return "medium";
    case Confidence::kHigh:
      return "high";
  }
  return "provisional";
}

}  // namespace rooflab::rules
