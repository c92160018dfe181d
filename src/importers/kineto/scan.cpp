// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/scan.h"

#include <array>
#include <cstring>

namespace rooflab::importers::kineto {
namespace {

const char* skip_scalar(const char* p) {
  if (*p == '-' || is_digit(*p)) {
    ++p;
    while (is_digit(*p) || *p == '.' || *p == 'e' || *p == 'E' || *p == '+' || *p == '-') ++p;
    return p;
  }
  if (std::strncmp(p, "true", 4) == 0 || std::strncmp(p, "null", 4) == 0) return p + 4;
  if (std::strncmp(p, "false", 5) == 0) return p + 5;
  return nullptr;
}

// The kinds of the open brackets, one bit each: set = object.
class BracketStack {
 public:
  bool push(bool object) {
    if (depth_ == kMaxDepth) return false;
    const auto word = static_cast<std::size_t>(depth_) / 64;
    const std::uint64_t bit = std::uint64_t{1} << (static_cast<unsigned>(depth_) % 64U);
    bits_[word] = object ? bits_[word] | bit : bits_[word] & ~bit;
    ++depth_;
    return true;
  }
  bool pop(bool object) {
    if (depth_ == 0) return false;
    --depth_;
    const auto word = static_cast<std::size_t>(depth_) / 64;
    return ((bits_[word] >> (static_cast<unsigned>(depth_) % 64U) & 1U) != 0) == object;
  }
  [[nodiscard]] bool empty() const { return depth_ == 0; }

 private:
  std::array<std::uint64_t, kMaxDepth / 64> bits_{};
  int depth_ = 0;
};

}  // namespace

const char* skip_value(const char* p) {
  if (*p == '"') {
    std::uint8_t flags = 0;
    const char* close = scan_string(p + 1, flags);
    return close == nullptr ? nullptr : close + 1;
  }
  if (*p != '[' && *p != '{') return skip_scalar(p);
  BracketStack open;
  do {
    switch (*p) {
      case '[':
      case '{':
        if (!open.push(*p == '{')) return nullptr;
        ++p;
        break;
      case ']':
      case '}':
        if (!open.pop(*p == '}')) return nullptr;
        ++p;
        break;
      case ',':
      case ':':
        ++p;
        break;
      case '"': {
        std::uint8_t flags = 0;
        p = scan_string(p + 1, flags);
        if (p == nullptr) return nullptr;
        ++p;
        break;
      }
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        p = skip_space(p);
        break;
      default:
        p = skip_scalar(p);
        if (p == nullptr) return nullptr;
    }
  } while (!open.empty());
  return p;
}

}  // namespace rooflab::importers::kineto
