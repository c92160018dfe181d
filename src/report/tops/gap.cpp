// SPDX-License-Identifier: Apache-2.0
// The longest gaps in which a device had nothing to do, with what the host did meanwhile: `top --by
// gap`.
#include "analysis/idle_causes.h"
#include "report/kernel_name.h"
#include "report/top.h"

namespace rooflab::report {
namespace {

std::string thread_number(const model::Profile& p, model::TrackId track) {
  const model::ThreadId thread = p.tracks[track.row].thread;
  return thread.valid() ? std::to_string(p.threads[thread.row].tid) : std::string();
}

Table build(const analysis::Analysis& a, const TopOptions& /*options*/, const Style& style) {
  const model::Profile& p = *a.profile;
  // One device needs no column on a narrow page; exact outputs always have it.
  const bool with_device = style.full_names || a.accounting.devices.size() > 1;
  Table t;
  t.id = "gap";
  t.title = "Gaps in the window, longest first";
  t.columns = {{"start_ns", "at", Unit::kNanos},  {"length_ns", "length", Unit::kNanos},
               {"owner", "owner", Unit::kText},   {"activity", "host activity", Unit::kText},
               {"thread", "thread", Unit::kText}, {"ended_by", "ended by", Unit::kText}};
  if (with_device) t.columns.push_back({"device", "device", Unit::kCount});
  for (const analysis::Gap& gap : analysis::gaps(a.accounting)) {
    const bool known = gap.cause.valid() && gap.cause.row < p.spans.size();
    const bool ends = gap.work.valid() && gap.work.row < p.work.size();
    std::vector<Cell> row = {
        gap.start.value,
        (gap.end - gap.start).value,
        gap.owner_name,
        known ? Cell(std::string(p.span_name(gap.cause))) : Cell(),
        known ? Cell(thread_number(p, p.spans.track[gap.cause.row])) : Cell(),
        ends ? Cell(display_kernel_names({p.text(p.work.name[gap.work.row])}, style)[0]) : Cell()};
    if (with_device) row.emplace_back(p.devices[gap.device.row].index);
    t.rows.push_back(std::move(row));
  }
  t.notes = {"a gap's owner is that of its longest part; `at` counts from the file's time 0"};
  return t;
}

}  // namespace

Top top_gap() { return {"gap", "gaps without device work", &build}; }

}  // namespace rooflab::report
