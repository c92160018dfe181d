// SPDX-License-Identifier: Apache-2.0
// The longest gaps in which a device had nothing to do, with what the host did meanwhile: `top --by
// gap`.
#include "analysis/idle_causes.h"
#include "report/kernel_name.h"
#include "report/names.h"
#include "report/top.h"

namespace rooflab::report {
namespace {

Table build(const analysis::Analysis& a, const TopOptions& /*options*/, const Style& style) {
  const model::Profile& p = *a.profile;
  Table t;
  t.id = "gap";
  t.title = "Gaps in the window, longest first";
  t.columns = {{"start_ns", "at", Unit::kNanos},  {"length_ns", "length", Unit::kNanos},
               {"owner", "owner", Unit::kText},   {"activity", "host activity", Unit::kText},
               {"thread", "thread", Unit::kText}, {"ended_by", "ended by", Unit::kText},
               {"device", "device", Unit::kCount}};
  for (const analysis::Gap& gap : analysis::gaps(a.accounting)) {
    const bool known = gap.cause.valid() && gap.cause.row < p.spans.size();
    const bool ends = gap.work.valid() && gap.work.row < p.work.size();
    t.rows.push_back(
        {gap.start.value, (gap.end - gap.start).value, gap.owner_name,
         known ? Cell(std::string(p.span_name(gap.cause))) : Cell(),
         known ? Cell(thread_words(p, p.spans.track[gap.cause.row])) : Cell(),
         ends ? Cell(display_kernel_names({p.text(p.work.name[gap.work.row])}, style)[0]) : Cell(),
         p.devices[gap.device.row].index});
  }
  t.notes = {"a gap's owner is that of its longest part; `at` counts from the file's first event"};
  return t;
}

}  // namespace

Top top_gap() { return {"gap", "gaps without device work", &build}; }

}  // namespace rooflab::report
