// SPDX-License-Identifier: Apache-2.0
#include "report/gain_words.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/human.h"

namespace rooflab::report {
namespace {

Json optional_json(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

}  // namespace

std::string factor_words(double factor) {
  // Three figures are more than a prediction is good for; below two the second decimal counts.
  if (factor < 1.995) return fmt::format("{:.2f}", factor);
  return factor < 99.5 ? fmt::format("{:.1f}", factor) : fmt::format("{:.0f}", factor);
}

std::string gain_words(const rules::Gain& g) {
  if (g.bound || !g.likely) return fmt::format("at most {}x", factor_words(g.high));
  std::string out = factor_words(*g.likely) + "x";
  const std::string low = factor_words(g.low.value_or(*g.likely));
  const std::string high = factor_words(g.high);
  if (low != high) out += fmt::format(" ({}-{}x)", low, high);
  if (g.as_recorded) out += fmt::format(", as recorded {}x", factor_words(*g.as_recorded));
  return out;
}

Json gain_json(const std::optional<rules::Gain>& gain) {
  if (!gain) return nullptr;
  return {{"low", optional_json(gain->low)},
          {"likely", optional_json(gain->likely)},
          {"high", gain->high},
          {"bound", gain->bound},
          {"as_recorded", optional_json(gain->as_recorded)}};
}

std::string call_words(const graph::ChangeCall& call) {
  std::string out = call.name;
  for (const std::string& argument : call.arguments) {
    const bool quote = argument.empty() || argument.find_first_of(" \t\"") != std::string::npos;
    out += quote ? " '" + argument + "'" : " " + argument;
  }
  return out;
}

std::string calls_words(const std::vector<graph::ChangeCall>& calls) {
  std::string out;
  for (const graph::ChangeCall& call : calls) out += (out.empty() ? "" : " + ") + call_words(call);
  return out;
}

std::string not_predicted_words(const verdict::GainBasis& b) {
  if (b.suitable) return {};
  if (b.recorded_step_ns <= 0) return "not predicted: no device step in the window to re-time";
  return fmt::format("not predicted: the recorded step is not reproduced within 2 % ({} off)",
                     human_percent(Ratio{b.error_ratio}));
}

std::string reproduction_words(const verdict::GainBasis& b) {
  return fmt::format("the recorded step is reproduced to {}; {} of it is recorded host time",
                     human_percent(Ratio{b.error_ratio}),
                     human_percent(Ratio{b.host_recorded_ratio}));
}

std::string deflation_words(const verdict::GainBasis& b) {
  if (!b.deflation)
    return "host time is taken as recorded: nothing is known of what recording cost";
  const graph::Deflation& d = *b.deflation;
  return fmt::format(
      "the recorder's cost is taken out of host time: {:.2f} ({:.2f}-{:.2f}) median launch calls "
      "for each record",
      d.likely, d.low, d.high);
}

Json reproduction_json(const verdict::GainBasis& b) {
  return {{"error_ratio", b.error_ratio},
          {"suitable", b.suitable},
          {"host_recorded_ratio", b.host_recorded_ratio}};
}

Json deflation_json(const verdict::GainBasis& b) {
  if (!b.deflation) return nullptr;
  const graph::Deflation& d = *b.deflation;
  return {{"mode", d.mode},
          {"k_low", d.low},
          {"k_likely", d.likely},
          {"k_high", d.high},
          {"source", d.source}};
}

}  // namespace rooflab::report
