// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys/range_name.h"

#include <algorithm>

namespace rooflab::importers::nsys {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// Takes ", key = " off the front of `rest`.
bool take(std::string_view& rest, std::string_view key) {
  if (!rest.starts_with(", ")) return false;
  std::string_view after = rest.substr(2);
  if (!after.starts_with(key)) return false;
  after.remove_prefix(key.size());
  if (!after.starts_with(" = ")) return false;
  rest = after.substr(3);
  return true;
}

bool take_number(std::string_view& rest) {
  std::size_t n = 0;
  while (n < rest.size() && is_digit(rest[n])) ++n;
  rest.remove_prefix(n);
  return n > 0;
}

// A balanced "[...]" at the front of `rest`.
std::string_view take_list(std::string_view& rest) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '[') ++depth;
    if (rest[i] == ']' && depth > 0 && --depth == 0) {
      const std::string_view list = rest.substr(0, i + 1);
      rest.remove_prefix(i + 1);
      return list;
    }
    if (depth == 0) break;
  }
  return {};
}

// A Python class by its name: FlashAttnFunc, _NoopSaveInputs.
bool names_class(std::string_view name) {
  while (!name.empty() && name.front() == '_') name.remove_prefix(1);
  if (name.empty() || !is_upper(name.front())) return false;
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z');
  });
  return plain && std::count_if(name.begin(), name.end(), &is_upper) >= 2;
}

// Operators have a namespace (aten::mm), gradients and the program's own autograd functions go by
// the name of their class (MmBackward0). Other ranges, with spaces or numbers too, are the user's:
// "FSDP::pre_forward (blocks.0)", "ProfilerStep#3", "load_batch".
bool names_operator(std::string_view name) {
  if (name.find(' ') != std::string_view::npos) return false;
  return name.find("::") != std::string_view::npos || names_class(name);
}

}  // namespace

RangeName parse_range_name(std::string_view text) {
  for (std::size_t at = text.find(", "); at != std::string_view::npos;
       at = text.find(", ", at + 1)) {
    std::string_view rest = text.substr(at);
    bool any = false;
    RangeName out;
    if (take(rest, "seq")) {
      if (!take_number(rest)) continue;
      any = true;
    }
    if (take(rest, "op_id")) {
      if (!take_number(rest)) continue;
      any = true;
    }
    if (take(rest, "sizes")) {
      out.sizes = take_list(rest);
      if (out.sizes.empty()) continue;
      any = true;
    }
    if (!any) continue;
    // What follows (the ids of the inputs' operators) belongs to the arguments too.
    out.name = text.substr(0, at);
    out.is_operator = names_operator(out.name);
    return out;
  }
  return {text, false, {}};
}

std::string compact_sizes(std::string_view sizes) {
  std::string out;
  for (const char c : sizes) {
    if (c == ' ') continue;
    if (!is_digit(c) && c != '[' && c != ']' && c != ',' && c != '-') return {};
    out += c;
  }
  return out;
}

}  // namespace rooflab::importers::nsys
