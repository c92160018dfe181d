// SPDX-License-Identifier: Apache-2.0
#include "report/page.h"

#include "report/text.h"

namespace rooflab::report {

void Page::paragraph(std::string_view lead, std::string_view text, Ink ink) {
  const int indent = display_width(lead);
  std::string before(lead);
  for (const std::string& part : wrap(printable(text), style_.width - indent)) {
    line(before + paint(style_, ink, part));
    before.assign(static_cast<std::size_t>(indent), ' ');
  }
}

}  // namespace rooflab::report
