// SPDX-License-Identifier: Apache-2.0
#include "base/demangle.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace rooflab {
namespace {

// The demangler expands back-references (S_, T0_), so that each pair can double the text: 40 of
// them stay within megabytes, where a short hostile symbol could become gigabytes. Longer names are
// shown as they are.
constexpr std::size_t kLongestSymbol = 4096;
constexpr int kMostReferences = 40;

int references(std::string_view symbol) {
  int count = 0;
  for (std::size_t i = 0; i + 1 < symbol.size(); ++i) {
    const bool back = symbol[i] == 'S' || symbol[i] == 'T';
    const char next = symbol[i + 1];
    if (back && (next == '_' || std::isdigit(static_cast<unsigned char>(next)) != 0 ||
                 (next >= 'A' && next <= 'Z'))) {
      ++count;
    }
  }
  return count;
}

}  // namespace

std::string demangle(std::string_view name) {
  const bool mangled = name.starts_with("_Z") && name.size() <= kLongestSymbol;
  if (!mangled || references(name) > kMostReferences) return std::string(name);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : std::string(name);
}

}  // namespace rooflab
