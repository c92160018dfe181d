// SPDX-License-Identifier: Apache-2.0
#include "model/run_file.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <filesystem>

#include "base/io/atomic_file.h"
#include "model/run_file/footer.h"
#include "model/validate.h"
#include "support/compress.h"
#include "support/forge_run_file.h"
#include "support/profile_values.h"
#include "support/random_profile.h"

namespace rooflab::model {
namespace {

using testing::difference;
using testing::random_profile;
using testing::TempDir;
using testing::with_footer;

constexpr ReadLimits kSmall{std::uint64_t{32} << 20U};

run::ColumnInfo& column(run::Footer& footer, std::string_view table, std::string_view name) {
  return const_cast<run::ColumnInfo&>(*footer.table(table)->column(name));
}

TEST(RunFile, AnyProfileComesBack) {
  EXPECT_TRUE(rc::check("random profiles", [](std::uint64_t seed) {
    const Profile profile = random_profile(seed, 60);
    RC_ASSERT(validate(profile).has_value());
    const Result<std::string> bytes = encode_run(profile);
    RC_ASSERT(bytes.has_value());
    const Result<Profile> back = decode_run(*bytes, "x");
    if (!back) RC_FAIL(back.error().message);
    const std::string differs = difference(profile, *back);
    if (!differs.empty()) RC_FAIL(differs);
  }));
}

TEST(RunFile, SeveralChunksComeBack) {
  Builder b("x");
  const TrackId track = b.thread_track(1, 1);
  for (std::size_t i = 0; i < run::kChunkRows * 2 + 3; ++i) {
    SpanRow row;
    row.start = static_cast<std::int64_t>(i * 1000 + i % 7);
    row.duration = static_cast<std::int64_t>(i % 900);
    row.track = track;
    row.name = b.intern(i % 5 == 0 ? "name " + std::to_string(i) : "same");
    b.add(row);
  }
  const Profile profile = std::move(b).build();
  const std::string bytes = encode_run(profile).value();
  const Result<Profile> back = decode_run(bytes, "x");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(difference(profile, *back), "");
  EXPECT_EQ(run::decode_footer(bytes).value().table("spans")->column("start")->chunks.size(), 3U);
}

TEST(RunFile, AnEmptyProfileComesBack) {
  const Result<Profile> back = decode_run(encode_run(Profile()).value(), "x");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(difference(Profile(), *back), "");
}

TEST(RunFile, IsWrittenWholeAndLeavesNothingBeside) {
  const TempDir dir;
  const Profile profile = random_profile(3, 50);
  const std::string path = dir.write("a.rlab", "an older file");
  ASSERT_TRUE(write_run(profile, path));
  const Result<Profile> back = read_run(path);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(difference(profile, *back), "");
  const auto entries = std::filesystem::directory_iterator(dir.path());
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST(RunFile, MayBeCompressedOnceMore) {
  const TempDir dir;
  const Profile profile = random_profile(4, 50);
  const std::string path = dir.write("a.rlab.gz", testing::gzip(encode_run(profile).value()));
  const Result<Profile> back = read_run(path);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(difference(profile, *back), "");
}

TEST(RunFile, WriteErrorsNameThePathAndLeaveNothing) {
  const TempDir dir;
  const Result<void> no_folder = write_run(Profile(), dir.file("missing/a.rlab"));
  ASSERT_FALSE(no_folder);
  EXPECT_EQ(no_folder.error().code, ErrorCode::kOutput);
  EXPECT_EQ(no_folder.error().where, dir.file("missing/a.rlab"));
  EXPECT_NE(no_folder.error().hint, "");
  EXPECT_FALSE(write_run(Profile(), dir.path()));
  EXPECT_FALSE(write_run(Profile(), "/dev/null")) << "renaming would replace the device";
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

// /dev/full takes opens and refuses writes; a full disk looks the same to append().
TEST(RunFile, AFileThatIsNotCommittedDisappears) {
  const TempDir dir;
  {
    Result<AtomicFile> file = AtomicFile::create(dir.file("a"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->append("half"));
    EXPECT_FALSE(std::filesystem::is_empty(dir.path()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST(RunFile, AnotherMajorVersionIsAClearError) {
  std::string bytes = encode_run(random_profile(5, 20)).value();
  bytes[8] = 2;
  const Result<Profile> newer = decode_run(bytes, "new.rlab");
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().message, "is a run file of version 2.1; this rooflab reads version 1");
  EXPECT_EQ(newer.error().hint, "use a newer rooflab");
  EXPECT_EQ(newer.error().where, "new.rlab");
}

TEST(RunFile, UnknownTablesAndColumnsAreSkipped) {
  const Profile profile = random_profile(6, 50);
  const std::string bytes = with_footer(encode_run(profile).value(), [](run::Footer& footer) {
    run::TableInfo extra = footer.tables.front();
    extra.name = "from_the_future";
    footer.tables.insert(footer.tables.begin(), extra);
    for (run::TableInfo& table : footer.tables) {
      if (table.columns.empty()) continue;
      run::ColumnInfo more = table.columns.front();
      more.name = "future";
      table.columns.insert(table.columns.begin(), more);
    }
  });
  const Result<Profile> back = decode_run(bytes, "x");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(difference(profile, *back), "");
}

TEST(RunFile, AMissingColumnAndAnotherKindAreErrors) {
  const std::string good = encode_run(random_profile(7, 50)).value();
  const Result<Profile> missing = decode_run(
      with_footer(good, [](run::Footer& f) { column(f, "spans", "start").name = "begin"; }), "x");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "spans.start is missing");
  const Result<Profile> other = decode_run(
      with_footer(
          good, [](run::Footer& f) { column(f, "spans", "name").kind = run::ValueKind::kInteger; }),
      "x");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "spans.name has values of another kind");
}

// A few kilobytes that claim four thousand million rows.
TEST(RunFile, ClaimsOfManyRowsTakeNoMemory) {
  const std::string good = encode_run(random_profile(8, 30)).value();
  const std::string bomb = with_footer(good, [](run::Footer& footer) {
    run::TableInfo* table = const_cast<run::TableInfo*>(footer.table("instants"));
    footer.chunk_rows = run::kMaxChunkRows;
    table->rows = 0xfffffff0U;
    for (run::ColumnInfo& c : table->columns) {
      run::ChunkInfo same;
      same.offset = run::kHeaderBytes;
      same.checksum = XXH3_64bits("", 0);
      c.chunks.assign(4096, same);
    }
  });
  const Result<Profile> back = decode_run(bomb, "x");
  ASSERT_FALSE(back);
  EXPECT_NE(back.error().message.find("instants"), std::string::npos);
  EXPECT_NE(back.error().message.find("more memory"), std::string::npos);
}

TEST(RunFile, AHandleThatPointsNowhereIsAnError) {
  Profile profile = random_profile(9, 60);
  ASSERT_GT(profile.work.size(), 0U);
  profile.work.launch[0] = SpanId(profile.spans.size());
  const Result<Profile> back = decode_run(encode_run(profile).value(), "x");
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().message, "work.launch row 0 breaks the model's rules");
}

TEST(RunFile, CutAnywhereIsAnError) {
  const std::string bytes = encode_run(random_profile(10, 8)).value();
  for (std::size_t cut = 0; cut < bytes.size(); ++cut)
    ASSERT_FALSE(decode_run(std::string_view(bytes).substr(0, cut), "x", kSmall)) << cut;
}

// One flipped byte: told by a checksum, or it lies between the chunks and changes nothing.
TEST(RunFile, EveryFlippedByteIsAnErrorOrTheSameProfile) {
  const Profile profile = random_profile(11, 8);
  const std::string bytes = encode_run(profile).value();
  std::size_t unharmed = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ (1U << (at % 8)));
    const Result<Profile> back = decode_run(bad, "x", kSmall);
    if (!back) continue;
    ++unharmed;
    ASSERT_EQ(difference(profile, *back), "") << "byte " << at;
  }
  EXPECT_LE(unharmed, 6U) << "the minor version and the four spare bytes of the header";
}

// Bytes changed, cut out and doubled, then sealed: the checksums no longer help.
TEST(RunFile, SealedMutationsNeverBreakTheReader) {
  const std::string good = encode_run(random_profile(13, 30)).value();
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    testing::Random r(seed);
    std::string bad = good;
    for (std::int64_t n = r.in(1, 4); n > 0; --n) {
      const auto at = static_cast<std::size_t>(r.in(0, static_cast<std::int64_t>(bad.size()) - 1));
      const std::int64_t kind = r.in(0, 9);
      if (kind == 0) bad.erase(at, static_cast<std::size_t>(r.in(1, 9)));
      if (kind == 1) bad.insert(at, bad.substr(at, 5));
      if (kind > 1 && at < bad.size()) bad[at] = static_cast<char>(r.in(0, 255));
    }
    const Result<Profile> back = decode_run(testing::sealed(bad), "x", kSmall);
    if (!back) continue;
    ++accepted;
    ASSERT_TRUE(validate(*back)) << "seed " << seed;
  }
  EXPECT_GT(accepted, 0U);
}

// Mutations behind right checksums reach the decoder and the validator.
TEST(RunFile, HostileFootersNeverBreakTheReader) {
  const std::string good = encode_run(random_profile(12, 30)).value();
  std::size_t accepted = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    testing::Random r(seed);
    const std::string bad = with_footer(good, [&](run::Footer& footer) {
      for (std::int64_t n = r.in(1, 3); n > 0; --n) {
        run::TableInfo& table = footer.tables[static_cast<std::size_t>(
            r.in(0, static_cast<std::int64_t>(footer.tables.size()) - 1))];
        if (table.columns.empty() || r.chance(10)) {
          table.rows = static_cast<std::uint64_t>(r.in(0, 100));
          continue;
        }
        run::ColumnInfo& c = table.columns[static_cast<std::size_t>(
            r.in(0, static_cast<std::int64_t>(table.columns.size()) - 1))];
        if (c.chunks.empty()) continue;
        run::ChunkInfo& chunk = c.chunks[0];
        switch (r.in(0, 6)) {
          case 0:
            chunk.base = r.odd();
            break;
          case 1:
            chunk.min = std::numeric_limits<std::int64_t>::min();
            break;
          case 2:
            chunk.max = std::numeric_limits<std::int64_t>::max();
            break;
          case 3:
            chunk.width = static_cast<std::uint8_t>(r.in(0, 9));
            break;
          case 4:
            chunk.encoding = static_cast<run::Encoding>(r.in(0, 4));
            break;
          case 5:
            chunk.dictionary = static_cast<std::uint32_t>(r.in(0, 5000));
            break;
          default:
            std::swap(c.chunks, footer.tables[4].columns[0].chunks);
            break;
        }
      }
    });
    const Result<Profile> back = decode_run(bad, "x", kSmall);
    if (!back) continue;
    ++accepted;
    ASSERT_TRUE(validate(*back)) << "seed " << seed;
  }
  EXPECT_GT(accepted, 0U) << "some mutations are harmless, else this test reaches nothing";
}

}  // namespace
}  // namespace rooflab::model
