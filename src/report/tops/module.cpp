// SPDX-License-Identifier: Apache-2.0
// Modules (layers) by the device time launched under them: `top --by module`. Needs interpreter
// frames in the file.
#include "analysis/op_table.h"
#include "report/top.h"

namespace rooflab::report {
namespace {

Table build(const analysis::Analysis& a, const TopOptions& /*options*/, const Style& /*style*/) {
  Table t;
  t.id = "module";
  t.title = "Modules in the file, by device time";
  t.columns = {{"path", "module", Unit::kText},
               {"calls", "calls", Unit::kCount},
               {"device_sum_ns", "device", Unit::kNanos},
               {"host_sum_ns", "host", Unit::kNanos}};
  for (const analysis::ModuleRow& row : analysis::module_table(*a.profile, a.tree).rows) {
    t.rows.push_back({row.path, row.calls, row.device_sum.value, row.host_sum.value});
  }
  if (t.rows.empty())
    t.notes = {"the file holds no module frames: record with_modules=True or with_stack=True"};
  return t;
}

}  // namespace

Top top_module() { return {"module", "layers of the model", &build}; }

}  // namespace rooflab::report
