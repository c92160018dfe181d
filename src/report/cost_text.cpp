// SPDX-License-Identifier: Apache-2.0
// The screen of `rooflab cost`.
#include <fmt/format.h>

#include <cmath>

#include "base/human.h"
#include "report/cost_rows.h"
#include "report/gain_words.h"
#include "report/page.h"
#include "report/text.h"
#include "report/why_lines.h"

namespace rooflab::report {
namespace {

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return (value < 0 ? "-" : "") + digits;
}

class CostPage {
 public:
  CostPage(const CostReport& report, const Style& style)
      : r_(report), style_(style), page_(style), idle_(idle_cost(report)) {}

  std::string write() && {
    headline();
    input();
    page_.line();
    levels();
    asked();
    savings();
    page_.line();
    basis();
    return std::move(page_).take();
  }

 private:
  // Cents where they are seen.
  [[nodiscard]] std::string money(double value) const {
    constexpr double kWhole = 1000;
    std::string text = std::abs(value) < kWhole ? fmt::format("{:.2f}", value) : grouped(value);
    if (!r_.currency.empty()) text += " " + r_.currency;
    return text;
  }
  [[nodiscard]] std::string in_all(double value) const {
    return fmt::format("{} ({} a year of such hours)", money(value),
                       money(value * years(r_.fleet)));
  }

  void headline() {
    page_.paragraph(
        "",
        fmt::format("{} GPUs at {} an hour for {} h cost {}; {} of it while the GPU is idle.",
                    r_.fleet.gpus, money(r_.fleet.gpu_hour.value), r_.fleet.hours,
                    money(idle_.spent.value), money(idle_.idle.value)),
        Ink::kBold);
  }

  void input() {
    WhyReport why;
    why.analysis = r_.analysis;
    page_.line(paint(style_, Ink::kDim, fit(input_line(why), style_.width, style_.ellipsis())));
  }

  void lead(const std::string& name, const std::string& text) {
    page_.paragraph(pad_right(name, 14), text);
  }

  void levels() {
    lead("Busy", fmt::format("{} of the window; idle time costs {}", human_percent(idle_.busy),
                             in_all(idle_.idle.value)));
    if (idle_.useful) {
      lead("Useful",
           fmt::format("{} of the window is needed at the device's roof; the rest costs {}",
                       human_percent(*idle_.useful), in_all(idle_.not_useful->value)));
    } else {
      lead("Useful", "not evaluated: needs operator shapes and a device whose peaks are known");
    }
    lead("",
         "idle time is one level: allocation and goodput multiply with it and are not in this "
         "file");
  }

  void asked() {
    if (!r_.improve) return;
    const cost::Money saved = cost::saving_by_speed(idle_.spent, *r_.improve);
    lead("Asked", fmt::format("{}x as fast saves {}, the work being the same",
                              factor_words(*r_.improve), in_all(saved.value)));
  }

  void savings() {
    page_.line();
    page_.heading("What each change would save, for the same work (never added)");
    const std::vector<CostRow> rows = cost_rows(r_);
    for (const CostRow& row : rows) {
      std::string text = row.rule + ", " + gain_words(row.gain) + ": ";
      if (row.gain.bound) {
        text += "at most " + in_all(row.range.high.value);
      } else if (!row.range.distinguishable) {
        text += "not distinguishable from zero";
      } else {
        text += fmt::format("{}, between {} and {}", in_all(row.range.likely.value),
                            money(row.range.low.value), money(row.range.high.value));
      }
      page_.paragraph(" - ", text);
    }
    if (rows.empty()) page_.paragraph(" - ", "no finding whose change gains anything");
  }

  void basis() {
    lead("Paid out", r_.billing == cost::Billing::kOnDemand
                         ? "on demand: a saving is cash once the hours are given back"
                         : "reserved: the hours are paid for all the same; a saving is capacity, "
                           "worth something only to work that waits for it");
    lead("Price", r_.price_source.empty() ? "as given; its source was not (--price-source)"
                                          : r_.price_source);
    lead("Left out", "what the changes cost to make and to run");
  }

  const CostReport& r_;
  const Style& style_;
  Page page_;
  IdleCost idle_;
};

}  // namespace

std::string cost_text(const CostReport& report, const Style& style) {
  return CostPage(report, style).write();
}

}  // namespace rooflab::report
