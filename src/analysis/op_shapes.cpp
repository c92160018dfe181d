// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_shapes.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/operator_forms.h"

namespace rooflab::analysis {
namespace {

constexpr std::size_t kLongestText = 1U << 20U;
constexpr std::size_t kMostNumbers = 4096;

// "[[a,b],[[c],[d]],[]]": the outer level lists arguments, the next is a shape or a list of shapes.
struct ShapeArgument {
  std::vector<std::vector<std::int64_t>> shapes;
  bool is_list = false;
};

class ShapeParser {
 public:
  std::vector<ShapeArgument> parse(std::string_view text) {
    if (text.size() > kLongestText) return {};
    for (std::size_t at = 0; at < text.size() && ok_;) at = step(text, at);
    if (!ok_ || depth_ != 0) arguments_.clear();
    return std::move(arguments_);
  }

 private:
  std::size_t step(std::string_view text, std::size_t at) {
    const char c = text[at];
    if (c == '[') {
      open();
    } else if (c == ']') {
      ok_ = depth_ > 0;
      if (ok_) --depth_;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      return number(text, at);
    }
    return at + 1;
  }

  void open() {
    ++depth_;
    if (depth_ == 2) arguments_.push_back({{{}}, false});
    if (depth_ == 3) {
      ShapeArgument& argument = arguments_.back();
      if (!argument.is_list) argument.shapes.clear();
      argument.is_list = true;
      argument.shapes.emplace_back();
    }
    ok_ = depth_ <= 3 && arguments_.size() <= kMostNumbers &&
          (depth_ < 3 || arguments_.back().shapes.size() <= kMostNumbers);
  }

  std::size_t number(std::string_view text, std::size_t at) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), value);
    ok_ = error == std::errc() && ++numbers_ <= kMostNumbers;
    if (ok_ && depth_ >= 2 && !arguments_.back().shapes.empty())
      arguments_.back().shapes.back().push_back(value);
    return std::max(at + 1, static_cast<std::size_t>(end - text.data()));
  }

  std::vector<ShapeArgument> arguments_;
  std::size_t numbers_ = 0;
  int depth_ = 0;
  bool ok_ = true;
};

// The strings of a flat JSON list; a value that is no string is the empty one.
std::vector<std::string> parse_texts(std::string_view text) {
  std::vector<std::string> texts;
  if (text.size() > kLongestText) return texts;
  bool quoted = false;
  bool seen = false;
  std::string current;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      current += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
      seen = true;
    } else if (quoted) {
      current += c;
    } else if (c == ',' || (c == ']' && (seen || !texts.empty()))) {
      texts.push_back(std::move(current));
      current.clear();
      seen = false;
      if (c == ']') break;
    }
  }
  return texts;
}

double product(const std::vector<std::int64_t>& dims) {
  double total = 1;
  for (const std::int64_t d : dims) total *= d > 0 ? static_cast<double>(d) : 0.0;
  return total;
}

}  // namespace

double OpTensor::elements() const { return product(dims); }

double OpTensor::distinct_elements() const {
  const double all = elements();
  if (all <= 0 || strides.size() != dims.size()) return all;
  double count = 1;  // of places along axes that move
  double reach = 1;  // from the first place to the last, plus one
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (strides[i] == 0) continue;
    count *= static_cast<double>(dims[i]);
    reach += (static_cast<double>(dims[i]) - 1) * std::abs(static_cast<double>(strides[i]));
  }
  return std::min(count, reach);
}

double OpArgument::bytes() const {
  return is_tensor ? tensor().distinct_elements() * element_bytes : 0.0;
}

OpArguments parse_op_arguments(std::string_view dims, std::string_view types,
                               std::string_view strides, std::string_view concrete) {
  std::vector<ShapeArgument> shapes = ShapeParser().parse(dims);
  std::vector<ShapeArgument> steps = ShapeParser().parse(strides);
  const std::vector<std::string> type_names = parse_texts(types);
  std::vector<std::string> values = parse_texts(concrete);
  OpArguments arguments(shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    OpArgument& argument = arguments[i];
    for (std::size_t k = 0; k < shapes[i].shapes.size(); ++k) {
      OpTensor tensor{std::move(shapes[i].shapes[k]), {}};
      if (i < steps.size() && k < steps[i].shapes.size() &&
          steps[i].shapes[k].size() == tensor.dims.size()) {
        tensor.strides = std::move(steps[i].shapes[k]);
      }
      argument.tensors.push_back(std::move(tensor));
    }
    if (i < values.size()) argument.concrete = std::move(values[i]);
    if (shapes[i].is_list || i >= type_names.size()) continue;
    const std::optional<ElementType> type = element_type(type_names[i]);
    if (!type) continue;
    argument.is_tensor = true;
    argument.element_bytes = type->bytes;
    argument.precision = type->precision;
  }
  return arguments;
}

std::optional<std::vector<std::int64_t>> parse_numbers(std::string_view concrete) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < concrete.size();) {
    const char c = concrete[at];
    if (c == '[' || c == ']' || c == ',' || c == ' ') {
      ++at;
      continue;
    }
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(concrete.data() + at, concrete.data() + concrete.size(), value);
    if (error != std::errc() || numbers.size() >= kMostNumbers) return std::nullopt;
    numbers.push_back(value);
    at = static_cast<std::size_t>(end - concrete.data());
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

}  // namespace rooflab::analysis
