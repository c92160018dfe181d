// SPDX-License-Identifier: Apache-2.0
// `rooflab explain NAME...`: what a rule, metric, owner, limit, hygiene code or another word of an
// answer means. Without a name: the list.
#include "report/explain.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/globals.h"
#include "cli/suggest.h"
#include "cli/verb.h"

namespace rooflab::cli {
namespace {

int show(const Globals& g, const report::Table& table) {
  switch (g.format) {
    case Format::kJson:
      print_json(g, "explain", report::Json::array(), report::to_json(table));
      break;
    case Format::kCsv:
      print(report::to_csv(table));
      break;
    case Format::kMarkdown:
      print(report::to_markdown(table));
      break;
    case Format::kTable:
      print(report::to_terminal(table, g.style));
      break;
  }
  return kOk;
}

int explain(const std::vector<std::string>& names, const Globals& g) {
  if (names.empty()) return show(g, report::topic_list());
  std::vector<const report::Topic*> topics;
  for (const std::string& name : names) {
    const auto found = report::find_topics(name);
    if (found.empty()) {
      const std::string near = nearest(name, report::topic_ids());
      return print_error(
          g, {ErrorCode::kUsage, "nothing is called \"" + name + "\"", name,
              near.empty() ? "rooflab explain lists all names" : "did you mean " + near + "?"});
    }
    topics.insert(topics.end(), found.begin(), found.end());
  }
  if (g.format == Format::kJson) {
    print_json(g, "explain", report::Json::array(), report::topics_json(topics));
    return kOk;
  }
  if (g.format != Format::kTable) return show(g, report::topic_table(topics));
  print(report::topics_text(topics, g.style));
  return kOk;
}

}  // namespace

Verb verb_explain() {
  return {"explain", "say what a name means",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            auto names = std::make_shared<std::vector<std::string>>();
            CLI::Option* option =
                app.add_option("NAME", *names, "any word of an answer, one or more");
            g.choices[option] = report::topic_ids();
            app.footer("Example:\n  rooflab explain idle.dispatch");
            return [names, &g] { return explain(*names, g); };
          },
          kFormats | kColors};
}

}  // namespace rooflab::cli
