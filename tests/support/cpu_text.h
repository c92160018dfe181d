// SPDX-License-Identifier: Apache-2.0
// Text of CPU profilers in tests: importing it by its content, sums over samples, and damage.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/byte_source.h"
#include "importers/importer.h"

namespace rooflab::testing {

// The importer that is surest of `text` reads it.
inline Result<model::Profile> import_sniffed(std::string_view text) {
  std::string head;
  const std::unique_ptr<ByteSource> source =
      with_head(memory_source(text), std::size_t{64} << 10U, head);
  importers::Importer best{};
  int confidence = 0;
  for (const importers::Importer& importer : importers::all_importers()) {
    const int sure = importer.sniff({head, "test"});
    if (sure > confidence) {
      confidence = sure;
      best = importer;
    }
  }
  if (confidence == 0) {
    return fail(ErrorCode::kUnreadable, "the format is not known", "test", "none sniffs it");
  }
  return best.read(*source, "test", {});
}

inline std::int64_t weight_of(const model::Profile& p, std::string_view event) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < p.samples.size(); ++i) {
    if (p.text(p.samples.event[i]) == event) sum += p.samples.weight[i];
  }
  return sum;
}

// "leaf < caller < ...", of sample `i`.
inline std::string stack_words(const model::Profile& p, std::size_t i) {
  std::string out;
  for (model::StackId s = p.samples.stack[i]; s.valid(); s = p.stacks[s.row].caller) {
    out += (out.empty() ? "" : " < ") + std::string(p.text(p.stacks[s.row].frame));
  }
  return out;
}

// One to eight changes of bytes or stretches, of the kinds that files suffer.
inline std::string mutated_text(const std::string& original, unsigned seed,
                                std::string_view alphabet) {
  std::mt19937 random(seed);
  std::string text = original;
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const int changes = 1 + static_cast<int>(below(8));
  for (int i = 0; i < changes && !text.empty(); ++i) {
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
        text[at] = alphabet[below(alphabet.size())];
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text.insert(at, std::string(length, alphabet[below(alphabet.size())]));
        break;
      default:
        text.replace(at, length, text.substr(below(text.size()), length));
    }
  }
  return text;
}

// Read with rows that hold together, or refused with a hint.
inline void expect_read_or_refused(const Result<model::Profile>& p, unsigned seed) {
  if (!p) {
    EXPECT_FALSE(p.error().hint.empty()) << "seed " << seed;
    return;
  }
  for (std::size_t i = 0; i < p->samples.size(); ++i) {
    ASSERT_LT(p->samples.track[i].row, p->tracks.size()) << "seed " << seed;
    ASSERT_TRUE(!p->samples.stack[i].valid() || p->samples.stack[i].row < p->stacks.size());
    ASSERT_GT(p->samples.weight[i], 0) << "seed " << seed;
  }
  for (std::size_t i = 0; i < p->spans.size(); ++i) ASSERT_GE(p->spans.duration[i], 0);
  for (std::size_t i = 0; i < p->stacks.size(); ++i) {
    ASSERT_TRUE(!p->stacks[i].caller.valid() || p->stacks[i].caller.row < i) << "seed " << seed;
  }
}

}  // namespace rooflab::testing
