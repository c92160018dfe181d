// SPDX-License-Identifier: Apache-2.0
// What a diagnosis says when it fires: what was seen, why, what would prove it wrong, what to
// change.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "graph/change_call.h"
#include "model/profile.h"

namespace rooflab::rules {

enum class Layer : std::uint8_t { kSystem, kCpu, kKernel, kFramework };
[[nodiscard]] std::string_view to_string(Layer layer);

// One measured fact: "128 copies, 3.2 GB" with the numbers it is made of.
struct Evidence {
  std::string text;
  std::string key;  // snake_case with unit: "starved_ns"; empty for a text-only fact
  double value = 0;
};

// How to do it in one API: {"pytorch", "DataLoader(..., num_workers=4)"}.
struct Fix {
  std::string api;
  std::string text;
};

// Predicted speed-up of unprofiled wall time per unit of work. Absent until a simulation computes
// it.
struct Gain {
  std::optional<double> low, likely;
  double high = 1;
  bool bound = false;  // only `high` holds: "at most"
  std::optional<double>
      as_recorded;  // likely, without deflation; absent where that changes nothing
};

enum class Confidence : std::uint8_t { kProvisional, kLow, kMedium, kHigh };
[[nodiscard]] std::string_view to_string(Confidence c);

struct Finding {
  std::string
      id;  // stable within a file: the rule's id, with ":<where>" when it fires more than once
  std::string rule;
  Layer layer = Layer::kSystem;
  std::string title;                // one line, names the culprit
  Ratio ratio;                      // share of the window it owns; 0 where the share cannot be told
  std::vector<std::string> owners;  // branches of the accounting that it explains
  // What to simulate for the gain, all in one run; empty: no change is known that removes it.
  std::vector<graph::ChangeCall> remedy;
  // Filled by evaluate() from the remedy; by a rule only as a bound from counters, which no
  // simulation improves on.
  std::optional<Gain> gain;
  // Of rules about measured kernels (measured_kernels.h).
  double kernel_bound = 0;   // at most this much faster, the kernel alone; 0 = not told
  bool of_measured = false;  // `ratio` is of the measured kernel time: the file has no window
  bool position = false;     // says where a kernel stands; by itself no fault
  int order = 0;             // among the findings of one kernel, the smallest first
  Confidence confidence = Confidence::kProvisional;
  std::vector<Evidence> evidence;
  std::vector<std::string> chain;  // from cause to effect across layers
  std::string falsifier;           // what observation would refute it
  std::vector<Fix> fixes;
  std::string where;  // range, kernel, thread
};

}  // namespace rooflab::rules
