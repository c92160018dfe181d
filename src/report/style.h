// SPDX-License-Identifier: Apache-2.0
// How a terminal page looks: width, colour, Unicode, detail. The cli room fills it in from flags
// and environment; nothing in report asks the system.
#pragma once

#include <string>
#include <string_view>

namespace rooflab::report {

struct Style {
  int width = 80;
  bool color = false;
  bool unicode = true;
  bool full_names = false;  // kernel names with all their template arguments
  int verbosity = 0;        // -1 quiet, 0, 1 (-v) ...

  [[nodiscard]] std::string_view ellipsis() const { return unicode ? "…" : "..."; }
};

enum class Ink { kPlain, kBold, kDim, kGood, kWarn, kBad, kAccent };

// `text` in a colour, or as it is.
[[nodiscard]] std::string paint(const Style& style, Ink ink, std::string_view text);
// A horizontal bar of `width` columns for a share of one, in eighths of a column ("#" without
// Unicode). Any share above zero shows at least the smallest mark.
[[nodiscard]] std::string bar(const Style& style, double share, int width);

}  // namespace rooflab::report
