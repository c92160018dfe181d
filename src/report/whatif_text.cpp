// SPDX-License-Identifier: Apache-2.0
// The screen of `rooflab whatif`: the gain in the first line, then the step before and after, what
// each change did, where the step goes then, and what the prediction rests on.
#include <fmt/format.h>

#include <algorithm>

#include "base/human.h"
#include "report/gain_words.h"
#include "report/page.h"
#include "report/text.h"
#include "report/whatif.h"
#include "report/whatif_rows.h"
#include "report/why_lines.h"
#include "rules/rule.h"

namespace rooflab::report {
namespace {

using verdict::Offer;
using verdict::Tried;

constexpr double kSmallShare = 0.005;  // owners below it before and after are summed up
constexpr int kLeadWidth = 20;
constexpr int kNumberWidth = 11;
constexpr int kOwnerWidth = 44;

std::string next_words(const verdict::NextLimit& next) {
  const std::string limit(verdict::to_string(next.limit));
  if (next.gain) return limit + ": without it " + gain_words(*next.gain) + " more";
  return limit + ": no single cause is worth removing any more";
}

class WhatIfPage {
 public:
  WhatIfPage(const WhatIfReport& report, const Style& style)
      : r_(report), style_(style), page_(style) {}

  std::string write() && {
    if (r_.tried) {
      tried(*r_.tried);
    } else if (r_.offers) {
      offers(*r_.offers);
    } else {
      page_.paragraph("", "No gain can be predicted from this file.", Ink::kWarn);
      input();
      page_.line();
      page_.paragraph("", not_predicted_words(r_.basis) + " (exit status 5)");
      return std::move(page_).take();
    }
    lead("Trust", reproduction_words(r_.basis));
    lead("", r_.as_recorded ? "host time is taken as recorded (--as-recorded)"
                            : deflation_words(r_.basis));
    return std::move(page_).take();
  }

 private:
  void input() {
    WhyReport why;
    why.analysis = r_.analysis;
    page_.line(paint(style_, Ink::kDim, fit(input_line(why), style_.width, style_.ellipsis())));
  }

  void lead(const std::string& name, const std::string& text) {
    page_.paragraph(pad_right(name, 14), text);
  }

  void numbers(const std::string& name, const std::vector<std::string>& cells) {
    std::string line = pad_right(name, kLeadWidth);
    for (const std::string& cell : cells) line += pad_left(cell, kNumberWidth);
    line.erase(line.find_last_not_of(' ') + 1);
    page_.line(line);
  }

  void tried(const Tried& t) {
    const rules::Gain gain = rules::stated(t.gain);
    const std::string what = calls_words(t.calls);
    const bool any = std::any_of(t.applied.begin(), t.applied.end(),
                                 [](const graph::Applied& a) { return a.count > 0; });
    page_.paragraph("",
                    any ? fmt::format("{}: gain {}.", printable(what), gain_words(gain))
                        : fmt::format("{}: nothing in this file to change.", printable(what)),
                    Ink::kBold);
    input();
    page_.line();
    steps(t);
    page_.line();
    page_.heading("What changes");
    for (std::size_t i = 0; i < t.applied.size(); ++i) change(t.calls[i], t.applied[i]);
    page_.line();
    owners(t);
    page_.line();
    lead("Next limit", next_words(t.next));
  }

  void steps(const Tried& t) {
    page_.line(paint(style_, Ink::kDim,
                     pad_right("Step", kLeadWidth) + pad_left("low", kNumberWidth) +
                         pad_left("likely", kNumberWidth) + pad_left("high", kNumberWidth)));
    const auto time = [](double ns) { return human_time(whole_nanos(ns)); };
    numbers("  as recorded", {"", time(r_.basis.recorded_step_ns)});
    if (r_.basis.deflation) {
      numbers("  without recorder",
              {time(t.before_low_ns), time(t.gain.step_before_ns), time(t.before_high_ns)});
    }
    const StepAfter after = step_after(t);
    if (t.gain.bound) {
      numbers("  after, at least", {time(after.low)});
    } else {
      numbers("  after", {time(after.low), time(after.likely), time(after.high)});
    }
  }

