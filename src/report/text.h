// SPDX-License-Identifier: Apache-2.0
// Text that is safe to print and takes the columns it should.
//
// Names come from files that may be hostile: printable() turns control characters, invalid UTF-8
// and direction overrides into visible escapes, so that no name can move the cursor or hide text.
// Widths are terminal columns (wide characters count two, combining ones none), not bytes.
//
//   printable("a\x1b[2Jb")  == "a\\x1b[2Jb"        fit("a_long_name", 8, "…") == "a_long_…"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooflab::report {

[[nodiscard]] std::string printable(std::string_view text);
[[nodiscard]] int display_width(std::string_view printable_text);
// Cut to `width` columns, ending in `ellipsis` if anything was cut.
[[nodiscard]] std::string fit(std::string_view printable_text, int width,
                              std::string_view ellipsis);
// Keeps both ends of a long name: "at::native::…Functor<float>".
[[nodiscard]] std::string fit_middle(std::string_view printable_text, int width,
                                     std::string_view ellipsis);
[[nodiscard]] std::string pad_right(std::string text, int width);
[[nodiscard]] std::string pad_left(std::string text, int width);
// Breaks at spaces, and inside a word that is wider than a line, so that no line is wider than
// `width`. At least one line.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, int width);

}  // namespace rooflab::report
