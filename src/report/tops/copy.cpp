// SPDX-License-Identifier: Apache-2.0
// Copies by device, direction and memory kind, with the rate achieved: `top --by copy`.
#include <fmt/format.h>

#include "report/names.h"
#include "report/top.h"

namespace rooflab::report {
namespace {

Table build(const analysis::Analysis& a, const TopOptions& /*options*/, const Style& /*style*/) {
  Table t;
  t.id = "copy";
  const bool chosen = chosen_window(a) != nullptr;
  t.title = fmt::format("Copies in the {}", chosen ? "window" : "file");
  t.columns = {{"device", "device", Unit::kCount},
               {"direction", "direction", Unit::kText},
               {"memory", "memory", Unit::kText},
               {"count", "copies", Unit::kCount},
               {"sum_ns", "time", Unit::kNanos},
               {"bytes", "bytes", Unit::kBytes},
               {"bytes_per_s", "rate", Unit::kBytesPerSecond}};
  const auto add = [&](model::DeviceId device, const std::vector<analysis::CopyGroup>& copies) {
    for (const analysis::CopyGroup& g : copies) {
      if (g.count == 0) continue;
      const double rate = g.bytes_per_second();
      t.rows.push_back(
          {a.profile->devices[device.row].index, std::string(direction_word(g.direction)),
           std::string(memory_word(g.memory)), g.count, g.sum.value,
           g.sized > 0 ? Cell(g.bytes.value) : Cell(), rate > 0 ? Cell(rate) : Cell()});
    }
  };
  if (chosen) {
    for (const analysis::DeviceAccounting& d : a.accounting.devices) {
      add(d.device, analysis::copies_between(*a.profile, a.classes, d.device, d.window.start,
                                             d.window.end, a.selection.stream));
    }
  } else {
    for (const analysis::DeviceMetrics& d : a.metrics.devices) add(d.device, d.copies);
  }
  t.notes = {
      "memory: of the host's side; rate: bytes over time of the copies whose size is recorded"};
  return t;
}

}  // namespace

Top top_copy() { return {"copy", "copies by direction and memory", &build}; }

}  // namespace rooflab::report
