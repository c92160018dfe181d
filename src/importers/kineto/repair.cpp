// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/repair.h"

#include <array>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <vector>

#include "importers/kineto/categories.h"
#include "importers/kineto/event_parser.h"
#include "importers/kineto/scan.h"

namespace rooflab::importers::kineto {
namespace {

constexpr std::size_t kMaxKey = 80;  // a key longer than this is no proof that a string has ended

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

// Reads damaged JSON left to right and writes valid JSON.
class Mender {
 public:
  Mender(std::string_view in, bool close_open) : in_(in), close_open_(close_open) {}

  Repair run() {
    while (at_ < in_.size()) {
      if (!step()) return std::move(out_);
      if (open_.empty() && at_ > 0) break;
    }
    if (!open_.empty()) {
      if (!close_open_) return std::move(out_);
      out_.notes.add(Note::kUnclosedEvent);
      // A comma at the end separates this event from the next one.
      while (at_ > 0 && (is_space(in_[at_ - 1]) || in_[at_ - 1] == ',')) --at_;
      while (last() == ',') out_.json.pop_back();
      while (!open_.empty()) close(open_.back() == '{' ? '}' : ']');
    }
    out_.used = at_;
    out_.ok = true;
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t after_space(std::size_t i) const {
    while (i < in_.size() && is_space(in_[i])) ++i;
    return i;
  }
  [[nodiscard]] char peek(std::size_t i) const { return i < in_.size() ? in_[i] : '\0'; }
  [[nodiscard]] bool in_object() const { return !open_.empty() && open_.back() == '{'; }
  [[nodiscard]] char last() const { return out_.json.empty() ? '\0' : out_.json.back(); }
  // The output stands where a key must come (in an object, after '{' or ',').
  [[nodiscard]] bool expects_key() const { return in_object() && (last() == '{' || last() == ','); }

  // "key" and a colon at `i`.
  [[nodiscard]] bool key_at(std::size_t i) const {
    if (peek(i) != '"') return false;
    for (std::size_t j = i + 1; j < in_.size() && j - i < kMaxKey; ++j) {
      if (in_[j] == '"') return peek(after_space(j + 1)) == ':';
      if (is_control(in_[j])) return false;
    }
    return false;
  }

  // What follows a closing quote: `i` is the byte after the quote.
  [[nodiscard]] bool string_may_end(std::size_t i) const {
    const std::size_t j = after_space(i);
    const char c = peek(j);
    if (c == (in_object() ? '}' : ']')) {
      const char next = peek(after_space(j + 1));
      return next == ',' || next == '}' || next == ']' || next == '\0';
    }
    if (c != ',') return in_object() && j > i && key_at(j);  // a missing comma
    const std::size_t k = after_space(j + 1);
    if (peek(k) == '}' || peek(k) == ']') return true;
    if (in_object()) return key_at(k);
    return std::strchr("\"[{-0123456789tfnNiI", peek(k)) != nullptr && peek(k) != '\0';
  }

  void close(char bracket) {
    if (last() == ',') {
      out_.json.pop_back();
      out_.notes.add(Note::kTrailingComma);
    }
    if (last() == ':') out_.json += "null";
    out_.json.push_back(bracket);
    open_.pop_back();
  }

  // A value or key starts: a comma is due if something ended just before.
  void separate() {
    const char c = last();
    if (c == '\0' || std::strchr("{[,:", c) != nullptr) return;
    out_.json.push_back(',');
    out_.notes.add(Note::kMissingComma);
  }

  bool step() {
    const char c = in_[at_];
    if (is_space(c)) {
      ++at_;
      return true;
    }
    switch (c) {
      case '{':
      case '[':
        return open(c);
      case '}':
      case ']':
        if (open_.empty() || (open_.back() == '{') != (c == '}')) return false;
        close(c);
        ++at_;
        return true;
      case ',':
        if (last() == ',' || last() == '{' || last() == '[') {
          out_.notes.add(Note::kTrailingComma);
        } else {
          if (last() == ':') out_.json += "null";
          out_.json.push_back(',');
        }
        ++at_;
        return true;
      case ':':
        if (last() != '"') return false;
        out_.json.push_back(':');
        ++at_;
        return true;
      case '"':
        separate();
        return expects_key() ? key() : string();
      default:
        if (expects_key()) return false;
        separate();
        return scalar();
    }
  }

  bool open(char bracket) {
    if (expects_key()) return false;
    separate();
    // The strict reader's limit, less what `args` is nested in.
    if (open_.size() >= static_cast<std::size_t>(kMaxDepth) - 8) return skip_deep();
    out_.json.push_back(bracket);
    open_.push_back(bracket);
    ++at_;
    return true;
  }

  // Steps over a value nested too deep, by counting brackets outside strings.
  bool skip_deep() {
    std::size_t depth = 0;
    bool in_string = false;
    for (; at_ < in_.size(); ++at_) {
      const char c = in_[at_];
      if (c == '\\' && in_string) {
        ++at_;
      } else if (c == '"') {
        in_string = !in_string;
      } else if (!in_string && (c == '{' || c == '[')) {
        ++depth;
      } else if (!in_string && (c == '}' || c == ']')) {
        if (--depth == 0) {
          ++at_;
          out_.json += "null";
          out_.notes.add(Note::kDeepNesting);
          return true;
        }
      }
    }
    at_ = in_.size();
    return false;
  }

  bool key() {
    for (std::size_t i = at_ + 1; i < in_.size(); ++i) {
      if (in_[i] == '\\') ++i;
      if (i >= in_.size() || in_[i] != '"') continue;
      if (peek(after_space(i + 1)) != ':') return false;
      emit_text(in_.substr(at_ + 1, i - at_ - 1));
      at_ = i + 1;
      return true;
    }
    return false;
  }

  bool string() {
    for (std::size_t i = at_ + 1; i < in_.size(); ++i) {
      if (in_[i] == '\\' && peek(i + 1) == '\\') {
        ++i;
        continue;
      }
      // An escaped quote ends the string too where only that makes sense: "C:\dir\", "pid": 1
      if (in_[i] != '"' || !string_may_end(i + 1)) continue;
      emit_text(in_.substr(at_ + 1, i - at_ - 1));
      at_ = i + 1;
      return true;
    }
    return false;
  }

  void emit_text(std::string_view text) {
    bool control = false;
    bool quote = false;
    bool escape = false;
    out_.json.push_back('"');
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '"') {
        out_.json += "\\\"";
        quote = true;
      } else if (is_control(c)) {
        std::array<char, 8> code{};
        std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
        out_.json += code.data();
        control = true;
      } else if (c == '\\') {
        const std::size_t length = escape_length(text.substr(i));
        if (length == 0) {
          out_.json += "\\\\";
          escape = true;
        } else {
          out_.json.append(text.substr(i, length));
          i += length - 1;
        }
      } else {
        out_.json.push_back(c);
      }
    }
    out_.json.push_back('"');
    if (control) out_.notes.add(Note::kRawControlCharacter);
    if (quote) out_.notes.add(Note::kUnescapedQuote);
    if (escape) out_.notes.add(Note::kInvalidEscape);
  }

