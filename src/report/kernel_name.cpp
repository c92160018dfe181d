// SPDX-License-Identifier: Apache-2.0
#include "report/kernel_name.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/demangle.h"
#include "report/text.h"

namespace rooflab::report {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "operator<", "operator<<" and "operator()" are names, not the start of arguments.
bool after_operator(std::string_view text, std::size_t i) {
  constexpr std::string_view kOperator = "operator";
  if (text[i] == '<') {
    while (i > 0 && text[i - 1] == '<') --i;
  }
  return text.substr(0, i).ends_with(kOperator);
}

struct Parts {
  std::string folded;                       // name with arguments replaced by <…>
  std::vector<std::string> argument_words;  // identifiers inside template arguments, in order
};

// "at::native::k<…>" -> "k<…>": namespaces fill the line and tell kernels apart only rarely. A
// class before operator() stays.
void drop_namespaces(std::string& folded) {
  const std::size_t arguments = std::min(folded.find('<'), folded.size());
  const std::size_t last = folded.rfind("::", arguments);
  if (last == std::string::npos || folded.compare(last + 2, 8, "operator") == 0) return;
  folded.erase(0, last + 2);
}

Parts split(std::string_view name, std::string_view ellipsis) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  Parts parts;
  int angle = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (name.substr(i).starts_with(kAnonymous)) {
      if (angle == 0) parts.folded += "(anon)";
      i += kAnonymous.size() - 1;
      continue;
    }
    if (c == '<' && !after_operator(name, i)) {
      if (angle++ == 0) {
        parts.folded += '<';
        parts.folded += ellipsis;
        parts.folded += '>';
      }
    } else if (c == '>' && angle > 0) {
      --angle;
    } else if (angle > 0) {
      if (is_word(c) && (i == 0 || !is_word(name[i - 1]))) parts.argument_words.emplace_back();
      if (is_word(c) && !parts.argument_words.empty()) parts.argument_words.back() += c;
    } else if (c == '(' && !after_operator(name, i)) {
      break;  // parameters
    } else {
      parts.folded += c;
    }
  }
  // A return type stands before the first space outside arguments: only template kernels have one.
  if (parts.folded.starts_with("void ")) parts.folded.erase(0, 5);
  while (!parts.folded.empty() && parts.folded.back() == ' ') parts.folded.pop_back();
  drop_namespaces(parts.folded);
  if (parts.folded.empty()) parts.folded = name;
  return parts;
}

// Words that only say "template machinery" help no reader.
bool is_telling(const std::string& word) {
  if (word.size() < 3 || std::isdigit(static_cast<unsigned char>(word[0])) != 0) return false;
  static constexpr std::string_view kPlumbing[] = {"std",    "array", "char", "unsigned", "int",
                                                   "long",   "bool",  "true", "false",    "native",
                                                   "detail", "void",  "const"};
  return std::find(std::begin(kPlumbing), std::end(kPlumbing), word) == std::end(kPlumbing);
}

// For each of a group of equally folded kernels: the first telling argument word that not all of
// them have.
void tell_apart(std::vector<Parts>& parts, const std::vector<std::size_t>& group,
                std::string_view ellipsis) {
  std::map<std::string, std::size_t> holders;
  for (const std::size_t i : group) {
    const std::set<std::string> words(parts[i].argument_words.begin(),
                                      parts[i].argument_words.end());
    for (const std::string& word : words) ++holders[word];
  }
  for (const std::size_t i : group) {
    const auto& words = parts[i].argument_words;
    const auto it = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
      return is_telling(word) && holders[word] < group.size();
    });
    const std::size_t at = parts[i].folded.find('<');
    if (it == words.end() || at == std::string::npos) continue;
    parts[i].folded.insert(at + 1 + ellipsis.size(), *it + std::string(ellipsis));
  }
}

}  // namespace

std::string demangle(std::string_view name) { return rooflab::demangle(name); }

std::string fold_kernel_name(std::string_view name, const Style& style) {
  return printable(split(demangle(name), style.ellipsis()).folded);
}

std::vector<std::string> display_kernel_names(const std::vector<std::string_view>& names,
                                              const Style& style) {
  std::vector<std::string> out;
  out.reserve(names.size());
  if (style.full_names) {
    for (const std::string_view name : names) out.push_back(printable(demangle(name)));
    return out;
  }
  std::vector<Parts> parts;
  std::map<std::string, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < names.size(); ++i) {
    parts.push_back(split(demangle(names[i]), style.ellipsis()));
    groups[parts.back().folded].push_back(i);
  }
  for (const auto& [folded, group] : groups) {
    if (group.size() > 1) tell_apart(parts, group, style.ellipsis());
  }
  for (const Parts& part : parts) out.push_back(printable(part.folded));
  return out;
}

}  // namespace rooflab::report
