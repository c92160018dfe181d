// SPDX-License-Identifier: Apache-2.0
// The screen of `rooflab why`: the verdict in the first line, then busy, useful, where the time
// goes, who starves the device, what to change, and how far the file can be trusted. Short by
// default; -v shows everything.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/idle_causes.h"
#include "analysis/owner_totals.h"
#include "base/human.h"
#include "report/kernel_name.h"
#include "report/names.h"
#include "report/page.h"
#include "report/text.h"
#include "report/why.h"
#include "verdict/limit.h"

namespace rooflab::report {
namespace {

constexpr std::size_t kShortList = 5;  // rows of a list unless -v
constexpr std::size_t kOwnerRows = 8;  // owners with a bar unless -v
constexpr double kSmallShare = 0.005;  // owners below are summed up in one row
constexpr int kOwnerAndBar = 47;       // columns that an owner and its bar share
constexpr int kWidestOwner = 38;
constexpr int kQuestionWidth = 25;
constexpr int kLabel = 13;
constexpr double kIdleWorthNaming = 0.05;
constexpr double kBursty = 1.5;  // a burst period above this is printed

Ink ink_of_owner(std::string_view owner) {
  if (analysis::in_branch(owner, "compute")) return Ink::kGood;
  if (analysis::in_branch(owner, "idle")) return Ink::kBad;
  return Ink::kWarn;
}

// The method that frameworks append after a '#' is left out on the screen; JSON has it.
std::string owner_text(const std::string& owner) {
  return printable(owner.substr(0, owner.find('#')));
}

// "ProfilerStep#5" counts; the kind of unit is what stands before.
std::string unit_text(const std::string& marker) {
  return marker.empty() ? "kernel period" : printable(marker.substr(0, marker.find('#')));
}

std::string_view basis_text(analysis::WindowBasis basis) {
  switch (basis) {
    case analysis::WindowBasis::kDeviceSteps:
      return "device steps";
    case analysis::WindowBasis::kDeviceSpan:
      return "span of the device work";
    case analysis::WindowBasis::kHostSpan:
      return "span of the host activity";
    case analysis::WindowBasis::kUser:
      break;
  }
  return "part asked for";
}

class WhyPage {
 public:
  WhyPage(const WhyReport& report, const Style& style)
      : r_(report),
        a_(*report.analysis),
        p_(*report.analysis->profile),
        style_(style),
        page_(style) {}

  std::string write() && {
    headline();
    if (!a_.accounting.devices.empty()) {
      questions();
      owners();
      units();
      starvers();
    }
    findings();
    if (!a_.kernels.rows.empty()) kernels();
    copies();
    trust();
    not_evaluated();
    return std::move(page_).take();
  }

 private:
  [[nodiscard]] bool verbose() const { return style_.verbosity > 0; }

  void headline() {
    const bool provisional = r_.verdict.confidence == rules::Confidence::kProvisional &&
                             r_.verdict.state != verdict::State::kInconclusive;
    const Ink ink = r_.verdict.state == verdict::State::kHealthy        ? Ink::kGood
                    : r_.verdict.state == verdict::State::kInconclusive ? Ink::kWarn
                                                                        : Ink::kBold;
    page_.paragraph("", r_.verdict.summary + ".", ink);
    const std::string limit =
        fmt::format("limit: {}, state: {}", verdict::to_string(r_.verdict.limit),
                    verdict::to_string(r_.verdict.state));
    page_.line(paint(style_, Ink::kDim,
                     limit + (provisional ? " (provisional: no gain computed yet)" : "")));
    std::string file = printable(p_.provenance.input);
    if (const std::size_t slash = file.rfind('/'); slash != std::string::npos)
      file.erase(0, slash + 1);
    std::string device;
    for (const analysis::DeviceAccounting& d : a_.accounting.devices) {
      if (device.empty()) device = ", " + device_words(p_, d.device);
    }
    if (a_.accounting.devices.size() > 1) {
      device =
          fmt::format(", {} devices, first {}", a_.accounting.devices.size(), device.substr(2));
    }
    if (p_.rank.rank >= 0 && p_.rank.world_size > 1) {
      device += fmt::format(", rank {} of {}", p_.rank.rank, p_.rank.world_size);
    }
    page_.line(paint(style_, Ink::kDim, fit(file + device, style_.width, style_.ellipsis())));
    page_.line();
  }

