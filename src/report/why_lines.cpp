// SPDX-License-Identifier: Apache-2.0
#include "report/why_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/idle_causes.h"
#include "analysis/owner_totals.h"
#include "analysis/rank_comparison.h"
#include "base/human.h"
#include "report/advice.h"
#include "report/gain_words.h"
#include "report/kernel_name.h"
#include "report/measured_kernels.h"
#include "report/names.h"
#include "report/text.h"
#include "verdict/limit.h"

namespace rooflab::report {
namespace {

constexpr double kIdleWorthNaming = 0.05;
constexpr double kCauseWorthNaming = 0.01;
constexpr double kCopyWorthNaming = 0.005;
constexpr double kBursty = 1.5;  // a burst period above this is printed
// The whole file's busy share is printed beside the window's where they differ by more than a
// point.
constexpr double kBusyDiffers = 0.01;
constexpr int kNameWidth = 40;
constexpr double kNoGain = 1.005;  // what rounds to 1.00x

std::string forbidden(model::Claim claims) {
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

Question busy_question(const analysis::Analysis& a) {
  Nanos busy;
  for (const analysis::DeviceAccounting& d : a.accounting.devices) busy += d.busy;
  const Ratio ratio = analysis::window_busy_ratio(a.accounting);
  std::string detail =
      fmt::format("{} of {}", human_time(busy), human_time(analysis::window_total(a.accounting)));
  if (a.accounting.devices.size() > 1) detail += " (all devices; the share is their mean)";
  if (std::abs(a.metrics.gpu_busy_ratio - ratio.value) > kBusyDiffers) {
    detail += fmt::format("; whole file {}", human_percent(Ratio{a.metrics.gpu_busy_ratio}));
  }
  return {"Is the GPU busy?", human_percent(ratio), detail};
}

Question useful_question(const analysis::Analysis& a) {
  const std::string text = "Is the work useful?";
  if (a.kernels.device_name.empty())
    return {text, "unknown", "this device's peaks are not in data/devices"};
  if (!a.kernels.useful_ratio)
    return {text, "unknown", "no shapes in the file: record_shapes=True tells"};
  const double known = ratio_of(a.kernels.modelled_time, a.kernels.kernel_time).value;
  return {text, human_percent(Ratio{*a.kernels.useful_ratio}),
          fmt::format("of the window is needed at the device's roof; {} of compute kernel time "
                      "unknown",
                      human_percent(Ratio{std::max(0.0, 1 - known)}))};
}

// "ProfilerStep#5" counts; the kind of unit is what stands before. A unit can be named after a
// kernel.
std::string unit_name(const analysis::Units& units, const Style& style) {
  if (units.marker.empty()) return "kernel period";
  const std::string kind = units.marker.substr(0, units.marker.find('#'));
  return fit_middle(fold_kernel_name(kind, style), kNameWidth, style.ellipsis());
}

std::string_view basis_words(analysis::WindowBasis basis) {
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

// Of all ranks, each code once.
std::vector<model::HygieneNote> notes_of(const WhyReport& r) {
  std::vector<model::HygieneNote> out = r.analysis->profile->hygiene.notes();
  for (const analysis::Analysis* rank : r.ranks) {
    if (rank->profile == r.analysis->profile) continue;
    for (const model::HygieneNote& note : rank->profile->hygiene.notes()) {
      const auto same = std::find_if(
          out.begin(), out.end(), [&](const model::HygieneNote& n) { return n.code == note.code; });
      if (same == out.end()) {
        out.push_back(note);
        continue;
      }
      same->count = saturating_add(same->count, note.count);
      same->forbids = same->forbids | note.forbids;
    }
  }
  return out;
}

// "idle.starved.input:load" under "Idle during load" is "starved.input".
std::string owner_beside(std::string_view owner, std::string_view activity) {
  const std::size_t colon = owner.find(':');
  const bool repeats = !activity.empty() && colon != std::string_view::npos &&
                       activity.find(owner.substr(colon + 1)) != std::string_view::npos;
  if (repeats) owner = owner.substr(0, colon);
  if (owner.starts_with("idle.")) owner.remove_prefix(5);
  return owner_words(owner);
}

}  // namespace

std::string owner_words(std::string_view owner) {
  return printable(owner.substr(0, owner.find('#')));
}

std::string state_line(const WhyReport& r) {
  const verdict::Verdict& v = r.verdict;
  std::string out = fmt::format("limit: {}", verdict::to_string(v.limit));
  if (v.state == verdict::State::kInconclusive) {
    return out + ", state: inconclusive (exit status 5)";
  }
  if (v.confidence == rules::Confidence::kProvisional) {
    out += " (provisional)";
  } else {
    if (v.gain) out += fmt::format(", gain {}", gain_words(*v.gain));
    out += fmt::format(", confidence {}", rules::to_string(v.confidence));
  }
  if (v.margin_ratio) {
    out += fmt::format(", next: {} ({} less)", verdict::to_string(v.runner_up),
                       human_percent(Ratio{*v.margin_ratio}));
  }
  out += fmt::format(", state: {}", verdict::to_string(v.state));
  if (!v.improvable_because.empty() && r.findings.fired.empty()) {
    out += " (" + v.improvable_because + ")";
  }
  return out;
}

std::string input_line(const WhyReport& r) {
  const analysis::Analysis& a = *r.analysis;
  const model::Profile& p = *a.profile;
  std::string out = printable(p.provenance.input);
  if (const std::size_t slash = out.rfind('/'); slash != std::string::npos) out.erase(0, slash + 1);
  if (!a.accounting.devices.empty()) {
    const std::size_t count = r.ranks.empty() ? a.accounting.devices.size() : 1;
    if (count > 1) out += fmt::format(", {} devices, first", count);
    out += (count > 1 ? " " : ", ") + device_words(p, a.accounting.devices[0].device);
  }
  if (!r.ranks.empty()) {
    out = fmt::format("{} ranks, this page's cause and kernels from rank {}: {}", r.ranks.size(),
                      p.rank.rank, out);
  } else if (p.rank.rank >= 0 && p.rank.world_size > 1) {
    out += fmt::format(", rank {} of {}", p.rank.rank, p.rank.world_size);
  }
  return out;
}

std::vector<Question> questions(const WhyReport& r) {
  return {busy_question(*r.analysis), useful_question(*r.analysis)};
}

std::vector<std::string> hidden_lines(const WhyReport& r) {
  Nanos copy;
  Nanos comm;
  for (const analysis::DeviceAccounting& d : r.analysis->accounting.devices) {
    copy += d.hidden_copy;
    comm += d.hidden_comm;
  }
  std::string text;
  if (copy.value > 0) text += "copies " + human_time(copy);
  if (comm.value > 0) text += (text.empty() ? "" : ", ") + ("communication " + human_time(comm));
  if (text.empty()) return {};
  return {"hidden beside it: " + text};
}

std::string steps_line(const WhyReport& r, const Style& style) {
  const analysis::Window& w = r.analysis->window;
  const analysis::Units& units = r.analysis->units;
  std::string text;
  if (w.unit_count > 0) {
    const std::size_t recorded = units.units.size();
    const std::string of = recorded > w.unit_count ? fmt::format(" of {}", recorded) : "";
    text = fmt::format("{}{} x {} ({}): mean {}, median {}, p95 {}", w.unit_count, of,
                       unit_name(units, style), basis_words(w.basis), human_time(w.unit_mean),
                       human_time(w.unit_median), human_time(w.unit_p95));
    if (w.burst_period_units > kBursty) {
      text += fmt::format("; in bursts of about {:.0f}, so the mean counts", w.burst_period_units);
    }
  } else {
    text = fmt::format("no repeated steps found; the window is the {}, {}", basis_words(w.basis),
                       human_time(w.length()));
  }
  const bool said = w.note.find("not in steady state") != std::string::npos;
  if (!w.steady && !said) text += "; not in steady state";
  if (!w.note.empty()) text += "; " + printable(w.note);
  return text;
}

std::vector<std::string> idle_lines(const WhyReport& r, const Style& style, std::size_t most) {
  std::vector<std::string> out;
  const analysis::Analysis& a = *r.analysis;
  if (analysis::branch_ratio(a.accounting, "idle").value < kIdleWorthNaming) return out;
  const Nanos window = analysis::window_total(a.accounting);
  for (const analysis::IdleCause& cause : analysis::idle_causes(*a.profile, a.accounting)) {
    const std::string_view name = a.profile->text(cause.activity);
    if (out.size() >= most || ratio_of(cause.time, window).value < kCauseWorthNaming) break;
    std::string thread;
    if (style.verbosity > 0) thread = thread_words(*a.profile, cause.track);
    const std::string words = name.empty() ? "no recorded activity" : owner_words(name);
    out.push_back(fmt::format(
        "{}{}{}: {} in {} gap{}, longest {} [{}]", fit_middle(words, kNameWidth, style.ellipsis()),
        thread.empty() ? "" : " on ", thread, human_time(cause.time), human_count(cause.gaps),
        cause.gaps == 1 ? "" : "s", human_time(cause.longest), owner_beside(cause.owner, name)));
  }
  return out;
}

std::string largest_line(const WhyReport& r) {
  const analysis::Analysis& a = *r.analysis;
  const std::vector<analysis::OwnerShare> owners = analysis::owner_totals(a.accounting);
  if (owners.empty() || owners[0].time.value == 0) return {};
  const std::string& largest = owners[0].owner;
  for (const rules::Finding& f : r.findings.fired) {
    for (const std::string& owner : f.owners) {
      if (analysis::in_branch(largest, owner)) return {};
    }
  }
  const Ratio share = ratio_of(owners[0].time, analysis::window_total(a.accounting));
  std::string text = fmt::format("largest owner, with no finding: {}, {}", owner_words(largest),
                                 human_percent(share));
  const std::string advice = advice_for(largest);
  return advice.empty() ? text : text + ": " + advice;
}

std::string finding_title(const rules::Finding& f) {
  const char* const whole = f.of_measured ? " of the measured time" : " of the window";
  const std::string share = f.ratio.value > 0 ? human_percent(f.ratio) + whole : "share not known";
  // A finding of one kernel names it in its title.
  const std::string& id = f.id.starts_with(f.rule + ":") ? f.rule : f.id;
  return printable(fmt::format("{} [{}, {}]", f.title, id, share));
}

std::string gain_line(const WhyReport& r, const rules::Finding& f) {
  if (f.kernel_bound > 0) {
    std::string text = fmt::format("this kernel at most {}x", factor_words(f.kernel_bound));
    if (f.gain && f.gain->bound) {
      text += fmt::format(", all of the {} {}", f.of_measured ? "measured time" : "step",
                          gain_words(*f.gain));
    }
    return text;
  }
  if (f.position) return {};
  if (f.gain) {
    const bool none = !f.gain->bound && f.gain->likely && *f.gain->likely < kNoGain;
    return printable(fmt::format("{} from {}", none ? "none expected" : gain_words(*f.gain),
                                 calls_words(f.remedy)));
  }
  if (r.basis && !r.basis->suitable) return not_predicted_words(*r.basis);
  if (!r.basis) return {};
  return f.remedy.empty() ? "not predicted: no change that removes it can be simulated"
                          : "not predicted: the change finds nothing here that it could time";
}

std::vector<std::string> basis_lines(const WhyReport& r, bool all) {
  if (!r.basis || r.basis->recorded_step_ns <= 0) return {};
  if (!r.basis->suitable) return {not_predicted_words(*r.basis)};
  std::vector<std::string> out = {reproduction_words(*r.basis)};
  if (all) out.push_back(deflation_words(*r.basis));
  return out;
}

std::string findings_heading(const WhyReport& r) {
  return r.findings.fired.size() < 2 ? "Findings" : "Findings (their shares can overlap)";
}

Table kernels_table(const WhyReport& r, const Style& style, std::size_t rows) {
  const analysis::Analysis& a = *r.analysis;
  std::vector<std::string_view> names;
  const std::size_t count = std::min(a.kernels.rows.size(), rows);
  for (std::size_t i = 0; i < count; ++i) names.push_back(a.profile->text(a.kernels.rows[i].name));
  const std::vector<std::string> texts = display_kernel_names(names, style);
  Nanos total;
  for (const analysis::KernelRow& row : a.kernels.rows) total += row.sum;
  Table t;
  t.columns = {{"name", "Top kernels (share: of kernel time)", Unit::kText},
               {"count", "calls", Unit::kCount},
               {"sum_ns", "time", Unit::kNanos},
               {"ratio", "share", Unit::kRatio},
               {"limit", "limit", Unit::kText},
               {"roof", "of roof", Unit::kRatio}};
  for (std::size_t i = 0; i < count; ++i) {
    const analysis::KernelRow& row = a.kernels.rows[i];
    const bool known = row.modelled > 0 && row.roof_time.value > 0;
    const Cell roof = known ? Cell(ratio_of(row.roof_time, row.modelled_sum).value) : Cell();
    t.rows.push_back({texts[i], row.count, row.sum.value, ratio_of(row.sum, total).value,
                      std::string(analysis::to_string(row.limit)), roof});
  }
  return t;
}

std::vector<std::string> rank_lines(const WhyReport& r, bool all) {
  std::vector<std::string> out;
  if (r.ranks.empty()) return out;
  const analysis::Analysis& a = *r.analysis;
  constexpr std::size_t kMostRanks = 8;
  const std::size_t shown = all ? r.ranks.size() : std::min(r.ranks.size(), kMostRanks);
  for (std::size_t place = 0; place < shown; ++place) {
    const analysis::RankShare& share = a.ranks->ranks[place];
    const auto time = [](double ns) { return human_time(Nanos(static_cast<std::int64_t>(ns))); };
    out.push_back(fmt::format(
        "{}: busy {}, waits {} a step for others, they wait {} for it, last in {} of {} steps",
        a.job->ranks[place].rank,
        human_percent(analysis::window_busy_ratio(r.ranks[place]->accounting)),
        time(share.waited_ns), time(share.caused_ns), share.steps_last, a.ranks->steps));
  }
  if (shown < r.ranks.size()) out.push_back(fmt::format("{} more (-v)", r.ranks.size() - shown));
  for (const std::string& note : a.job->notes) out.push_back(printable(note));
  return out;
}

std::vector<std::string> copy_lines(const WhyReport& r, bool all) {
  const analysis::Analysis& a = *r.analysis;
  const Nanos window = analysis::window_total(a.accounting);
  std::vector<std::string> out;
  for (const analysis::CopyGroup& g : a.copies) {
    // A few small copies explain nothing.
    const bool small = ratio_of(g.sum, window).value < kCopyWorthNaming;
    if (g.count == 0 || (small && !all)) continue;
    std::string text = fmt::format("{} {}: {} x, {}", direction_word(g.direction),
                                   memory_word(g.memory), human_count(g.count), human_time(g.sum));
    if (g.sized > 0) text += ", " + human_bytes(g.bytes);
    if (g.bytes_per_second() > 0) text += " at " + human_rate(g.bytes_per_second());
    const bool link = g.direction == model::CopyDirection::kHostToDevice ||
                      g.direction == model::CopyDirection::kDeviceToHost;
    if (link && a.hardware != nullptr && a.hardware->host_link.value > 0) {
      text += fmt::format(" (link {})", human_rate(a.hardware->host_link.value));
    }
    out.push_back(std::move(text));
  }
  return out;
}

std::vector<std::string> trust_lines(const WhyReport& r, bool all) {
  const analysis::Analysis& a = *r.analysis;
  std::vector<std::string> out;
  if (analysis::branch_time(a.accounting, "comm").value > 0 &&
      analysis::branch_time(a.accounting, "comm.exposed.unsplit").value > 0) {
    out.emplace_back(r.files > 1
                         ? "not all ranks of its groups could be matched: communication is not "
                           "split into waiting for other ranks and transfer"
                         : "give the other ranks' files too: one rank's file cannot tell waiting "
                           "for the others from transfer");
  }
  for (std::string& line : flagged_lines(r, all ? 1000 : 3)) out.push_back(std::move(line));
  std::size_t shown = 0;
  const std::vector<model::HygieneNote> notes = notes_of(r);
  for (const model::HygieneNote& note : notes) {
    const bool forbids = note.forbids != model::Claim::kNothing;
    if (!all && !forbids && shown >= 3) continue;
    out.push_back(
        printable(fmt::format("{} x {}: {}", human_count(note.count), note.code, note.hint)));
    if (forbids) out.push_back("  so no conclusions about " + forbidden(note.forbids));
    ++shown;
  }
  if (shown < notes.size()) out.push_back(fmt::format("{} more (-v)", notes.size() - shown));
  if (out.empty()) out.emplace_back("nothing was dropped, repaired or left unlinked");
  return out;
}

// More rules than this with one need are counted.
constexpr std::ptrdiff_t kMostNamedRules = 3;

std::vector<std::string> not_judged_lines(const WhyReport& r, bool all) {
  std::vector<std::pair<std::string, std::string>> rows;  // what is needed, and by which rules
  for (const rules::NotEvaluatedRule& n : r.findings.not_evaluated) {
    const auto same = std::find_if(rows.begin(), rows.end(),
                                   [&](const auto& row) { return row.first == n.needs; });
    if (same == rows.end()) {
      rows.emplace_back(n.needs, n.rule);
    } else {
      same->second += ", " + n.rule;
    }
  }
  std::vector<std::string> out;
  for (const auto& [needs, by] : rows) {
    const auto rules = 1 + std::count(by.begin(), by.end(), ',');
    const std::string who =
        all || rules <= kMostNamedRules ? by : fmt::format("{} diagnoses (-v names them)", rules);
    out.push_back(printable(fmt::format("{}: need{} {}", who, rules > 1 ? "" : "s", needs)));
  }
  return out;
}

}  // namespace rooflab::report
