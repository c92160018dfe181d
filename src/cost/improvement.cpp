// SPDX-License-Identifier: Apache-2.0
#include "cost/improvement.h"

#include <charconv>
#include <cmath>
#include <string>

#include "cost/money.h"

namespace rooflab::cost {
namespace {

constexpr const char* kForms = "x1.2, +20%rel, +20pts or time-20%";

std::optional<double> number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

bool take_front(std::string_view& text, std::string_view part) {
  if (!text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

bool take_back(std::string_view& text, std::string_view part) {
  if (!text.ends_with(part)) return false;
  text.remove_suffix(part.size());
  return true;
}

tl::unexpected<Error> refuse(std::string_view text, const std::string& why) {
  return fail(ErrorCode::kUsage, "'" + std::string(text) + "' " + why, "--improve",
              std::string("write ") + kForms);
}

Result<double> checked(std::string_view text, std::optional<double> speed) {
  if (!speed) return refuse(text, "holds no number");
  if (!(*speed > 0)) return refuse(text, "leaves no work done, or none to do");
  return *speed;
}

Result<double> by_points(std::string_view text, std::optional<double> points,
                         std::optional<Ratio> useful) {
  if (!points) return refuse(text, "holds no number");
  if (!useful || !valid_share(*useful)) {
    return refuse(text, "is in points: of which useful share? (--useful 0.5)");
  }
  const Ratio after{useful->value + *points / 100};
  if (!valid_share(after)) return refuse(text, "leads to a useful share outside 0 to 1");
  return speed_up(*useful, after);
}

}  // namespace

Result<double> parse_improvement(std::string_view text, std::optional<Ratio> useful) {
  std::string_view rest = text;
  if (take_front(rest, "x")) return checked(text, number(rest));
  if (take_back(rest, "pts")) return by_points(text, number(rest), useful);
  if (take_back(rest, "%rel")) {
    const auto percent = number(rest);
    return checked(text, percent ? std::optional(1 + *percent / 100) : std::nullopt);
  }
  if (take_front(rest, "time") && take_back(rest, "%")) {
    const auto percent = number(rest);
    if (percent && *percent <= -100) return refuse(text, "leaves no time");
    return checked(text, percent ? std::optional(1 / (1 + *percent / 100)) : std::nullopt);
  }
  rest = text;
  if (take_back(rest, "%") && number(rest)) {
    return refuse(text, "can mean three things: relative, points, or time?");
  }
  return refuse(text, "is no improvement");
}

}  // namespace rooflab::cost
