// SPDX-License-Identifier: Apache-2.0
// The screen of `rooflab why`: the verdict in the first line, then busy, useful, where the time
// goes, who starves the device, what to change, and how far the file can be trusted. Short by
// default; -v shows everything.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/owner_totals.h"
#include "base/human.h"
#include "report/measured_kernels.h"
#include "report/page.h"
#include "report/text.h"
#include "report/why.h"
#include "report/why_lines.h"

namespace rooflab::report {
namespace {

// A page is at most this long unless -v: the longest lists give way first.
constexpr std::ptrdiff_t kMostLines = 45;
struct Rows {
  std::size_t owners, causes, findings, facts, kernels, measured;
};
constexpr std::array<Rows, 6> kRows{{{8, 3, 3, 2, 5, 10},
                                     {7, 3, 3, 2, 3, 8},
                                     {6, 2, 3, 1, 2, 6},
                                     {5, 1, 2, 1, 2, 5},
                                     {5, 1, 1, 1, 2, 4},
                                     {4, 1, 1, 1, 1, 3}}};
constexpr Rows kAllRows{1000, 20, 1000, 1000, 20, 1000};
constexpr double kSmallShare = 0.005;  // owners below are summed up in one row
constexpr int kOwnerAndBar = 47;       // columns that an owner and its bar share
constexpr int kNarrowestOwner = 31, kWidestOwner = 38;
constexpr int kQuestionWidth = 25;
constexpr int kLeadWidth = 12;

Ink ink_of_owner(std::string_view owner) {
  if (analysis::in_branch(owner, "compute")) return Ink::kGood;
  if (analysis::in_branch(owner, "idle")) return Ink::kBad;
  return Ink::kWarn;
}

class WhyPage {
 public:
  WhyPage(const WhyReport& report, const Style& style, const Rows& rows)
      : r_(report), a_(*report.analysis), style_(style), rows_(rows), page_(style) {}

  std::string write() && {
    headline();
    if (!a_.accounting.devices.empty()) {
      for (const Question& q : questions(r_)) question(q);
      owners();
      page_.paragraph(pad_right("Steps", kLeadWidth), steps_line(r_, style_));
      list("Idle during", idle_lines(r_, style_, rows_.causes));
    }
    findings();
    if (!a_.kernels.rows.empty()) {
      const Table kernels = kernels_table(r_, style_, rows_.kernels);
      const std::string text = to_terminal(kernels, style_);
      page_.line(std::string_view(text).substr(0, text.find_last_not_of('\n') + 1));
    }
    if (a_.kernels.rows.empty() && !a_.counters.kernels.empty()) measured_kernels();
    list("Ranks", rank_lines(r_, verbose()));
    list("Copies", copy_lines(r_, verbose()));
    list("Gains", basis_lines(r_, verbose()));
    list("Trust", trust_lines(r_, verbose()));
    list("Not judged", not_judged_lines(r_, verbose()));
    return std::move(page_).take();
  }

 private:
  [[nodiscard]] bool verbose() const { return style_.verbosity > 0; }

  void list(std::string_view lead, const std::vector<std::string>& rows) {
    for (const std::string& row : rows) {
      page_.paragraph(pad_right(std::string(lead), kLeadWidth), row);
      lead = {};
    }
  }

  void headline() {
    const Ink ink = r_.verdict.state == verdict::State::kHealthy        ? Ink::kGood
                    : r_.verdict.state == verdict::State::kInconclusive ? Ink::kWarn
                                                                        : Ink::kBold;
    page_.paragraph("", r_.verdict.summary + ".", ink);
    page_.paragraph("", state_line(r_), Ink::kDim);
    page_.line(paint(style_, Ink::kDim, fit(input_line(r_), style_.width, style_.ellipsis())));
    if (!a_.accounting.devices.empty()) page_.line();
  }

  void question(const Question& q) {
    std::string before = paint(style_, Ink::kBold, pad_right(q.text, kQuestionWidth)) +
                         paint(style_, Ink::kAccent, pad_left(q.answer, 7)) + "  ";
    const int indent = kQuestionWidth + 9;
    for (const std::string& part : wrap(q.detail, style_.width - indent)) {
      page_.line(before + part);
      before.assign(static_cast<std::size_t>(indent), ' ');
    }
  }

  void owner_row(const std::string& name, Nanos time, Ink ink) {
    const Ratio share = ratio_of(time, analysis::window_total(a_.accounting));
    const int width = kOwnerAndBar - owner_width_;
    const std::string mark = pad_right(bar(style_, share.value, width), width);
    std::string unit_time;
    if (a_.window.unit_count > 0) {
      const auto per =
          static_cast<std::int64_t>(a_.window.unit_count * a_.accounting.devices.size());
      unit_time = human_time(Nanos(time.value / per));
    }
    page_.line(
        fmt::format("  {} {} {} {} {}",
                    pad_right(fit_middle(name, owner_width_, style_.ellipsis()), owner_width_),
                    paint(style_, ink, mark), pad_left(human_percent(share), 7),
                    pad_left(unit_time, 9), pad_left(human_time(time), 9)));
  }