  // Bytes of the valid escape that `text` starts with, 0 if it is none.
  static std::size_t escape_length(std::string_view text) {
    if (text.size() < 2) return 0;
    if (std::strchr("\"\\/bfnrt", text[1]) != nullptr && text[1] != '\0') return 2;
    if (text[1] != 'u' || text.size() < 6) return 0;
    for (std::size_t i = 2; i < 6; ++i) {
      if (!is_hex(text[i])) return 0;
    }
    return 6;
  }

  bool scalar() {
    std::size_t end = at_;
    while (end < in_.size() && std::strchr(",]}\n\"[{:", in_[end]) == nullptr) ++end;
    std::string_view word = in_.substr(at_, end - at_);
    while (!word.empty() && is_space(word.back())) word.remove_suffix(1);
    if (word.empty()) return false;
    at_ = end;
    if (word == "true" || word == "false" || word == "null" || is_number(word)) {
      out_.json.append(word);
      return true;
    }
    out_.json += "null";
    out_.notes.add(is_non_finite(word) ? Note::kNonFiniteNumber : Note::kBareWord);
    return true;
  }

  static bool is_number(std::string_view word) {
    std::size_t i = word[0] == '-' ? 1 : 0;
    if (i == word.size() || !is_digit(word[i])) return false;
    for (; i < word.size(); ++i) {
      if (!is_digit(word[i]) && std::strchr(".eE+-", word[i]) == nullptr) return false;
    }
    return true;
  }

  static bool is_non_finite(std::string_view word) {
    if (word[0] == '-' || word[0] == '+') word.remove_prefix(1);
    std::string lower;
    for (const char c : word) {
      lower.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
    return lower == "nan" || lower == "inf" || lower == "infinity" || lower == "n/a" ||
           lower == "1.#inf" || lower == "1.#qnan" || lower == "nan(ind)" || lower == "-nan";
  }

  std::string_view in_;
  bool close_open_;
  std::size_t at_ = 0;
  std::vector<char> open_;
  Repair out_;
};

}  // namespace

const char* find_event_start(const char* begin, const char* from, const char* end) {
  for (const char* p = from; p < end; ++p) {
    p = static_cast<const char*>(std::memchr(p, '{', static_cast<std::size_t>(end - p)));
    if (p == nullptr) return end;
    const char* before = p;
    while (before > begin && is_space(before[-1])) --before;
    if (before > begin && before[-1] == ':') continue;  // the value of a member
    const char* key = p + 1;
    while (key < end && is_space(*key)) ++key;
    if (key >= end || *key != '"') continue;
    const char* key_end = ++key;
    while (key_end < end && *key_end != '"' && key_end - key < 8) ++key_end;
    if (key_end >= end || *key_end != '"') continue;
    if (!is_event_key({key, static_cast<std::size_t>(key_end - key)})) continue;
    const char* colon = key_end + 1;
    while (colon < end && is_space(*colon)) ++colon;
    if (colon < end && *colon == ':') return p;
  }
  return end;
}

Repair repair_object(std::string_view damaged, bool close_open) {
  Repair repair = Mender(damaged, close_open).run();
  if (repair.ok) repair.json.append(kScanPadding, '\0');
  return repair;
}

bool may_be_device_work(std::string_view fragment) {
  if (fragment.find('{') == std::string_view::npos) return false;  // no event begins in it
  const std::size_t key = fragment.find("\"cat\"");
  if (key == std::string_view::npos) {
    // Flows, metadata and counters carry no category everywhere; a complete event ("X") may be
    // work.
    for (const std::string_view phase : {"\"M\"", "\"s\"", "\"f\"", "\"i\"", "\"C\""}) {
      if (fragment.find(phase) != std::string_view::npos) return false;
    }
    return true;
  }
  const std::size_t open = fragment.find('"', fragment.find(':', key));
  if (open == std::string_view::npos) return true;
  const std::size_t close = fragment.find('"', open + 1);
  if (close == std::string_view::npos) return true;
  const Category category = category_of(fragment.substr(open + 1, close - open - 1));
  return category.target == Target::kWork || category.target == Target::kUnknown;
}

}  // namespace rooflab::importers::kineto
