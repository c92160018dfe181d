// SPDX-License-Identifier: Apache-2.0
// Importing damaged inputs: a random mutant of a file, and what must hold of whatever an importer
// makes of it. Seeds are fixed, so a failure can be repeated.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "base/io/byte_source.h"
#include "importers/importer.h"
#include "model/validate.h"

namespace rooflab::testing {

inline Result<model::Profile> import_with(const importers::Importer& importer,
                                          std::string_view text) {
  const std::unique_ptr<ByteSource> source = memory_source(text);
  importers::ImportOptions options;
  options.threads = 1;
  return importer.read(*source, "test", options);
}

// One to eight bytes or stretches changed, dropped, doubled, moved, cut off or replaced by one of
// `punctuation`.
inline std::string mutant(std::string text, std::uint64_t seed, std::string_view punctuation) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t changes = 1 + below(8);
  for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(200));
    switch (below(7)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text[at] = punctuation[below(punctuation.size())];
        break;
      case 4:
        if (below(4) == 0) text.resize(at);
        break;
      case 5:
        text.insert(at, std::string(length, punctuation[below(punctuation.size())]));
        break;
      default:
        text.replace(at, length, text.substr(below(text.size()), length));
    }
  }
  return text;
}

// Read, or refused with a hint; never a profile that breaks the model's rules.
inline void expect_read_or_refused(const importers::Importer& importer, const std::string& original,
                                   std::uint64_t mutants, std::string_view punctuation) {
  std::uint64_t read = 0;
  for (std::uint64_t seed = 0; seed < mutants; ++seed) {
    const auto p = import_with(importer, mutant(original, seed, punctuation));
    if (!p) {
      EXPECT_FALSE(p.error().hint.empty()) << "seed " << seed << ": " << p.error().message;
      continue;
    }
    ++read;
    const auto valid = model::validate(*p);
    ASSERT_TRUE(valid) << "seed " << seed << ": " << valid.error().message;
  }
  EXPECT_GT(read, mutants / 10) << "the mutants are refused so often that nothing is tested";
}

}  // namespace rooflab::testing
