// SPDX-License-Identifier: Apache-2.0
// Random damage to a recording: never a crash (the sanitizers watch), never a hang, and either a
// profile or an error with a hint. Seeds are fixed, so a failure can be repeated.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support/cases.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

constexpr int kMutants = 300;

// One to eight bytes or stretches changed, dropped, doubled, swapped or replaced by JSON's own
// punctuation.
std::string mutant(const std::string& original, std::mt19937& random) {
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
        text[at] = "{}[]\",:\\0-enN\n"[below(14)];
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text.insert(at, std::string(length, "{[\"\\,"[below(5)]));
        break;
      default:
        text.replace(at, length, text.substr(below(text.size()), length));
    }
  }
  return text;
}

TEST(Mutation, NeverACrashNeverSilence) {
  std::vector<std::string> originals;
  for (const char* path : {"h200/gemm_misaligned.json.gz", "h200/overlap_copy_compute.json.gz",
                           "h200/large_pageable_copy.json.gz"}) {
    originals.push_back(testing::text_of_file(testing::test_data(path)));
  }
  for (unsigned seed = 0; seed < kMutants; ++seed) {
    std::mt19937 random(seed);
    const std::string text = mutant(originals[seed % originals.size()], random);
    const Result<model::Profile> p = testing::import_text(text, 1 + seed % 2);
    if (!p) {
      EXPECT_FALSE(p.error().hint.empty()) << "seed " << seed;
      continue;
    }
    // What the rest of the program relies on.
    for (std::size_t i = 0; i < p->work.size(); ++i) {
      ASSERT_LT(p->work.track[i].row, p->tracks.size()) << "seed " << seed;
      ASSERT_EQ(p->tracks[p->work.track[i].row].kind, model::TrackKind::kStream);
      ASSERT_GE(p->work.duration[i], 0);
    }
    for (std::size_t i = 0; i < p->spans.size(); ++i) {
      ASSERT_LT(p->spans.track[i].row, p->tracks.size());
      ASSERT_GE(p->spans.duration[i], 0);
      ASSERT_TRUE(!p->spans.args[i].valid() || p->spans.args[i].row < p->op_args.size());
    }
  }
}

}  // namespace
}  // namespace rooflab::importers
