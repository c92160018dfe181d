// SPDX-License-Identifier: Apache-2.0
#include "hw/counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "hw/data.h"

namespace rooflab::hw {
namespace {

using nlohmann::json;

tl::unexpected<Error> bad(std::string where, std::string what) {
  return fail(ErrorCode::kUnreadable, std::move(what), std::move(where));
}

std::string text_of(const json& row, const char* key) {
  const auto it = row.find(key);
  return it != row.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::optional<Dimension> dimension_of(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, Dimension>, 8> kUnits{
      {{"count", Dimension::kCount},
       {"ratio", Dimension::kCount},
       {"flop", Dimension::kCount},
       {"bytes", Dimension::kBytes},
       {"bytes_per_second", Dimension::kBytesPerSecond},
       {"ns", Dimension::kNanos},
       {"hz", Dimension::kHertz},
       {"percent", Dimension::kPercent}}};
  for (const auto& [name, dimension] : kUnits) {
    if (name == unit) return dimension;
  }
  return std::nullopt;
}

Result<json> rows_of(std::string_view text, const char* key) {
  json root = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object()) return bad("", "counters are not a JSON object");
  const auto rows = root.find(key);
  if (rows == root.end() || !rows->is_array()) return bad(key, "missing");
  return json(std::move(*rows));
}

// The shipped files are tested: that they do not parse is our bug.
template <class T>
std::vector<T> shipped(Result<std::vector<T>> (*parse)(std::string_view), const char* key) {
  std::vector<T> out;
  for (const DataFile& file : shipped_data()) {
    if (!file.path.starts_with("counters/")) continue;
    const json root = json::parse(file.text, nullptr, /*allow_exceptions=*/false);
    if (!root.is_object() || !root.contains(key)) continue;
    Result<std::vector<T>> rows = parse(file.text);
    CHECK(rows.has_value(), "the shipped counters parse");
    std::move(rows->begin(), rows->end(), std::back_inserter(out));
  }
  return out;
}

// ---- formulas: two stacks, no recursion
// -----------------------------------------------------------------------------------------------

int precedence(char op) { return op == '+' || op == '-' ? 1 : 2; }

class Evaluator {
 public:
  void number(double value) { values_.push_back(value); }
  void open() { ops_.push_back('('); }
  void close() {
    while (ok_ && !ops_.empty() && ops_.back() != '(') apply();
    ok_ = ok_ && !ops_.empty();
    if (ok_) ops_.pop_back();
  }
  void op(char op) {
    while (ok_ && !ops_.empty() && ops_.back() != '(' && precedence(ops_.back()) >= precedence(op))
      apply();
    ops_.push_back(op);
  }
  std::optional<double> finish() {
    while (ok_ && !ops_.empty()) apply();
    if (!ok_ || values_.size() != 1 || !std::isfinite(values_[0])) return std::nullopt;
    return values_[0];
  }

 private:
  void apply() {
    const char op = ops_.back();
    ops_.pop_back();
    if (values_.size() < 2 || op == '(') {
      ok_ = false;
      return;
    }
    const double right = values_.back();
    values_.pop_back();
    double& left = values_.back();
    if (op == '+') left += right;
    if (op == '-') left -= right;
    if (op == '*') left *= right;
    if (op == '/') {
      ok_ = ok_ && right != 0;
      left = right != 0 ? left / right : 0;
    }
  }

