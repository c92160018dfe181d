// SPDX-License-Identifier: Apache-2.0
#include "model/kernel_key.h"

#include <algorithm>

namespace rooflab::model {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

bool after_operator(std::string_view text) { return text.ends_with("operator"); }

// How deep the text before `i` is inside template arguments; "->" and comparison operators are no
// brackets.
int step(std::string_view name, std::size_t i) {
  const std::string_view before = name.substr(0, i);
  if (name[i] == '<') return after_operator(before) || before.ends_with("operator<") ? 0 : 1;
  if (name[i] == '>') {
    return after_operator(before) || before.ends_with("operator>") || before.ends_with("-") ? 0
                                                                                            : -1;
  }
  return 0;
}

// Up to the parameter list.
std::string_view without_parameters(std::string_view name) {
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    depth = std::max(0, depth + step(name, i));
    if (name.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (depth == 0 && name[i] == '(' && i > 0 && !after_operator(name.substr(0, i))) {
      return name.substr(0, i);
    }
  }
  return name;
}

std::string_view without_return_type(std::string_view name) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    depth = std::max(0, depth + step(name, i));
    if (name.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (depth == 0 && name[i] == ' ' && !after_operator(name.substr(0, i))) {
      begin = i + 1;
    }
  }
  return begin < name.size() ? name.substr(begin) : name;
}

bool is_value(char c) { return (c >= '0' && c <= '9') || c == '-'; }

}  // namespace

std::string kernel_key(std::string_view name) {
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  if (name.ends_with(".kd")) name.remove_suffix(3);  // how code objects name a kernel's descriptor
  if (const std::size_t clone = name.find(" [clone"); clone != std::string_view::npos)
    name = name.substr(0, clone);
  const std::string_view kept = without_return_type(without_parameters(name));
  std::string out;
  out.reserve(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == ' ') continue;
    const bool argument =
        kept[i] == '(' && !out.empty() && (out.back() == '<' || out.back() == ',');
    const std::size_t close = argument ? kept.find(')', i) : std::string_view::npos;
    if (close != std::string_view::npos && close + 1 < kept.size() && is_value(kept[close + 1])) {
      i = close;
    } else {
      out += kept[i];
    }
  }
  return out.empty() ? std::string(name) : out;
}

std::string kernel_base(std::string_view name) {
  std::string key = kernel_key(name);
  int depth = 0;
  std::size_t begin = 0, end = key.size();
  for (std::size_t i = 0; i < key.size(); ++i) {
    const int by = step(key, i);
    if (depth == 0 && by == 1) end = std::min(end, i);
    depth = std::max(0, depth + by);
    if (depth == 0 && key[i] == ':' && i + 1 < key.size()) {
      begin = i + 1;
      end = key.size();
    }
  }
  return begin < end ? key.substr(begin, end - begin) : key;
}

}  // namespace rooflab::model
