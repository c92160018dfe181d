// SPDX-License-Identifier: Apache-2.0
// `rooflab why --format md`: what the screen says, as Markdown for an issue or a review. All
// owners, findings, evidence and fixes are given, as with -v.
#include <fmt/format.h>

#include "report/measured_kernels.h"
#include "report/text.h"
#include "report/why.h"
#include "report/why_lines.h"

namespace rooflab::report {
namespace {

// Text from a file or a rule must not turn into markup.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("\\`*_<>[]|#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string items(std::string_view title, const std::vector<std::string>& rows) {
  if (rows.empty()) return {};
  std::string out = fmt::format("\n**{}**\n\n", title);
  for (const std::string& row : rows) {
    const bool more = row.starts_with("  ");
    out += fmt::format("{}{}\n", more ? "  " : "- ", plain(more ? row.substr(2) : row));
  }
  return out;
}

std::string finding(const WhyReport& r, const rules::Finding& f) {
  std::string out = fmt::format("1. **{}**\n", plain(finding_title(f)));
  if (const std::string gain = gain_line(r, f); !gain.empty()) {
    out += fmt::format("   - gain: {}\n", plain(gain));
  }
  for (const rules::Evidence& e : f.evidence) out += fmt::format("   - {}\n", plain(e.text));
  for (const rules::Fix& fix : f.fixes)
    out += fmt::format("   - fix ({}): {}\n", plain(fix.api), plain(fix.text));
  for (const std::string& step : f.chain) out += fmt::format("   - why: {}\n", plain(step));
  return out + fmt::format("   - refuted if: {}\n", plain(f.falsifier));
}

}  // namespace

std::string why_markdown(const WhyReport& r, const Style& given) {
  Style style = given;
  style.verbosity = 1;
  std::string out = fmt::format("### {}.\n\n{}  \n{}\n\n", plain(r.verdict.summary),
                                plain(state_line(r)), plain(input_line(r)));
  if (!r.analysis->accounting.devices.empty()) {
    for (const Question& q : questions(r)) {
      out += fmt::format("- {} **{}** {}\n", q.text, plain(q.answer), plain(q.detail));
    }
    Table owners = accounting_table(r);
    owners.title = "Where does the time go?";
    out += "\n" + to_markdown(owners);
    for (const std::string& line : hidden_lines(r)) out += "\n" + plain(line) + "\n";
    out += items("Steps", {steps_line(r, style)});
    out += items("Idle during", idle_lines(r, style, 20));
  }
  out += r.findings.fired.empty() ? "\n**Findings**: none\n\n"
                                  : fmt::format("\n**{}**\n\n", findings_heading(r));
  if (const std::string largest = largest_line(r); !largest.empty()) {
    out += plain(largest) + "\n\n";
  }
  for (const rules::Finding& f : r.findings.fired) out += finding(r, f);
  for (const Suppressed& s : r.suppressed) {
    out += fmt::format("- suppressed in rooflab.toml: {} ({})\n", plain(s.rule), plain(s.reason));
  }
  if (!r.analysis->kernels.rows.empty()) out += "\n" + to_markdown(kernels_table(r, style, 20));
  if (r.analysis->kernels.rows.empty() && !r.analysis->counters.kernels.empty())
    out += "\n" + to_markdown(measured_table(r, style));
  out += items("Ranks", rank_lines(r, true));
  out += items("Copies", copy_lines(r, true));
  out += items("Gains", basis_lines(r, true));
  out += items("Trust", trust_lines(r, true));
  out += items("Not judged", not_judged_lines(r, true));
  return out;
}

}  // namespace rooflab::report
