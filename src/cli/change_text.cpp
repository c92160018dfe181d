// SPDX-License-Identifier: Apache-2.0
#include "cli/change_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/suggest.h"
#include "graph/change.h"
#include "report/text.h"

namespace rooflab::cli {
namespace {

std::vector<std::string> change_names() {
  std::vector<std::string> names;
  for (const graph::Change& change : graph::all_changes()) names.emplace_back(change.name);
  return names;
}

Result<std::vector<std::string>> words(std::string_view text) {
  std::vector<std::string> out;
  char quote = 0;
  bool inside = false;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        out.back() += c;
      }
      continue;
    }
    if (c == ' ' || c == '\t') {
      inside = false;
      continue;
    }
    if (!inside) out.emplace_back();
    inside = true;
    if (c == '"' || c == '\'') {
      quote = c;
    } else {
      out.back() += c;
    }
  }
  if (quote == 0) return out;
  return fail(ErrorCode::kUsage, "a quote is not closed: " + std::string(text), "--change");
}

}  // namespace

Result<graph::ChangeCall> parse_change(std::string_view text) {
  RL_TRY(std::vector<std::string> parts, words(text));
  if (parts.empty()) {
    return fail(ErrorCode::kUsage, "no change is named", "--change",
                did_you_mean("", change_names()));
  }
  graph::ChangeCall call{parts[0], {parts.begin() + 1, parts.end()}};
  if (graph::find_change(call.name) != nullptr) return call;
  return fail(ErrorCode::kUsage, "there is no change \"" + call.name + "\"", "--change",
              did_you_mean(call.name, change_names()));
}

std::string changes_help() {
  std::string out = "Changes:\n";
  constexpr int kWidth = 80;
  constexpr std::size_t kColumn = 24;  // what is left fits a page
  for (const graph::Change& change : graph::all_changes()) {
    std::string name = change.name;
    if (change.arguments[0] != '\0') name += std::string(" ") + change.arguments;
    std::string line = fmt::format("  {:<{}}", name, kColumn);
    for (const std::string& part :
         report::wrap(change.what, kWidth - static_cast<int>(kColumn) - 2)) {
      out += line + part + "\n";
      line.assign(kColumn + 2, ' ');
    }
  }
  return out;
}

}  // namespace rooflab::cli