  std::vector<double> values_;
  std::vector<char> ops_;
  bool ok_ = true;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

}  // namespace

Result<std::vector<CounterMetric>> parse_counter_metrics(std::string_view text) {
  RL_TRY(const json rows, rows_of(text, "metrics"));
  std::vector<CounterMetric> out;
  for (const json& row : rows) {
    const std::string where = "metrics[" + std::to_string(out.size()) + "]";
    if (!row.is_object()) return bad(where, "no object");
    CounterMetric m{text_of(row, "id"), text_of(row, "unit"), text_of(row, "what"),
                    text_of(row, "caveat"), Dimension::kCount};
    const auto dimension = dimension_of(m.unit);
    if (m.id.empty() || m.what.empty()) return bad(where, "no id or no description");
    if (!dimension) return bad(where, "an unknown unit: " + m.unit);
    m.dimension = *dimension;
    out.push_back(std::move(m));
  }
  return out;
}

Result<std::vector<CounterAlias>> parse_counter_aliases(std::string_view text) {
  RL_TRY(const json rows, rows_of(text, "aliases"));
  std::vector<CounterAlias> out;
  std::map<std::string, int> ranks;
  for (const json& row : rows) {
    const std::string where = "aliases[" + std::to_string(out.size()) + "]";
    if (!row.is_object() || !row.contains("names") || !row["names"].is_array())
      return bad(where, "no list of names");
    const std::string id = text_of(row, "id");
    double factor = 1;
    if (row.contains("factor")) {
      if (!row["factor"].is_number()) return bad(where, "a factor that is no number");
      factor = row["factor"].get<double>();
    }
    if (id.empty() || !(factor > 0)) return bad(where, "no id, or a factor that is not positive");
    for (const json& name : row["names"]) {
      if (!name.is_string()) return bad(where, "a name is not text");
      out.push_back({id, name.get<std::string>(), factor, ranks[id]++});
    }
  }
  return out;
}

Result<std::vector<CounterFormula>> parse_counter_formulas(std::string_view text) {
  RL_TRY(const json rows, rows_of(text, "formulas"));
  std::vector<CounterFormula> out;
  for (const json& row : rows) {
    const std::string where = "formulas[" + std::to_string(out.size()) + "]";
    if (!row.is_object()) return bad(where, "no object");
    CounterFormula f{text_of(row, "id"), text_of(row, "formula"), text_of(row, "caveat"), {}};
    if (f.id.empty() || f.formula.empty()) return bad(where, "no id or no formula");
    if (const auto chips = row.find("chips"); chips != row.end() && chips->is_array()) {
      for (const json& chip : *chips) {
        if (chip.is_string()) f.chips.push_back(chip.get<std::string>());
      }
    }
    out.push_back(std::move(f));
  }
  return out;
}

const std::vector<CounterMetric>& all_counter_metrics() {
  static const std::vector<CounterMetric> all = shipped(&parse_counter_metrics, "metrics");
  return all;
}

const CounterMetric* counter_metric(std::string_view id) {
  const auto& all = all_counter_metrics();
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const CounterMetric& m) { return m.id == id; });
  return it == all.end() ? nullptr : &*it;
}

const std::vector<CounterFormula>& counter_formulas() {
  static const std::vector<CounterFormula> all = shipped(&parse_counter_formulas, "formulas");
  return all;
}

std::optional<CanonicalMetric> canonical_metric(std::string_view tool_name) {
  static const std::map<std::string, CanonicalMetric, std::less<>> by_name = [] {
    static const std::vector<CounterAlias> aliases = shipped(&parse_counter_aliases, "aliases");
    std::map<std::string, CanonicalMetric, std::less<>> out;
    for (const CounterAlias& alias : aliases) {
      const CounterMetric* const metric = counter_metric(alias.id);
      CHECK(metric != nullptr, "every alias is of a metric in data/counters/metrics.json");
      const CanonicalMetric canonical{metric->id, alias.factor, alias.rank, metric->dimension};
      CHECK(out.emplace(alias.name, canonical).second, "a tool's name stands for one metric");
    }
    return out;
  }();
  const auto it = by_name.find(tool_name);
  return it == by_name.end() ? std::nullopt : std::optional(it->second);
}

