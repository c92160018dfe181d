// SPDX-License-Identifier: Apache-2.0
// `rooflab explain NAME`: what a rule, metric, owner, limit or hygiene code means. Without a name:
// the list.
#include "report/explain.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/globals.h"
#include "cli/suggest.h"
#include "cli/verb.h"

namespace rooflab::cli {
namespace {

int list(const Globals& g) {
  const report::Table table = report::topic_list();
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

int explain(const std::string& id, const Globals& g) {
  if (id.empty()) return list(g);
  const report::Topic* topic = report::find_topic(id);
  if (topic == nullptr) {
    const std::string near = nearest(id, report::topic_ids());
    return print_error(
        g, {ErrorCode::kUsage, "nothing is called \"" + id + "\"", "",
            near.empty() ? "rooflab explain lists all names" : "did you mean " + near + "?"});
  }
  if (g.format == Format::kJson) {
    print_json(g, "explain", report::Json::array(), report::topic_json(*topic));
  } else {
    print(report::topic_text(*topic, g.style));
  }
  return kOk;
}

}  // namespace

Verb verb_explain() {
  return {"explain", "say what a name means",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            auto id = std::make_shared<std::string>();
            app.add_option("NAME", *id, "rule, metric, owner, limit or hygiene code");
            app.footer("Example:\n  rooflab explain idle.dispatch");
            return [id, &g] { return explain(*id, g); };
          }};
}

}  // namespace rooflab::cli