  void question(std::string_view text, std::string_view answer, const std::string& detail) {
    const std::string lead =
        paint(style_, Ink::kBold, pad_right(std::string(text), kQuestionWidth)) +
        paint(style_, Ink::kAccent, pad_left(std::string(answer), 7)) + "  ";
    const int indent = kQuestionWidth + 9;
    std::string before = lead;
    for (const std::string& part : wrap(detail, style_.width - indent)) {
      page_.line(before + part);
      before.assign(static_cast<std::size_t>(indent), ' ');
    }
  }

  void questions() {
    const analysis::DeviceMetrics& file = a_.metrics.total;
    Nanos busy;
    for (const analysis::DeviceAccounting& d : a_.accounting.devices) busy += d.busy;
    const Nanos window = analysis::window_total(a_.accounting);
    question("Is the GPU busy?", human_percent(Ratio{a_.metrics.gpu_busy_ratio}),
             fmt::format("of the recording, {}; {} of the window below{}", human_time(file.busy),
                         human_percent(ratio_of(busy, window)),
                         a_.accounting.devices.size() > 1 ? " (mean of all devices)" : ""));
    if (a_.kernels.device_name.empty()) {
      question("Is the work useful?", "unknown", "this device's peaks are not in data/devices");
    } else if (!a_.kernels.useful_ratio) {
      question("Is the work useful?", "unknown", "no shapes in the file: record_shapes=True tells");
    } else {
      const double known = ratio_of(a_.kernels.modelled_time, a_.kernels.kernel_time).value;
      question(
          "Is the work useful?", human_percent(Ratio{*a_.kernels.useful_ratio}),
          fmt::format("of the window would do at the device's peaks ({} of kernel time unknown)",
                      human_percent(Ratio{std::max(0.0, 1 - known)})));
    }
  }

  void owner_row(const std::string& name, Nanos time, Ink ink) {
    const Nanos window = analysis::window_total(a_.accounting);
    const Ratio share = ratio_of(time, window);
    const std::string mark = pad_right(bar(style_, share.value, kOwnerAndBar - owner_width_),
                                       kOwnerAndBar - owner_width_);
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
    page_.line(paint(style_, Ink::kBold, pad_right("Where does the time go?", kOwnerAndBar + 4)) +
               paint(style_, Ink::kDim, columns));
    const Nanos window = analysis::window_total(a_.accounting);
    const std::vector<analysis::OwnerShare> shares = analysis::owner_totals(a_.accounting);
    for (const analysis::OwnerShare& share : shares) {
      owner_width_ = std::clamp(display_width(owner_text(share.owner)), owner_width_, kWidestOwner);
    }
    Nanos rest;
    std::size_t shown = 0;
    std::size_t left_out = 0;
    for (const analysis::OwnerShare& share : shares) {
      if (share.time.value == 0) continue;
      const bool small = ratio_of(share.time, window).value < kSmallShare || shown >= kOwnerRows;
      if (small && !verbose() && shown > 0) {
        rest += share.time;
        ++left_out;
        continue;
      }
      owner_row(owner_text(share.owner), share.time, ink_of_owner(share.owner));
      ++shown;
    }
    if (left_out > 0) owner_row(fmt::format("{} more (-v)", left_out), rest, Ink::kDim);
    hidden_work();
  }

  void hidden_work() {
    Nanos copy;
    Nanos comm;
    for (const analysis::DeviceAccounting& d : a_.accounting.devices) {
      copy += d.hidden_copy;
      comm += d.hidden_comm;
    }
    if (copy.value > 0) page_.line("  hidden beside it: copies " + human_time(copy));
    if (comm.value > 0) page_.line("  hidden beside it: communication " + human_time(comm));
  }

  void units() {
    const analysis::Window& w = a_.window;
    std::string text;
    if (w.unit_count > 0) {
      text = fmt::format("{} x {} ({}): mean {}, median {}, p95 {}", w.unit_count,
                         unit_text(a_.units.marker), basis_text(w.basis), human_time(w.unit_mean),
                         human_time(w.unit_median), human_time(w.unit_p95));
      if (w.burst_period_units > kBursty) {
        text +=
            fmt::format("; in bursts of about {:.0f}, so the mean counts", w.burst_period_units);
      }
    } else {
      text = fmt::format("no repeated steps found; the window is the {}, {}", basis_text(w.basis),
                         human_time(w.length()));
    }
    const bool noted = w.note.find("steady") != std::string::npos;
    if (!w.steady && !noted) text += "; not in steady state";
    if (!w.note.empty()) text += "; " + w.note;
    page_.paragraph(label("Steps"), text);
  }

