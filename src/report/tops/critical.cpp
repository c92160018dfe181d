// SPDX-License-Identifier: Apache-2.0
// What made the window as long as it is, by the critical path: `top --by critical`.
//
// Each row is a kind of time on that path with its name; the rows add up to the window.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/owner_table.h"
#include "graph/critical_path.h"
#include "report/kernel_name.h"
#include "report/top.h"

namespace rooflab::report {
namespace {

using graph::PathKind;
using graph::PathStep;

std::string kind_words(const graph::Graph& g, const PathStep& step) {
  const model::WorkTable& work = g.analysis->profile->work;
  switch (step.kind) {
    case PathKind::kHost: {
      const graph::HostPart& part = g.parts[step.part];
      return part.recorder ? "recorder" : "host " + std::string(to_string(part.host_class));
    }
    case PathKind::kCall:
      return "call";
    case PathKind::kDispatch:
      return "dispatch";
    case PathKind::kGap:
      return "gap behind work";
    case PathKind::kCross:
      return "gap across streams";
    case PathKind::kWork:
      break;
    case PathKind::kReturn:
      return "return from wait";
    case PathKind::kBefore:
      return "before";
  }
  switch (work.kind[step.work.row]) {
    case model::WorkKind::kCopy:
      return "copy";
    case model::WorkKind::kMemset:
      return "set";
    case model::WorkKind::kKernel:
      break;
  }
  return "kernel";
}

// Names of spans and kernels as they stand in the file; copies by direction and memory.
std::string name_of(const graph::Graph& g, const PathStep& step) {
  const model::Profile& p = *g.analysis->profile;
  switch (step.kind) {
    case PathKind::kHost: {
      const model::SpanId cause = g.parts[step.part].cause;
      if (!cause.valid()) return {};
      const model::SpanKind kind = p.spans.kind[cause.row];
      if (kind != model::SpanKind::kPython) return std::string(p.span_name(cause));
      return analysis::owner_label(p.span_name(cause), kind);
    }
    case PathKind::kCall:
    case PathKind::kReturn: {
      const model::SpanId call = g.anchors[step.anchor].span;
      return call.valid() ? std::string(p.span_name(call)) : "work without a launch record";
    }
    case PathKind::kWork:
      break;
    case PathKind::kDispatch:
    case PathKind::kGap:
    case PathKind::kCross:
    case PathKind::kBefore:
      return {};
  }
  if (p.work.kind[step.work.row] != model::WorkKind::kCopy) {
    return std::string(p.text(p.work.name[step.work.row]));
  }
  return fmt::format("{} {}", analysis::to_string(p.work.direction[step.work.row]),
                     analysis::to_string(analysis::copy_memory(p, step.work.row)));
}

struct Row {
  std::string kind, name;
  std::int64_t ns = 0, count = 0;
};

std::vector<Row> rows_of(const graph::Graph& g, const graph::CriticalPath& path) {
  std::map<std::pair<std::string, std::string>, Row> by_name;
  for (const PathStep& step : path.steps) {
    const std::string kind = kind_words(g, step);
    const std::string name = name_of(g, step);
    Row& row = by_name[{kind, name}];
    row.kind = kind;
    row.name = name;
    row.ns += step.end - step.begin;
    ++row.count;
  }
  std::vector<Row> rows;
  rows.reserve(by_name.size());
  for (auto& [unused, row] : by_name) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.ns > b.ns; });
  return rows;
}

Table build(const analysis::Analysis& a, const TopOptions& /*options*/, const Style& style) {
  const graph::Graph g = graph::build_graph(a);
  const graph::CriticalPath path = graph::recorded_critical_path(g);
  const std::vector<Row> rows = rows_of(g, path);
  Table t;
  t.id = "critical";
  t.title = "Critical path of the window, as recorded";
  t.columns = {{"kind", "what", Unit::kText},
               {"name", "name", Unit::kText},
               {"count", "times", Unit::kCount},
               {"sum_ns", "on the path", Unit::kNanos},
               {"ratio", "share", Unit::kRatio}};
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(row.name);
  const std::vector<std::string> texts = display_kernel_names(names, style);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    t.rows.push_back({rows[i].kind, texts[i], rows[i].count, rows[i].ns,
                      ratio_of(Nanos(rows[i].ns), Nanos(path.end - path.begin)).value});
  }
  const double recorded = graph::recorded_step_ns(g);
  const double simulated = graph::simulate(g, graph::as_recorded(g)).step_ns;
  t.notes = {fmt::format(
      "from the end of the last step back along what each thing waited for; the rows add up to the "
      "re-timed window, which is {:.1f} % {} than the recorded one",
      recorded > 0 ? 100 * std::abs(simulated / recorded - 1) : 0.0,
      simulated < recorded ? "shorter" : "longer")};
  if (path.steps.empty()) t.notes = {"no device work in the window: there is no path to follow"};
  return t;
}

}  // namespace

Top top_critical() { return {"critical", "what made the window as long as it is", &build}; }

}  // namespace rooflab::report
