// SPDX-License-Identifier: Apache-2.0
// Host threads by time inside recorded activities, with what they launched: `top --by thread`.
#include <fmt/format.h>

#include "analysis/thread_table.h"
#include "report/top.h"

namespace rooflab::report {
namespace {

Table build(const analysis::Analysis& a, const TopOptions& /*options*/, const Style& /*style*/) {
  Table t;
  t.id = "thread";
  const analysis::Window* chosen = chosen_window(a);
  t.title = fmt::format("Host threads in the {}, by recorded time",
                        chosen == nullptr ? "file" : "window");
  t.columns = {{"process", "process", Unit::kText},    {"thread", "thread", Unit::kText},
               {"name", "name", Unit::kText},          {"spans", "records", Unit::kCount},
               {"active_ns", "active", Unit::kNanos},  {"calls_ns", "in calls", Unit::kNanos},
               {"launches", "launches", Unit::kCount}, {"device_ns", "device time", Unit::kNanos}};
  for (const analysis::ThreadRow& row : analysis::thread_table(*a.profile, a.tree, chosen)) {
    t.rows.push_back({std::to_string(row.pid), std::to_string(row.tid),
                      std::string(a.profile->text(row.name)), row.spans, row.active.value,
                      row.in_calls.value, row.launches, row.device_time.value});
  }
  t.notes = {
      "active: inside any recorded activity; in calls: inside calls of the device's runtime or "
      "driver"};
  return t;
}

}  // namespace

Top top_thread() { return {"thread", "host threads", &build}; }

}  // namespace rooflab::report
