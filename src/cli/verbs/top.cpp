// SPDX-License-Identifier: Apache-2.0
// `rooflab top FILE --by kernel|op|gap|copy|thread|module|memory|critical`: the largest rows of one
// table.
#include "report/top.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/files.h"
#include "cli/verb.h"

namespace rooflab::cli {
namespace {

struct Options {
  FilesRequest request{.verb = "top", .paths = {}, .filters = {}, .analyse = true};
  std::string by = "kernel";
  std::int64_t limit = 20;
  report::TopOptions top;
};

std::vector<std::string> ids() {
  std::vector<std::string> out;
  for (const report::Top& top : report::all_tops()) out.emplace_back(top.id);
  return out;
}

Result<Answer> rank(const Globals& g, const Options& o, const Loaded& loaded) {
  const auto tops = report::all_tops();
  const auto it = std::find_if(tops.begin(), tops.end(),
                               [&](const report::Top& top) { return top.id == o.by; });
  if (it == tops.end())
    return fail(ErrorCode::kUsage, "no such table", "--by", "rooflab top --help");
  report::Style style = g.style;
  // Exact outputs carry exact names.
  if (g.format == Format::kJson || g.format == Format::kCsv) style.full_names = true;
  report::TopOptions options = o.top;
  options.limit = static_cast<std::size_t>(o.limit);
  options.name = o.request.filters.name;
  RL_TRY(auto built, report::build_top(*it, *loaded.analysis, options, style));
  auto table = std::make_shared<report::Table>(std::move(built));
  Answer answer;
  answer.text = [table, &g] { return report::to_terminal(*table, g.style); };
  answer.table = [table] { return *table; };
  answer.json = [table, by = o.by] {
    report::Json data = {{"by", by}};
    data.update(report::to_json(*table));
    return data;
  };
  answer.no_verdict = forbids_verdict(loaded.profile);
  return answer;
}

int run(const Options& o, Globals& g) {
  if (o.top.by_shape && o.by != "op") {
    return print_error(g, {ErrorCode::kUsage, "only operators have shapes", "--by-shape",
                           "rooflab top FILE --by op --by-shape"});
  }
  if (o.limit < 0) {
    return print_error(
        g, {ErrorCode::kUsage, "a negative number of rows", "--limit", "--limit 0 prints all"});
  }
  return answer_files(g, o.request, [&](const Loaded& loaded) { return rank(g, o, loaded); });
}

}  // namespace

Verb verb_top() {
  return {"top", "rank kernels, operators, gaps, copies",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            auto o = std::make_shared<Options>();
            app.add_option("FILE", o->request.paths, "traces, run files or folders; - is stdin")
                ->required();
            CLI::Option* by = app.add_option("--by", o->by, "which table (kernel)");
            by->type_name("WHAT");
            allow_only(by, ids(), g);
            app.add_option("--limit", o->limit, "rows (0: all; 20)")->type_name("N");
            app.add_flag("--by-shape", o->top.by_shape, "op: one row for each shape");
            add_filters(app, o->request.filters, g, NameFilter::kOffered);
            app.footer(
                "Tables: kernel, op, gap, copy, thread, module, memory, critical.\n\nExample:\n  "
                "rooflab top trace.json.gz --by gap --limit 5");
            return [o, &g] { return run(*o, g); };
          }};
}

}  // namespace rooflab::cli