std::optional<BaseUnit> base_unit(std::string_view unit) {
  struct Known {
    std::string_view text;
    double factor;
    Dimension dimension;
  };
  constexpr std::array<Known, 29> kKnown{{{"%", 1, Dimension::kPercent},
                                          {"ns", 1, Dimension::kNanos},
                                          {"nsecond", 1, Dimension::kNanos},
                                          {"us", 1e3, Dimension::kNanos},
                                          {"usecond", 1e3, Dimension::kNanos},
                                          {"ms", 1e6, Dimension::kNanos},
                                          {"msecond", 1e6, Dimension::kNanos},
                                          {"s", 1e9, Dimension::kNanos},
                                          {"second", 1e9, Dimension::kNanos},
                                          {"hz", 1, Dimension::kHertz},
                                          {"Khz", 1e3, Dimension::kHertz},
                                          {"Mhz", 1e6, Dimension::kHertz},
                                          {"Ghz", 1e9, Dimension::kHertz},
                                          {"Thz", 1e12, Dimension::kHertz},
                                          {"cycle/second", 1, Dimension::kHertz},
                                          {"cycle/usecond", 1e6, Dimension::kHertz},
                                          {"cycle/nsecond", 1e9, Dimension::kHertz},
                                          {"byte", 1, Dimension::kBytes},
                                          {"Kbyte", 1e3, Dimension::kBytes},
                                          {"Mbyte", 1e6, Dimension::kBytes},
                                          {"Gbyte", 1e9, Dimension::kBytes},
                                          {"Tbyte", 1e12, Dimension::kBytes},
                                          {"Kinst", 1e3, Dimension::kCount},
                                          {"Minst", 1e6, Dimension::kCount},
                                          {"Ksector", 1e3, Dimension::kCount},
                                          {"Msector", 1e6, Dimension::kCount},
                                          {"Kcycle", 1e3, Dimension::kCount},
                                          {"Mcycle", 1e6, Dimension::kCount},
                                          {"n/a", 1, Dimension::kCount}}};
  for (const Known& known : kKnown) {
    if (known.text == unit) return BaseUnit{known.factor, known.dimension};
  }
  // "Kbyte/block", "byte/cycle" are bytes; "Gbyte/s", "Mbyte/second" are rates.
  const std::size_t slash = unit.find('/');
  if (slash != std::string_view::npos) {
    const auto top = base_unit(unit.substr(0, slash));
    const std::string_view below = unit.substr(slash + 1);
    const bool bytes = top && top->dimension == Dimension::kBytes;
    if (bytes && (below == "s" || below == "second"))
      return BaseUnit{top->factor, Dimension::kBytesPerSecond};
    if (bytes && below == "usecond") return BaseUnit{top->factor * 1e6, Dimension::kBytesPerSecond};
    if (bytes && (below == "ns" || below == "nsecond"))
      return BaseUnit{top->factor * 1e9, Dimension::kBytesPerSecond};
    if (bytes && (below == "block" || below == "cycle" || below == "thread")) return top;
    if (bytes) return std::nullopt;
    if (top && top->dimension != Dimension::kCount) return std::nullopt;
  }
  // Whatever else is counted: "sector", "inst/cycle", "register/thread", "warp", "".
  const bool words = std::all_of(unit.begin(), unit.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || c == '/' || c == '_' || c == ' ' || c == 'S' || c == 'M';
  });
  return words && unit.size() <= 32 ? std::optional(BaseUnit{1, Dimension::kCount}) : std::nullopt;
}

std::optional<double> evaluate_formula(
    std::string_view formula,
    const std::function<std::optional<double>(std::string_view)>& value_of) {
  Evaluator evaluator;
  bool wants_value = true;
  for (std::size_t i = 0; i < formula.size();) {
    const char c = formula[i];
    if (c == ' ') {
      ++i;
    } else if (is_word(c)) {
      std::size_t end = i;
      while (end < formula.size() && is_word(formula[end])) ++end;
      const std::string word(formula.substr(i, end - i));
      const bool digit = c >= '0' && c <= '9';
      const std::optional<double> value =
          digit ? std::optional(std::strtod(word.c_str(), nullptr)) : value_of(word);
      if (!value || !wants_value) return std::nullopt;
      evaluator.number(*value);
      wants_value = false;
      i = end;
    } else {
      const bool opens = c == '(';
      if (opens != wants_value) return std::nullopt;
      if (opens) {
        evaluator.open();
      } else if (c == ')') {
        evaluator.close();
      } else if (c == '+' || c == '-' || c == '*' || c == '/') {
        evaluator.op(c);
        wants_value = true;
      } else {
        return std::nullopt;
      }
      ++i;
    }
  }
  if (wants_value) return std::nullopt;
  return evaluator.finish();
}

}  // namespace rooflab::hw