  void starvers() {
    const double idle = analysis::branch_ratio(a_.accounting, "idle").value;
    if (idle < kIdleWorthNaming) return;
    const Nanos window = analysis::window_total(a_.accounting);
    std::size_t shown = 0;
    for (const analysis::IdleCause& cause : analysis::idle_causes(p_, a_.accounting)) {
      if (shown >= (verbose() ? 20 : 3) || ratio_of(cause.time, window).value < 0.01) break;
      const std::string thread = thread_words(p_, cause.track);
      page_.paragraph(label(shown == 0 ? "Idle during" : ""),
                      fmt::format("{}{}{}: {} in {} gap{}, longest {} [{}]", activity_text(cause),
                                  thread.empty() ? "" : " on ", thread, human_time(cause.time),
                                  human_count(cause.gaps), cause.gaps == 1 ? "" : "s",
                                  human_time(cause.longest), owner_text(cause.owner)));
      ++shown;
    }
  }

  std::string activity_text(const analysis::IdleCause& cause) const {
    const std::string_view name = p_.text(cause.activity);
    if (name.empty()) return "no recorded activity";
    return fit_middle(printable(name.substr(0, name.find('#'))), 40, style_.ellipsis());
  }

  static std::string label(std::string_view text) { return pad_right(std::string(text), kLabel); }

  void findings() {
    page_.line();
    if (r_.findings.fired.empty()) {
      page_.line(paint(style_, Ink::kBold, "Findings") + "  none");
    } else {
      page_.heading("Findings");
    }
    std::size_t number = 0;
    for (const rules::Finding& f : r_.findings.fired) {
      if (number >= kShortList && !verbose()) break;
      page_.paragraph(
          fmt::format("{:2}. ", ++number),
          fmt::format("{} [{}, {} of the window]", f.title, f.id, human_percent(f.ratio)),
          Ink::kBold);
      const std::size_t facts =
          verbose() ? f.evidence.size() : std::min<std::size_t>(2, f.evidence.size());
      for (std::size_t i = 0; i < facts; ++i) page_.paragraph("    - ", f.evidence[i].text);
      const std::size_t fixes =
          verbose() ? f.fixes.size() : std::min<std::size_t>(1, f.fixes.size());
      for (std::size_t i = 0; i < fixes; ++i) {
        page_.paragraph(fmt::format("    fix ({}): ", f.fixes[i].api), f.fixes[i].text,
                        Ink::kAccent);
      }
      if (!verbose()) continue;
      for (const std::string& step : f.chain) page_.paragraph("    > ", step);
      page_.paragraph("    refuted if: ", f.falsifier);
    }
    for (const Suppressed& s : r_.suppressed) {
      page_.paragraph("    ", fmt::format("suppressed in rooflab.toml: {} ({})", s.rule, s.reason),
                      Ink::kDim);
    }
    page_.line();
  }

  void kernels() {
    std::vector<std::string_view> names;
    const std::size_t count = std::min(a_.kernels.rows.size(), verbose() ? 20 : kShortList);
    for (std::size_t i = 0; i < count; ++i) names.push_back(p_.text(a_.kernels.rows[i].name));
    const std::vector<std::string> texts = display_kernel_names(names, style_);
    Nanos total;
    for (const analysis::KernelRow& row : a_.kernels.rows) total += row.sum;
    Table t;
    t.columns = {{"name", "Top kernels", Unit::kText}, {"count", "calls", Unit::kCount},
                 {"sum_ns", "time", Unit::kNanos},     {"ratio", "share", Unit::kRatio},
                 {"limit", "limit", Unit::kText},      {"roof", "of roof", Unit::kRatio}};
    for (std::size_t i = 0; i < count; ++i) {
      const analysis::KernelRow& row = a_.kernels.rows[i];
      const bool known = row.modelled > 0 && row.roof_time.value > 0;
      const Cell roof = known ? Cell(ratio_of(row.roof_time, row.modelled_sum).value) : Cell();
      t.rows.push_back({texts[i], row.count, row.sum.value, ratio_of(row.sum, total).value,
                        std::string(analysis::to_string(row.limit)), roof});
    }
    page_.line(std::string(trim_end(to_terminal(t, style_))));
  }

