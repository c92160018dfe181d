// SPDX-License-Identifier: Apache-2.0
// Random damage to both of the tool's formats: a profile whose handles hold, or an error with a
// hint. Seeds are fixed, so a failure can be repeated.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/cases.h"
#include "support/measured.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

constexpr unsigned kMutants = 200;  // a format

std::string mutant(const std::string& original, std::mt19937& random, std::string_view marks) {
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
        text[at] = marks[below(marks.size())];
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        text.insert(at, std::string(length, marks[below(marks.size())]));
        break;
      default:
        text.replace(at, length, text.substr(below(text.size()), length));
    }
  }
  return text;
}

void expect_read_or_refused(const Result<model::Profile>& p, unsigned seed) {
  if (!p) {
    EXPECT_FALSE(p.error().message.empty()) << "seed " << seed;
    EXPECT_FALSE(p.error().hint.empty()) << "seed " << seed;
    return;
  }
  for (std::size_t i = 0; i < p->measured.size(); ++i) {
    ASSERT_LT(p->measured.device[i].row, p->devices.size()) << "seed " << seed;
    ASSERT_LT(p->measured.config[i].row, p->launch_configs.size()) << "seed " << seed;
  }
  for (std::size_t i = 0; i < p->metrics.size(); ++i) {
    ASSERT_LT(p->metrics.launch[i].row, p->measured.size()) << "seed " << seed;
    ASSERT_TRUE(std::isfinite(p->metrics.value[i])) << "seed " << seed;
  }
}

TEST(NcuMutation, Csv) {
  // A few launches of each page: a mutant then hits what decides.
  std::vector<std::string> originals;
  for (const char* path : {"h200/ncu/small_raw.csv", "h200/ncu/ladder_details.csv.gz"}) {
    const std::string text = testing::text_of_file(testing::test_data(path));
    originals.push_back(text.substr(0, std::min<std::size_t>(text.size(), 60'000)));
    originals.push_back(text.substr(0, std::min<std::size_t>(text.size(), 4'000)));
  }
  for (unsigned seed = 0; seed < kMutants; ++seed) {
    std::mt19937 random(seed);
    expect_read_or_refused(testing::import_ncu_csv(mutant(originals[seed % originals.size()],
                                                          random, "\",\r\n.()0-e%=")),
                           seed);
  }
}

TEST(NcuMutation, Report) {
  const std::string text = testing::text_of_file(testing::test_data("h200/ncu/small.ncu-rep.gz"));
  // Without the code of the kernels, which a mutant would hit most of the time.
  ASSERT_GT(text.size(), 400'000U);
  const std::size_t headers = text.find("NVR");
  ASSERT_EQ(headers, 0U);
  for (unsigned seed = 0; seed < kMutants; ++seed) {
    std::mt19937 random(seed);
    expect_read_or_refused(testing::import_ncu_rep(
                               mutant(text, random, std::string_view("\0\xff\x80\x0a\x12\x6a", 6))),
                           seed);
    // The same damage in the first blocks only: sizes, strings and the first result.
    const std::size_t from = 225'000;
    const std::string part = text.substr(from, 40'000);
    std::string damaged = text;
    damaged.replace(from, part.size(),
                    mutant(part, random, std::string_view("\0\xff\x80\x0a\x12\x6a", 6)));
    expect_read_or_refused(testing::import_ncu_rep(damaged), seed);
  }
}

}  // namespace
}  // namespace rooflab::importers
