// SPDX-License-Identifier: Apache-2.0
#include "verdict/verdict.h"

namespace rooflab::verdict {

std::string_view to_string(Limit l) {
  switch (l) {
    case Limit::kInput:
      return "input";
    case Limit::kHost:
      return "host";
    case Limit::kLaunch:
      return "launch";
    case Limit::kSync:
      return "sync";
    case Limit::kTransfer:
      return "transfer";
    case Limit::kComm:
      return "comm";
    case Limit::kStraggler:
      return "straggler";
    case Limit::kMemory:
      return "memory";
    case Limit::kCompute:
      return "compute";
    case Limit::kLatency:
      return "latency";
    case Limit::kDevice:
      return "device";
    case Limit::kCpu:
      return "cpu";
    case Limit::kWaiting:
      return "waiting";
    case Limit::kNone:
      return "none";
  }
  return "none";
}

std::string_view to_string(State s) {
  switch (s) {
    case State::kHealthy:
      return "healthy";
    case State::kImprovable:
      return "improvable";
    case State::kInconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

}  // namespace rooflab::verdict