  void copies() {
    bool first = true;
    for (const analysis::CopyGroup& g : a_.metrics.total.copies) {
      // A few small copies explain nothing.
      const bool small = ratio_of(g.sum, a_.metrics.total.span).value < kSmallShare;
      if (g.count == 0 || (small && !verbose())) continue;
      std::string text =
          fmt::format("{} {}: {} x, {}", direction_word(g.direction), memory_word(g.memory),
                      human_count(g.count), human_time(g.sum));
      if (g.sized > 0) text += ", " + human_bytes(g.bytes);
      if (g.bytes_per_second() > 0) text += " at " + human_rate(g.bytes_per_second());
      const bool link = g.direction == model::CopyDirection::kHostToDevice ||
                        g.direction == model::CopyDirection::kDeviceToHost;
      if (link && a_.hardware != nullptr && a_.hardware->host_link.value > 0) {
        text += fmt::format(" (link {})", human_rate(a_.hardware->host_link.value));
      }
      page_.paragraph(label(first ? "Copies" : ""), text);
      first = false;
    }
  }

  void trust() {
    const auto& notes = p_.hygiene.notes();
    const bool unsplit = analysis::branch_time(a_.accounting, "comm.exposed.unsplit").value > 0;
    if (notes.empty() && !unsplit) {
      page_.paragraph(label("Trust"), "nothing was dropped, repaired or left unlinked");
      return;
    }
    bool first = true;
    const auto row = [&](const std::string& text) {
      page_.paragraph(label(first ? "Trust" : ""), text);
      first = false;
    };
    if (unsplit)
      row("communication cannot be split into waiting and transfer: give the other ranks' files "
          "too");
    std::size_t shown = 0;
    for (const model::HygieneNote& note : notes) {
      const bool forbids = note.forbids != model::Claim::kNothing;
      if (!verbose() && !forbids && shown >= 3) continue;
      row(fmt::format("{} x {}: {}", human_count(note.count), note.code, note.hint));
      if (forbids) row("  so no conclusions about " + forbidden(note.forbids));
      ++shown;
    }
    if (shown < notes.size()) row(fmt::format("{} more (-v)", notes.size() - shown));
  }

  static std::string forbidden(model::Claim claims) {
    constexpr std::pair<model::Claim, const char*> kWords[] = {
        {model::Claim::kTimes, "times and ratios"},
        {model::Claim::kCoverage, "idle time (device work may be missing)"},
        {model::Claim::kLinks, "which host activity launched which work"},
        {model::Claim::kHostCause, "what the host did in a gap"},
        {model::Claim::kMemory, "memory use"}};
    std::string out;
    for (const auto& [claim, words] : kWords) {
      if (model::includes(claims, claim)) out += (out.empty() ? "" : "; ") + std::string(words);
    }
    return out;
  }

  void not_evaluated() {
    bool first = true;
    for (const rules::NotEvaluatedRule& n : r_.findings.not_evaluated) {
      page_.paragraph(label(first ? "Not judged" : ""),
                      fmt::format("{}: needs {}", n.rule, n.needs));
      first = false;
    }
  }

  static std::string_view trim_end(std::string_view text) {
    return text.substr(0, text.find_last_not_of('\n') + 1);
  }

  const WhyReport& r_;
  const analysis::Analysis& a_;
  const model::Profile& p_;
  const Style& style_;
  Page page_;
  int owner_width_ = 20;
};

}  // namespace

std::string why_text(const WhyReport& report, const Style& style) {
  return WhyPage(report, style).write();
}

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
      t.rows.push_back({a.profile->provenance.input, a.profile->devices[d.device.row].index,
                        share.owner, share.time.value, ratio_of(share.time, d.total()).value});
    }
  }
  return t;
}

std::string why_markdown(const WhyReport& report, const Style& style) {
  std::string out = to_markdown(accounting_table(report));
  if (!report.findings.fired.empty()) out += "\n#### Findings\n\n";
  for (const rules::Finding& f : report.findings.fired) {
    out += fmt::format("- **{}** ({} of the window): {}\n", f.id, human_percent(f.ratio),
                       printable(f.title));
    for (const rules::Fix& fix : f.fixes)
      out += fmt::format("  - fix ({}): `{}`\n", fix.api, printable(fix.text));
  }
  (void)style;
  return out;
}

}  // namespace rooflab::report
