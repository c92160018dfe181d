// SPDX-License-Identifier: Apache-2.0
// `rooflab doctor`: what this machine can do, and how to enable the rest. Always exit 0: it
// reports, it does not judge.
#include "cli/doctor.h"

#include <nlohmann/json.hpp>

#include "cli/globals.h"
#include "cli/verb.h"
#include "report/doctor_text.h"

namespace rooflab::cli {
namespace {

int run(const Globals& g) {
  const report::Table table = examine_machine();
  switch (g.format) {
    case Format::kJson:
      print_json(g, "doctor", report::Json::array(), report::to_json(table));
      break;
    case Format::kCsv:
      print(report::to_csv(table));
      break;
    case Format::kMarkdown:
      print(report::to_markdown(table));
      break;
    case Format::kTable:
      print(report::doctor_text(table, g.style));
      break;
  }
  return kOk;
}

}  // namespace

Verb verb_doctor() {
  return {"doctor", "say what this machine can do",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            app.footer("Example:\n  rooflab doctor");
            return [&g] { return run(g); };
          },
          kFormats | kColors};
}

}  // namespace rooflab::cli
