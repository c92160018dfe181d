// SPDX-License-Identifier: Apache-2.0
// The names stand in the kernel's tools/perf/util/parse-events.c and in the vendors' event lists.
#include "importers/cpu_events.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace rooflab::importers {
namespace {

struct Known {
  std::string_view theirs, ours;
};

constexpr std::string_view kCpuTime = "cpu_time";

// In lower case, '_' and '.' read as '-'.
constexpr std::array kKnown{
    Known{"cpu-clock", kCpuTime},
    Known{"task-clock", kCpuTime},
    Known{"cycles", "cycles"},
    Known{"cpu-cycles", "cycles"},
    Known{"cpu-clk-unhalted", "cycles"},
    Known{"cpu-clk-unhalted-thread", "cycles"},
    Known{"cycles-not-in-halt", "cycles"},
    Known{"instructions", "instructions"},
    Known{"inst-retired-any", "instructions"},
    Known{"retired-inst", "instructions"},
    Known{"cache-references", "cache_references"},
    Known{"cache-misses", "cache_misses"},
    Known{"longest-lat-cache-reference", "cache_references"},
    Known{"longest-lat-cache-miss", "cache_misses"},
    Known{"llc-loads", "llc_loads"},
    Known{"llc-load-misses", "llc_load_misses"},
    Known{"mem-load-retired-l3-miss", "llc_load_misses"},
    Known{"l1-dcache-loads", "l1_loads"},
    Known{"l1-dcache-load-misses", "l1_load_misses"},
    Known{"dtlb-loads", "dtlb_loads"},
    Known{"dtlb-load-misses", "dtlb_load_misses"},
    Known{"branches", "branches"},
    Known{"branch-instructions", "branches"},
    Known{"branch-misses", "branch_misses"},
    Known{"br-misp-retired-all-branches", "branch_misses"},
    Known{"page-faults", "page_faults"},
    Known{"faults", "page_faults"},
    Known{"minor-faults", "minor_faults"},
    Known{"major-faults", "major_faults"},
    Known{"exceptions-page-fault-user", "page_faults"},
    Known{"context-switches", "context_switches"},
    Known{"cs", "context_switches"},
    Known{"cpu-migrations", "cpu_migrations"},
    Known{"migrations", "cpu_migrations"},
    Known{"fp-arith-inst-retired-scalar-double", "fp_scalar"},
    Known{"fp-arith-inst-retired-scalar-single", "fp_scalar"},
    Known{"fp-arith-inst-retired-scalar", "fp_scalar"},
    Known{"fp-arith-inst-retired-128b-packed-double", "fp_packed_128"},
    Known{"fp-arith-inst-retired-128b-packed-single", "fp_packed_128"},
    Known{"fp-arith-inst-retired-256b-packed-double", "fp_packed_256"},
    Known{"fp-arith-inst-retired-256b-packed-single", "fp_packed_256"},
    Known{"fp-arith-inst-retired-512b-packed-double", "fp_packed_512"},
    Known{"fp-arith-inst-retired-512b-packed-single", "fp_packed_512"},
};

// "cycles:ppp" and "cpu_core/cycles/u" without what follows the event; tracepoints ("sched:x") are
// names with a colon of their own.
std::string_view without_modifiers(std::string_view name) {
  if (const std::size_t slash = name.find('/'); slash != std::string_view::npos) {
    const std::string_view inner = name.substr(slash + 1);
    const std::size_t end = inner.find('/');
    const bool plain = end != std::string_view::npos && inner.find('=') == std::string_view::npos;
    return plain ? inner.substr(0, end) : name;
  }
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return name;
  const std::string_view after = name.substr(colon + 1);
  const bool modifiers =
      after.size() <= 6 && std::all_of(after.begin(), after.end(), [](char c) {
        return std::string_view("ukhpPGHISDWeb").find(c) != std::string_view::npos;
      });
  return modifiers ? name.substr(0, colon) : name;
}

std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool joint = c == '_' || c == '.';
    out += joint ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace

CpuEvent cpu_event(std::string_view name) {
  const std::string_view plain = without_modifiers(name);
  const std::string key = folded(plain);
  const auto* const it = std::find_if(kKnown.begin(), kKnown.end(),
                                      [&](const Known& known) { return known.theirs == key; });
  if (it == kKnown.end()) return {std::string(plain), false};
  return {std::string(it->ours), it->ours == kCpuTime};
}

}  // namespace rooflab::importers
