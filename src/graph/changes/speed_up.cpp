// SPDX-License-Identifier: Apache-2.0
// Every kernel whose name matches KERNEL (RE2, anywhere in the name) runs F times as fast; F below
// 1 slows it down. "What would a better kernel bring?"
//
//   speed-up softmax 2
#include <fmt/format.h>
#include <re2/re2.h>

#include <cmath>

#include "base/human.h"
#include "graph/kernel_edits.h"

namespace rooflab::graph {
namespace {

constexpr const char* kName = "speed-up";
constexpr double kMostFactor = 1e6;

Result<Applied> apply(const Graph& graph, const std::vector<std::string>& arguments,
                      Outlook /*outlook*/, Scenario& scenario) {
  RL_CHECK_OK(expect_arguments(kName, arguments, 2, 2));
  RL_TRY(const double factor, positive_number(kName, arguments[1]));
  if (factor > kMostFactor || factor < 1 / kMostFactor)
    return fail(ErrorCode::kUsage, "not a plausible factor: " + arguments[1], kName);
  const RE2 pattern(arguments[0], RE2::Quiet);
  if (!pattern.ok()) {
    return fail(ErrorCode::kUsage, "not a regular expression: " + arguments[0], kName,
                pattern.error());
  }
  const model::Profile& p = *graph.analysis->profile;
  std::vector<std::uint8_t> matches(p.strings.size(), 2);  // 2 = not looked at
  Applied applied;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    const StringId name = p.work.name[i];
    if (p.work.kind[i] != model::WorkKind::kKernel || name.row >= matches.size() ||
        !is_there(scenario, model::WorkId(i))) {
      continue;
    }
    std::uint8_t& match = matches[name.row];
    if (match == 2) {
      const std::string_view text = p.text(name);
      match = RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern) ? 1 : 0;
    }
    if (match == 0) continue;
    scenario.work_ns[i] = std::llround(static_cast<double>(scenario.work_ns[i]) / factor);
    ++applied.count;
  }
  applied.what =
      fmt::format("{} launches run {} times as fast", human_count(applied.count), arguments[1]);
  return applied;
}

}  // namespace

Change change_speed_up() {
  return {kName, "KERNEL F", "make kernels whose name matches KERNEL F times as fast", &apply};
}

}  // namespace rooflab::graph
