// SPDX-License-Identifier: Apache-2.0
// Random damage to an Nsight Systems database: never a crash, never a hang, and either a profile
// that keeps the model's rules or an error with a hint. Seeds are fixed, so a failure can be
// repeated.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "model/validate.h"
#include "support/nsys_database.h"

namespace rooflab::importers {
namespace {

constexpr unsigned kMutants = 400;

// Bytes changed anywhere, page headers and the file's header changed, pages swapped, doubled,
// dropped or cut.
std::string mutant(std::string bytes, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::size_t kPage = 4096;
  const int changes = 1 + static_cast<int>(below(12));
  for (int i = 0; i < changes && bytes.size() > kPage; ++i) {
    const std::size_t pages = bytes.size() / kPage;
    const std::size_t a = below(pages) * kPage;
    const std::size_t b = below(pages) * kPage;
    switch (below(8)) {
      case 0:
        bytes[below(bytes.size())] = static_cast<char>(random());
        break;
      case 1:  // a page's header: its kind, number of cells, their places
        bytes[a + below(16)] = static_cast<char>(random());
        break;
      case 2:
        bytes[24 + below(76)] = static_cast<char>(random());
        break;
      case 3:  // child pages and cell places
        bytes[a + 8 + below(200)] = static_cast<char>(below(pages + 1));
        break;
      case 4:
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(a), kPage,
                    bytes.begin() + static_cast<std::ptrdiff_t>(b));
        break;
      case 5:
        bytes.resize(bytes.size() - kPage * below(2) - below(100));
        break;
      case 6:  // inside rows: types and lengths
        for (std::size_t n = 0; n < 8; ++n) {
          bytes[a + kPage / 2 + below(kPage / 2)] = static_cast<char>(random());
        }
        break;
      default:
        bytes[a + below(kPage)] = static_cast<char>("\0\xff\x7f\x80"[below(4)]);
    }
  }
  return bytes;
}

TEST(NsysMutation, NeverACrashNeverSilence) {
  testing::NsysDatabase db;
  db.run(testing::kSmallCapture);
  std::string many = "INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, text) VALUES ";
  for (int i = 0; i < 400; ++i) {
    many += (i == 0 ? "(" : ",(") + std::to_string(i * 10) + "," + std::to_string(i * 10 + 9) +
            ",59,281476654432356,'range number " + std::to_string(i) + "')";
  }
  db.run(many);
  const std::string original = db.bytes();
  int refused = 0;
  int damaged = 0;
  for (unsigned seed = 0; seed < kMutants; ++seed) {
    std::mt19937 random(seed);
    const Result<model::Profile> p = testing::import_database(mutant(original, random));
    if (!p) {
      ++refused;
      EXPECT_FALSE(p.error().hint.empty()) << "seed " << seed << ": " << p.error().message;
      continue;
    }
    damaged += p->hygiene.count("damaged_table") + p->hygiene.count("damaged_work_table") > 0;
    const Result<void> valid = model::validate(*p);
    EXPECT_TRUE(valid.has_value()) << "seed " << seed << ": " << valid.error().message;
    // No more rows than the file has room for.
    EXPECT_LT(p->spans.size() + p->work.size(), original.size()) << "seed " << seed;
  }
  // The damage is of a kind that is noticed, and not only of one.
  EXPECT_GT(refused, 10);
  EXPECT_GT(damaged, 10);
}

}  // namespace
}  // namespace rooflab::importers
