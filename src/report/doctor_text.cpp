// SPDX-License-Identifier: Apache-2.0
#include "report/doctor_text.h"

#include "report/page.h"
#include "report/text.h"

namespace rooflab::report {
namespace {
constexpr int kCheckWidth = 22;

std::string cell_text(const std::vector<Cell>& row, std::size_t column) {
  return column < row.size() ? human_cell(row[column], Unit::kText) : std::string();
}
}  // namespace

std::string doctor_text(const Table& checks, const Style& style) {
  Page page(style);
  for (const auto& row : checks.rows) {
    const std::string state = cell_text(row, 1);
    const bool missing = state.starts_with("no") || state == "absent";
    page.paragraph(pad_right(cell_text(row, 0), kCheckWidth),
                   state + " (" + cell_text(row, 2) + ")", missing ? Ink::kWarn : Ink::kGood);
    if (const std::string enable = cell_text(row, 3); !enable.empty()) {
      page.paragraph(pad_right("", kCheckWidth) + "-> ", enable);
    }
  }
  page.line();
  for (const std::string& note : checks.notes) page.paragraph("", note, Ink::kDim);
  return std::move(page).take();
}

}  // namespace rooflab::report