  void change(const graph::ChangeCall& call, const graph::Applied& applied) {
    page_.paragraph(" - " + printable(call_words(call)) + ": ", printable(applied.what));
    for (const std::string& assumes : applied.assumes) {
      page_.paragraph("   assumes: ", printable(assumes), Ink::kDim);
    }
    if (applied.bound) page_.paragraph("   ", "this is the most it can bring", Ink::kDim);
  }

  void owner(const std::string& name, double before_ratio, double after_ratio, double before,
             double after) {
    page_.line(fmt::format(
        "  {}{}{} {}{}",
        pad_right(fit_middle(name, kOwnerWidth - 7, style_.ellipsis()), kOwnerWidth - 7),
        pad_left(human_percent(Ratio{before_ratio}), 8),
        pad_left(human_time(whole_nanos(before)), 10),
        pad_left(human_percent(Ratio{after_ratio}), 8),
        pad_left(human_time(whole_nanos(after)), 10)));
  }

  void owners(const Tried& t) {
    page_.line(paint(style_, Ink::kBold, pad_right("Where a step goes", kOwnerWidth - 5)) +
               paint(style_, Ink::kDim, "  before               after"));
    double before = 0, after = 0, before_ratio = 0, after_ratio = 0;
    std::size_t left_out = 0;
    for (const OwnerChange& row : owner_changes(t)) {
      const bool small = row.before_ratio < kSmallShare && row.after_ratio < kSmallShare;
      if (small && style_.verbosity <= 0) {
        before += row.before_ns;
        after += row.after_ns;
        before_ratio += row.before_ratio;
        after_ratio += row.after_ratio;
        ++left_out;
        continue;
      }
      owner(owner_words(row.owner), row.before_ratio, row.after_ratio, row.before_ns, row.after_ns);
    }
    if (left_out > 0) {
      owner(fmt::format("{} more (-v)", left_out), before_ratio, after_ratio, before, after);
    }
  }

  void offers(const verdict::Offers& offers) {
    page_.paragraph("",
                    offers.worthwhile.empty()
                        ? std::string("No single change that is known would gain 1.02x.")
                        : fmt::format("Most is gained by {}: {}.",
                                      printable(call_words(offers.worthwhile[0].call)),
                                      gain_words(rules::stated(offers.worthwhile[0].gain))),
                    Ink::kBold);
    input();
    page_.line();
    if (!offers.worthwhile.empty()) page_.heading("Each change alone (gains do not add up)");
    int number = 0;
    for (const Offer& offer : offers.worthwhile) {
      page_.paragraph(fmt::format("{:2}. ", ++number),
                      fmt::format("{}: gain {}", printable(call_words(offer.call)),
                                  gain_words(rules::stated(offer.gain))));
      page_.paragraph("    ", printable(offer.applied.what), Ink::kDim);
      for (const std::string& assumes : offer.applied.assumes) {
        page_.paragraph("    assumes: ", printable(assumes), Ink::kDim);
      }
    }
    if (!offers.worthwhile.empty()) page_.line();
    if (!offers.nothing.empty()) lead("No gain from", joined(offers.nothing));
    if (!offers.need_arguments.empty()) lead("Not tried", joined(offers.need_arguments));
    lead("More", "rooflab whatif FILE --change NAME composes several; --help lists them");
  }

  static std::string joined(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
    return out;
  }

  const WhatIfReport& r_;
  const Style& style_;
  Page page_;
};

}  // namespace

std::string whatif_text(const WhatIfReport& report, const Style& style) {
  return WhatIfPage(report, style).write();
}

}  // namespace rooflab::report
