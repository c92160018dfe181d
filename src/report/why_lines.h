// SPDX-License-Identifier: Apache-2.0
// The sentences of `rooflab why` that its terminal page and its Markdown share: same content, two
// layouts. Every text is printable; nothing here wraps or paints.
#pragma once

#include <string>
#include <vector>

#include "report/why.h"

namespace rooflab::report {

struct Question {
  std::string text, answer, detail;
};

// The method that frameworks append to a name after a '#' is left out; JSON has it.
[[nodiscard]] std::string owner_words(std::string_view owner);
[[nodiscard]] std::string state_line(const WhyReport& report);
[[nodiscard]] std::string input_line(const WhyReport& report);  // file, device, rank
[[nodiscard]] std::vector<Question> questions(const WhyReport& report);
[[nodiscard]] std::vector<std::string> hidden_lines(const WhyReport& report);
[[nodiscard]] std::string steps_line(const WhyReport& report, const Style& style);
[[nodiscard]] std::vector<std::string> idle_lines(const WhyReport& report, const Style& style,
                                                  std::size_t most);
// The largest owner and what to look at, if no finding explains it; else empty.
[[nodiscard]] std::string largest_line(const WhyReport& report);
[[nodiscard]] std::string finding_title(const rules::Finding& finding);
// What its change would gain, or why that is not told.
[[nodiscard]] std::string gain_line(const WhyReport& report, const rules::Finding& finding);
// What all gains rest on; empty where no gain is given.
[[nodiscard]] std::vector<std::string> basis_lines(const WhyReport& report, bool all);
[[nodiscard]] std::string findings_heading(const WhyReport& report);
[[nodiscard]] Table kernels_table(const WhyReport& report, const Style& style, std::size_t rows);
// Who waits for whom, and how the ranks were brought together; nothing for a file of its own.
[[nodiscard]] std::vector<std::string> rank_lines(const WhyReport& report, bool all);
[[nodiscard]] std::vector<std::string> copy_lines(const WhyReport& report, bool all);
[[nodiscard]] std::vector<std::string> trust_lines(const WhyReport& report, bool all);
[[nodiscard]] std::vector<std::string> not_judged_lines(const WhyReport& report, bool all);

}  // namespace rooflab::report
