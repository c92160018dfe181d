// SPDX-License-Identifier: Apache-2.0
// Framework operators, by the device time they launched: what `top --by op` prints.
#include <fmt/format.h>

#include "analysis/op_table.h"
#include "report/top.h"

namespace rooflab::report {
namespace {

Table build(const analysis::Analysis& a, const TopOptions& options, const Style& /*style*/) {
  Table t;
  t.id = "op";
  const analysis::Window* chosen = chosen_window(a);
  t.title = fmt::format("Operators in the {}, by device time of their own launches",
                        chosen == nullptr ? "file" : "window");
  t.columns = {
      {"name", "operator", Unit::kText},          {"calls", "calls", Unit::kCount},
      {"device_self_ns", "device", Unit::kNanos}, {"device_sum_ns", "with children", Unit::kNanos},
      {"host_self_ns", "host", Unit::kNanos},     {"kernels", "launches", Unit::kCount}};
  if (options.by_shape) t.columns.insert(t.columns.begin() + 1, {"dims", "shapes", Unit::kText});
  for (const analysis::OpRow& op :
       analysis::op_table(*a.profile, a.tree, a.ops, options.by_shape, chosen).rows) {
    std::vector<Cell> row = {std::string(a.profile->text(op.name)),
                             op.calls,
                             op.device_self.value,
                             op.device_sum.value,
                             op.host_self.value,
                             op.kernels};
    if (options.by_shape) row.insert(row.begin() + 1, std::string(a.profile->text(op.dims)));
    t.rows.push_back(std::move(row));
  }
  if (chosen != nullptr)
    t.notes = {"operators that begin, and device work that starts, inside the window"};
  if (!a.profile->provenance.host_ops_recorded) t.notes = {"the file holds no operators"};
  return t;
}

}  // namespace

Top top_op() { return {"op", "framework operators", &build}; }

}  // namespace rooflab::report
