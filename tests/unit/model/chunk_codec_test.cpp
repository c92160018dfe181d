// SPDX-License-Identifier: Apache-2.0
#include "model/run_file/chunk_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <xxhash.h>

#include <limits>
#include <numeric>
#include <random>

#include "support/compress.h"

namespace rooflab::model::run {
namespace {

using Values = std::vector<std::int64_t>;

// Encodes and decodes; the encoding that was chosen and its size come back through `info`.
Result<Values> round_trip(const Values& values, ChunkInfo& info) {
  ChunkEncoder encoder;
  RL_TRY(const std::string_view bytes, encoder.encode(values, info));
  Values out(values.size());
  RL_CHECK_OK(ChunkDecoder().decode(info, bytes, out));
  return out;
}

TEST(ChunkCodec, AnyValuesComeBack) {
  EXPECT_TRUE(rc::check("int64 values", [](Values values) {
    RC_PRE(!values.empty());
    if (values.size() > 2) values[1] = std::numeric_limits<std::int64_t>::min();
    if (values.size() > 3) values[2] = std::numeric_limits<std::int64_t>::max();
    ChunkInfo info;
    const Result<Values> out = round_trip(values, info);
    RC_ASSERT(out.has_value());
    RC_ASSERT(*out == values);
  }));
}

// Each encoding is the chosen one where it was made for, so each is also decoded here.
TEST(ChunkCodec, ChoosesByMechanism) {
  Values times(5000);
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = static_cast<std::int64_t>(i * 1000003 + i * i % 97);
  Values wide(5000);
  for (std::size_t i = 0; i < wide.size(); ++i)
    wide[i] = static_cast<std::int64_t>((i * 2654435761U % 7) * 0x0123456789abcdU);
  std::mt19937 random(1);
  Values noise(5000);
  for (std::size_t i = 0; i < noise.size(); ++i)
    noise[i] = static_cast<std::int64_t>(random() & 0xffffffU);
  ChunkInfo info;
  EXPECT_EQ(round_trip(times, info).value(), times);
  EXPECT_EQ(info.encoding, Encoding::kDelta);
  EXPECT_EQ(round_trip(wide, info).value(), wide);
  EXPECT_EQ(info.encoding, Encoding::kDictionary);
  EXPECT_EQ(info.dictionary, 7U);
  EXPECT_EQ(round_trip(noise, info).value(), noise);
  EXPECT_EQ(info.encoding, Encoding::kOffset);
  EXPECT_EQ(info.width, 3);
}

TEST(ChunkCodec, OneValueTakesNoBytes) {
  ChunkInfo info;
  const Values same(kChunkRows, -1);
  EXPECT_EQ(round_trip(same, info).value(), same);
  EXPECT_EQ(info.size, 0U);
  EXPECT_EQ(info.min, -1);
  EXPECT_EQ(info.max, -1);
}

TEST(ChunkCodec, ADictionaryThatNoLongerFitsFallsBack) {
  ChunkEncoder encoder;
  Values few(2000);
  for (std::size_t i = 0; i < few.size(); ++i)
    few[i] = static_cast<std::int64_t>((i * 2654435761U % 7) * 0x0123456789abcdU);
  ChunkInfo info;
  ASSERT_TRUE(encoder.encode(few, info));
  ASSERT_EQ(info.encoding, Encoding::kDictionary);
  Values many(kMaxDictionary + 1);
  std::iota(many.begin(), many.end(), 0);
  const Result<std::string_view> bytes = encoder.encode(many, info);
  ASSERT_TRUE(bytes);
  Values out(many.size());
  ASSERT_TRUE(ChunkDecoder().decode(info, *bytes, out));
  EXPECT_EQ(out, many);
}

// Whatever the footer claims about a chunk, decoding it ends in values or an Error.
TEST(ChunkCodec, ContradictoryInfoIsAnError) {
  Values values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i % 7 * 91);
  ChunkEncoder encoder;
  ChunkInfo good;
  const Result<std::string_view> bytes = encoder.encode(values, good);
  ASSERT_TRUE(bytes);
  Values out(values.size());
  ChunkDecoder decoder;
  ASSERT_TRUE(decoder.decode(good, *bytes, out));
  const auto refuses = [&](auto change) {
    ChunkInfo bad = good;
    change(bad);
    return !decoder.decode(bad, *bytes, out).has_value();
  };
  EXPECT_TRUE(refuses([](ChunkInfo& c) { c.width = 9; }));
  EXPECT_TRUE(refuses([](ChunkInfo& c) { c.width = 8; }));
  EXPECT_TRUE(refuses([](ChunkInfo& c) { c.encoding = Encoding::kText; }));
  EXPECT_TRUE(refuses([](ChunkInfo& c) { c.encoding = static_cast<Encoding>(77); }));
  EXPECT_TRUE(refuses([](ChunkInfo& c) { c.dictionary += 1; }));
  EXPECT_TRUE(refuses([](ChunkInfo& c) { c.dictionary = kMaxDictionary + 1; }));
  EXPECT_TRUE(refuses([](ChunkInfo& c) { c.min += 1; }));
  EXPECT_TRUE(refuses([](ChunkInfo& c) { c.max -= 1; }));
  EXPECT_TRUE(refuses([](ChunkInfo& c) { c.checksum += 1; }));
  Values shorter(values.size() - 1);
  EXPECT_FALSE(decoder.decode(good, *bytes, shorter).has_value());
  Values longer(values.size() + 1);
  EXPECT_FALSE(decoder.decode(good, *bytes, longer).has_value());
}

// Two rows, one distinct value, and an index of 5: right checksum, right sizes.
TEST(ChunkCodec, AnIndexOutsideTheDictionaryIsAnError) {
  const std::string raw = std::string(8, '\0') + std::string("\0\5", 2);
  const std::string bytes = testing::zstd(raw);
  ChunkInfo info;
  info.encoding = Encoding::kDictionary;
  info.width = 1;
  info.dictionary = 1;
  info.min = std::numeric_limits<std::int64_t>::min();
  info.max = std::numeric_limits<std::int64_t>::max();
  info.checksum = XXH3_64bits(bytes.data(), bytes.size());
  Values out(2);
  const Result<void> result = ChunkDecoder().decode(info, bytes, out);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "points outside its dictionary");
}

}  // namespace
}  // namespace rooflab::model::run
