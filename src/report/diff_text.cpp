// SPDX-License-Identifier: Apache-2.0
// The screen of `rooflab diff`: the answer, the three ways to look at it, what changed, doubts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/human.h"
#include "report/diff.h"
#include "report/kernel_name.h"
#include "report/page.h"
#include "report/text.h"

namespace rooflab::report {
namespace {

using compare::Comparison;
using compare::Direction;
using compare::Figure;
using compare::Part;

constexpr std::size_t kMostParts = 6;
constexpr int kNameWidth = 40;

std::string time_words(double ns) { return human_time(Nanos(std::llround(ns))); }

std::string delta_words(double ns) { return (ns < 0 ? "-" : "+") + time_words(std::abs(ns)); }

std::string figure_words(const Figure& f) {
  const compare::Change& c = f.change;
  std::string text = fmt::format("{} -> {}, {:.2f}x as fast", time_words(c.before),
                                 time_words(c.after), f.speed_up());
  if (c.known) text += fmt::format(" ({:.2f}-{:.2f}x)", 1 / c.high, c.low > 0 ? 1 / c.low : 0);
  return text;
}

std::string direction_words(Direction d) {
  switch (d) {
    case Direction::kLess:
      return "faster";
    case Direction::kMore:
      return "slower";
    case Direction::kSame:
      return "no difference";
    case Direction::kUnclear:
      break;
  }
  return "not told from noise";
}

class DiffPage {
 public:
  DiffPage(const DiffReport& report, const Style& style)
      : r_(report), c_(report.comparison), style_(style), page_(style) {}

  std::string write() && {
    headline();
    page_.line(paint(
        style_, Ink::kDim,
        fit(printable(r_.before) + " -> " + printable(r_.after), style_.width, style_.ellipsis())));
    page_.line();
    doubts();
    for (const Figure* f : {&c_.recorded, &c_.deflated, &c_.busy}) {
      const std::string claim = c_.refused ? "" : ": " + direction_words(f->direction);
      lead(std::string(compare::to_string(f->basis)), figure_words(*f) + claim);
    }
    lead("noise",
         fmt::format("95 % over blocks of whole bursts, {:.0f} against {:.0f} units; changes "
                     "under {} are called none",
                     r_.units_before, r_.units_after, human_percent(Ratio{c_.least_effect})));
    parts("Kernels, for each unit", c_.kernels, true);
    parts("Owners of time, for each unit", c_.owners, false);
    return std::move(page_).take();
  }

 private:
  void headline() {
    if (c_.refused) {
      page_.paragraph("", "These runs cannot be compared: no speed-up may be claimed.", Ink::kWarn);
      return;
    }
    if (c_.disagree) {
      page_.paragraph(
          "",
          fmt::format("As recorded {}, without the recorder {}, by device busy time {}.",
                      direction_words(c_.recorded.direction),
                      direction_words(c_.deflated.direction), direction_words(c_.busy.direction)),
          Ink::kWarn);
    }
    const Figure& f = c_.answer();
    std::string text = fmt::format("{}: {}", diff_class(c_), figure_words(f));
    if (c_.recorder_limited) {
      text += "; decided on device busy time, since the recorder limits the step";
    } else if (c_.neutral_step()) {
      text += "; kernels changed, the step did not";
    }
    page_.paragraph("", text + ".", Ink::kBold);
  }

  void lead(const std::string& name, const std::string& text) {
    page_.paragraph(pad_right(name, 18), text);
  }

  void doubts() {
    for (const compare::Doubt& d : c_.doubts) {
      page_.paragraph(d.refuses ? " ! " : " - ", d.text, d.refuses ? Ink::kWarn : Ink::kPlain);
    }
    if (!c_.doubts.empty()) page_.line();
  }

  void parts(const std::string& title, const std::vector<Part>& all, bool kernels) {
    page_.line();
    page_.heading(title);
    std::size_t shown = 0;
    for (const Part& part : all) {
      if (shown == kMostParts || part.delta_ns() == 0) break;
      ++shown;
      std::string name = kernels ? fold_kernel_name(part.name, style_) : part.name;
      name = fit_middle(printable(name), kNameWidth, style_.ellipsis());
      std::string line =
          "  " + pad_right(name, kNameWidth) + pad_left(time_words(part.ns_before), 11) +
          pad_left(time_words(part.ns_after), 11) + pad_left(delta_words(part.delta_ns()), 12);
      page_.line(line);
      const double count = part.count_after - part.count_before;
      constexpr double kCounts = 0.05;
      if (kernels && std::abs(count) > kCounts) {
        page_.line(
            fmt::format("      {:.3g} -> {:.3g} launches", part.count_before, part.count_after));
      }
    }
    if (shown == 0) page_.line("  no change");
  }

  const DiffReport& r_;
  const Comparison& c_;
  const Style& style_;
  Page page_;
};

}  // namespace

std::string diff_class(const Comparison& c) {
  if (c.refused) return "refused";
  switch (c.answer().direction) {
    case Direction::kLess:
      return "faster";
    case Direction::kMore:
      return "slower";
    case Direction::kSame:
      return "no difference";
    case Direction::kUnclear:
      break;
  }
  return "undecided";
}

std::string diff_text(const DiffReport& report, const Style& style) {
  return DiffPage(report, style).write();
}

}  // namespace rooflab::report
