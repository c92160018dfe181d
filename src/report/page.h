// SPDX-License-Identifier: Apache-2.0
// A terminal page under construction: lines, headings and wrapped paragraphs within the style's
// width.
#pragma once

#include <string>
#include <string_view>

#include "report/style.h"

namespace rooflab::report {

class Page {
 public:
  explicit Page(const Style& style) : style_(style) {}

  void line(std::string_view text = {}) {
    out_ += text;
    out_ += '\n';
  }
  void heading(std::string_view text) { line(paint(style_, Ink::kBold, text)); }
  // `text` from a file or a rule: made printable, wrapped; later lines are indented like the first
  // one's text.
  void paragraph(std::string_view lead, std::string_view text, Ink ink = Ink::kPlain);
  [[nodiscard]] const Style& style() const { return style_; }
  [[nodiscard]] std::string take() && { return std::move(out_); }

 private:
  const Style& style_;
  std::string out_;
};

}  // namespace rooflab::report