  void owners() {
    const std::string columns =
        a_.window.unit_count > 0 ? " share      each     total" : " share               total";
    page_.line(
        paint(style_, Ink::kBold,
              pad_right("Where does the time go? (share: of the window)", kOwnerAndBar + 4)) +
        paint(style_, Ink::kDim, columns));
    const Nanos window = analysis::window_total(a_.accounting);
    const std::vector<analysis::OwnerShare> shares = analysis::owner_totals(a_.accounting);
    for (const analysis::OwnerShare& share : shares) {
      owner_width_ =
          std::clamp(display_width(owner_words(share.owner)), owner_width_, kWidestOwner);
    }
    Nanos rest;
    std::size_t shown = 0;
    std::size_t left_out = 0;
    for (const analysis::OwnerShare& share : shares) {
      if (share.time.value == 0) continue;
      const bool small = ratio_of(share.time, window).value < kSmallShare || shown >= rows_.owners;
      if (small && !verbose() && shown > 0) {
        rest += share.time;
        ++left_out;
        continue;
      }
      owner_row(owner_words(share.owner), share.time, ink_of_owner(share.owner));
      ++shown;
    }
    if (left_out > 0) owner_row(fmt::format("{} more (-v)", left_out), rest, Ink::kDim);
    for (const std::string& line : hidden_lines(r_)) page_.line("  " + line);
  }

  void finding(std::size_t number, const rules::Finding& f) {
    page_.paragraph(fmt::format("{:2}. ", number), finding_title(f), Ink::kBold);
    if (const std::string gain = gain_line(r_, f); !gain.empty()) {
      page_.paragraph("    gain: ", gain, f.gain ? Ink::kGood : Ink::kDim);
    }
    const std::size_t facts = std::min(rows_.facts, f.evidence.size());
    for (std::size_t i = 0; i < facts; ++i) page_.paragraph("    - ", f.evidence[i].text);
    const std::size_t fixes = verbose() ? f.fixes.size() : std::min<std::size_t>(1, f.fixes.size());
    for (std::size_t i = 0; i < fixes; ++i) {
      page_.paragraph(fmt::format("    fix ({}): ", f.fixes[i].api), f.fixes[i].text, Ink::kAccent);
    }
    if (!verbose()) return;
    for (const std::string& step : f.chain) page_.paragraph("    > ", step);
    page_.paragraph("    refuted if: ", f.falsifier);
  }

  void findings() {
    page_.line();
    const std::vector<rules::Finding>& fired = r_.findings.fired;
    if (fired.empty()) {
      page_.line(paint(style_, Ink::kBold, "Findings") + "  none");
    } else {
      page_.heading(findings_heading(r_));
    }
    if (const std::string largest = largest_line(r_); !largest.empty()) {
      page_.paragraph("    ", largest);
    }
    const std::size_t count = std::min(fired.size(), rows_.findings);
    for (std::size_t i = 0; i < count; ++i) finding(i + 1, fired[i]);
    if (count < fired.size()) {
      page_.line(paint(style_, Ink::kDim, fmt::format("    {} more (-v)", fired.size() - count)));
    }
    for (const Suppressed& s : r_.suppressed) {
      page_.paragraph("    ", fmt::format("suppressed in rooflab.toml: {} ({})", s.rule, s.reason),
                      Ink::kDim);
    }
    page_.line();
  }

  void measured_kernels() {
    page_.heading("Measured kernels (share: of the measured time)");
    for (const MeasuredLine& line : measured_lines(r_, style_, rows_.measured)) {
      page_.line(line.row);
      if (!line.finding.empty()) page_.paragraph("      ", line.finding, line.ink);
    }
  }

  const WhyReport& r_;
  const analysis::Analysis& a_;
  const Style& style_;
  const Rows& rows_;
  int owner_width_ = kNarrowestOwner;
  Page page_;
};

}  // namespace

std::string why_text(const WhyReport& report, const Style& style) {
  if (style.verbosity > 0) return WhyPage(report, style, kAllRows).write();
  std::string page;
  for (const Rows& rows : kRows) {
    page = WhyPage(report, style, rows).write();
    if (std::count(page.begin(), page.end(), '\n') <= kMostLines) break;
  }
  return page;
}

namespace {

// Of a job's rank: that rank's file.
std::string input_of(const WhyReport& report, const analysis::DeviceAccounting& device) {
  for (const analysis::Analysis* rank : report.ranks) {
    if (rank->profile->rank.rank == device.rank) return rank->profile->provenance.input;
  }
  return report.analysis->profile->provenance.input;
}

}  // namespace

Table accounting_table(const WhyReport& report) {
  const analysis::Analysis& a = *report.analysis;
  Table t;
  t.id = "accounting";
  t.title = report.verdict.summary;
  t.columns = {{"input", "input", Unit::kText},
               {"device", "device", Unit::kCount},
               {"owner", "owner", Unit::kText},
               {"time_ns", "time", Unit::kNanos},
               {"ratio", "share", Unit::kRatio}};
  for (const analysis::DeviceAccounting& d : a.accounting.devices) {
    for (const analysis::OwnerShare& share : d.owners) {
      t.rows.push_back({input_of(report, d), d.device_index, share.owner, share.time.value,
                        ratio_of(share.time, d.total()).value});
    }
  }
  return t;
}

}  // namespace rooflab::report
