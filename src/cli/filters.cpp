// SPDX-License-Identifier: Apache-2.0
#include "cli/filters.h"

#include <re2/re2.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>

#include "cli/globals.h"

namespace rooflab::cli {
namespace {

Result<std::int64_t> parse_index(const std::string& text, const char* flag) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    return fail(ErrorCode::kUsage, "\"" + text + "\" is no step number", flag,
                "write --steps 2-5 or --steps 3");
  }
  return value;
}

Result<std::pair<std::int64_t, std::int64_t>> parse_steps(const std::string& text) {
  const std::size_t dash = text.find('-');
  RL_TRY(const std::int64_t first, parse_index(text.substr(0, dash), "--steps"));
  if (dash == std::string::npos) return std::pair(first, first);
  RL_TRY(const std::int64_t last, parse_index(text.substr(dash + 1), "--steps"));
  if (last < first) {
    return fail(ErrorCode::kUsage, "the last step comes before the first", "--steps",
                "write --steps FIRST-LAST");
  }
  return std::pair(first, last);
}

Result<std::pair<Nanos, Nanos>> parse_window(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    return fail(ErrorCode::kUsage, "a window needs a start and an end", "--window",
                "write --window 10ms:1.5s");
  }
  RL_TRY(const Nanos start, parse_time(text.substr(0, colon)));
  RL_TRY(const Nanos end, parse_time(text.substr(colon + 1)));
  if (end <= start)
    return fail(ErrorCode::kUsage, "the window ends before it starts", "--window",
                "write --window START:END");
  return std::pair(start, end);
}

// Each of them says alone what the window is.
Result<void> check_one_window(const Filters& f) {
  std::vector<std::string> given;
  for (const std::string& flag : filters_given(f)) {
    if (flag == "--steps" || flag == "--window" || flag == "--skip-first") given.push_back(flag);
  }
  if (given.size() < 2) return {};
  return fail(ErrorCode::kUsage, given[0] + " and " + given[1] + " both choose the window",
              given[1], "give one of them");
}

}  // namespace

Result<Nanos> parse_time(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double factor = unit == "ns"                 ? 1
                        : unit == "us"               ? 1e3
                        : unit == "ms"               ? 1e6
                        : unit == "s"                ? 1e9
                        : value == 0 && unit.empty() ? 1
                                                     : 0;
  const double nanos = value * factor;
  // 9e18 ns is as far as the clock goes (292 years).
  if (error != std::errc() || factor == 0 || !std::isfinite(nanos) || nanos < 0 || nanos > 9e18) {
    return fail(ErrorCode::kUsage, "\"" + text + "\" is no time", "--window",
                "write a number with ns, us, ms or s");
  }
  return Nanos(std::llround(nanos));
}

void add_filters(CLI::App& app, Filters& f, Globals& g, NameFilter name) {
  const auto set = [&g](const char* key) {
    return [&g, key](const std::string& value) { g.flags[key] = value; };
  };
  const char* group = "Filters";
  app.add_option("--steps", f.steps, "units of work A to B, from 0")
      ->type_name("A-B")
      ->group(group);
  app.add_option("--skip-first", f.skip_first, "leave out the first N units")
      ->type_name("N")
      ->group(group);
  app.add_option("--window", f.window, "T0 to T1 after the first event: 0:5ms")
      ->type_name("T0:T1")
      ->group(group);
  app.add_option("--device", f.device, "one device, by the recorder's number")
      ->type_name("N")
      ->group(group);
  app.add_option("--stream", f.stream, "one stream")->type_name("N")->group(group);
  app.add_option("--rank", f.rank, "only files of this rank")->type_name("N")->group(group);
  if (name == NameFilter::kOffered)
    app.add_option("--name", f.name, "rows whose name matches")->type_name("REGEX")->group(group);
  app.add_option_function<std::string>("--step-range", set("step_range"),
                                       "the range that marks a unit")
      ->type_name("NAME")
      ->group(group);
  app.add_option_function<std::string>("--input-range", set("input_range"),
                                       "a range that loads input")
      ->type_name("NAME")
      ->group(group);
}

std::vector<std::string> filters_given(const Filters& f) {
  std::vector<std::string> out;
  const auto add = [&](bool given, const char* flag) {
    if (given) out.emplace_back(flag);
  };
  add(!f.steps.empty(), "--steps");
  add(!f.window.empty(), "--window");
  add(f.skip_first.has_value(), "--skip-first");
  add(f.device.has_value(), "--device");
  add(f.stream.has_value(), "--stream");
  add(!f.name.empty(), "--name");
  return out;
}

Result<analysis::Selection> selection_of(const Filters& f, const Config& config) {
  analysis::Selection s;
  RL_CHECK_OK(check_one_window(f));
  if (!f.steps.empty()) {
    RL_TRY(s.steps, parse_steps(f.steps));
  }
  if (!f.window.empty()) {
    RL_TRY(s.window, parse_window(f.window));
  }
  if (f.skip_first.value_or(0) < 0)
    return fail(ErrorCode::kUsage, "a negative number of units", "--skip-first",
                "write --skip-first 1");
  s.skip_first = f.skip_first.value_or(0);
  s.device = f.device;
  s.stream = f.stream;
  s.name = f.name;
  s.step_range = config.get("step_range");
  s.input_range = config.get("input_range");
  if (!s.name.empty()) {
    const re2::RE2 pattern(s.name, re2::RE2::Quiet);
    if (!pattern.ok())
      return fail(ErrorCode::kUsage, "bad pattern: " + pattern.error(), "--name", "RE2 syntax");
  }
  return s;
}

}  // namespace rooflab::cli
