// SPDX-License-Identifier: Apache-2.0
#include "base/io/byte_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <random>
#include <vector>

#include "base/io/raw_source.h"
#include "support/compress.h"

namespace rooflab {
namespace {

using testing::gzip;
using testing::TempDir;
using testing::zstd;

// Text that compresses to about a third and does not repeat.
std::string sample_text(std::size_t bytes, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::string out;
  while (out.size() < bytes) out += "{\"ts\": " + std::to_string(random() % 100000) + "},\n";
  out.resize(bytes);
  return out;
}

struct Outcome {
  std::string text;
  bool truncated = false;
  std::string damage;
  bool failed = false;
};

Outcome drain(ByteSource& source, std::size_t step = kReadBytes) {
  Outcome out;
  std::vector<char> buffer(step);
  while (true) {
    const Result<std::size_t> got = source.read(buffer);
    if (!got) {
      out.failed = true;
      break;
    }
    if (*got == 0) break;
    EXPECT_LE(*got, step);
    out.text.append(buffer.data(), *got);
  }
  out.truncated = source.truncated();
  out.damage = source.damage();
  return out;
}

Outcome drain_bytes(std::string_view bytes, std::size_t step = kReadBytes) {
  return drain(*memory_source(bytes), step);
}

struct Codec {
  const char* name;
  std::string (*compress)(std::string_view);
};
std::string as_gzip(std::string_view text) { return gzip(text); }
std::string as_zstd(std::string_view text) { return zstd(text); }
std::string codec_name(const ::testing::TestParamInfo<Codec>& codec) { return codec.param.name; }

class Compressed : public ::testing::TestWithParam<Codec> {};
INSTANTIATE_TEST_SUITE_P(Codecs, Compressed,
                         ::testing::Values(Codec{"gzip", &as_gzip}, Codec{"zstd", &as_zstd}),
                         &codec_name);

TEST(ByteSource, PlainBytesPassUnchanged) {
  const std::string text = sample_text(400000);
  for (const std::size_t step : {std::size_t{1000}, kReadBytes, std::size_t{1} << 20U}) {
    const Outcome out = drain_bytes(text, step);
    EXPECT_EQ(out.text, text);
    EXPECT_FALSE(out.truncated);
    EXPECT_EQ(out.damage, "");
  }
  EXPECT_EQ(drain_bytes("").text, "");
  EXPECT_EQ(drain_bytes("{").text, "{");
}

TEST_P(Compressed, WholeStreamAndMembersInARow) {
  const std::string a = sample_text(300000, 1), b = sample_text(70000, 2);
  const std::string raw = GetParam().compress(a) + GetParam().compress("") + GetParam().compress(b);
  for (const std::size_t step : {std::size_t{1}, std::size_t{4093}, kReadBytes}) {
    const Outcome out = drain_bytes(raw, step);
    EXPECT_EQ(out.text, a + b);
    EXPECT_FALSE(out.truncated);
    EXPECT_EQ(out.damage, "");
  }
}

TEST_P(Compressed, EmptyTextIsNoDamage) {
  const Outcome out = drain_bytes(GetParam().compress(""));
  EXPECT_EQ(out.text, "");
  EXPECT_FALSE(out.truncated);
}

// Cut at every byte: what comes out is a beginning of the text, and the cut is told.
TEST_P(Compressed, CutAtEveryByte) {
  const std::string text = sample_text(3000);
  const std::string raw = GetParam().compress(text);
  for (std::size_t cut = 4; cut < raw.size(); ++cut) {
    const Outcome out = drain_bytes(std::string_view(raw).substr(0, cut), 512);
    EXPECT_EQ(out.text, text.substr(0, out.text.size()));
    EXPECT_TRUE(out.truncated) << "cut at " << cut;
    EXPECT_NE(out.damage, "");
    EXPECT_FALSE(out.failed);
  }
}

TEST_P(Compressed, CutInTheSecondMemberKeepsTheFirst) {
  const std::string first = sample_text(5000, 1);
  const std::string raw = GetParam().compress(first);
  const std::string second = GetParam().compress(sample_text(5000, 2));
  for (const std::size_t keep :
       {std::size_t{4}, std::size_t{9}, std::size_t{40}, second.size() - 1}) {
    const Outcome out = drain_bytes(raw + second.substr(0, keep));
    EXPECT_EQ(out.text.substr(0, first.size()), first);
    EXPECT_TRUE(out.truncated) << "kept " << keep;
  }
}

// All data is there and only the trailer (checksum, length) is missing: nothing may be held back,
// although the decoder has taken all input before its last match or block is written out.
TEST_P(Compressed, WithoutTheTrailerTheWholeTextIsGiven) {
  const std::size_t trailer = std::string(GetParam().name) == "gzip" ? 8 : 4;
  // Runs of 21 to 36 and 375 to 390 end in gzip's last byte (their length codes in deflate's fixed
  // table leave the end-of-block code 7 bits of it), so a match is still open when input is out.
  for (const std::string& text :
       {std::string(30, 'x'), std::string(380, 'x'), sample_text(3000) + std::string(300, 'x')}) {
    const std::string raw = GetParam().compress(text);
    for (const std::size_t step : {std::size_t{1}, std::size_t{100}, kReadBytes}) {
      const Outcome out = drain_bytes(std::string_view(raw).substr(0, raw.size() - trailer), step);
      EXPECT_EQ(out.text.size(), text.size()) << "step " << step;
      EXPECT_TRUE(out.truncated);
    }
  }
}

TEST_P(Compressed, PaddingAndGarbageAfterTheEndAreIgnoredAndNamed) {
  const std::string text = sample_text(2000);
  const std::string raw = GetParam().compress(text);
  for (const std::string& tail :
       {std::string("\n"), std::string("ab"), std::string("some garbage, long enough"),
        std::string("\x1f\x1f\x8b")}) {
    const Outcome out = drain_bytes(raw + tail);
    EXPECT_EQ(out.text, text);
    EXPECT_FALSE(out.truncated);
    EXPECT_NE(out.damage, "") << "tail " << tail;
  }
}

TEST(ByteSource, GzipZeroPaddingIsNoDamageAndAMemberMayFollowIt) {
  const std::string a = sample_text(2000, 1), b = sample_text(2000, 2);
  const std::string padding(600, '\0');
  const Outcome out = drain_bytes(gzip(a) + padding + gzip(b) + padding);
  EXPECT_EQ(out.text, a + b);
  EXPECT_FALSE(out.truncated);
  EXPECT_EQ(out.damage, "");
}

// The two magic bytes of the next member fall into different reads of the raw bytes.
TEST(ByteSource, GzipMagicAcrossTheReadBoundary) {
  const std::string a = sample_text(1000, 1), b = sample_text(1000, 2);
  const std::string first = gzip(a);
  for (std::size_t shift = 0; shift < 4; ++shift) {
    const std::string padding(kReadBytes + 2 - first.size() - shift, '\0');
    const Outcome out = drain_bytes(first + padding + gzip(b));
    EXPECT_EQ(out.text, a + b);
    EXPECT_EQ(out.damage, "");
  }
}

TEST(ByteSource, WrongGzipChecksumKeepsTheTextAndTheNextMember) {
  const std::string a = sample_text(2000, 1), b = sample_text(2000, 2);
  std::string first = gzip(a);
  for (const std::size_t back : {std::size_t{8}, std::size_t{4}}) {  // CRC, length
    std::string bad = first;
    bad[bad.size() - back] = static_cast<char>(bad[bad.size() - back] ^ 1);
    const Outcome out = drain_bytes(bad + gzip(b));
    EXPECT_EQ(out.text, a + b);
    EXPECT_TRUE(out.truncated);
    EXPECT_NE(out.damage.find("checksum"), std::string::npos);
  }
}

TEST_P(Compressed, EveryFlippedByteIsToldOrHarmless) {
  const std::string text = sample_text(2000);
  const std::string raw = GetParam().compress(text);
  for (std::size_t at = 4; at < raw.size(); ++at) {
    std::string bad = raw;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    const Outcome out = drain_bytes(bad);
    EXPECT_TRUE(out.text == text || out.truncated || out.failed) << "byte " << at;
  }
}

// A bomb only streams: 1 GiB of zeros from about 1 MiB (gzip) in a fixed buffer.
TEST(ByteSource, BombStreamsInTheCallersBuffer) {
  std::string member = gzip(std::string(16 << 20, '\0'), 9);
  std::string raw;
  for (int i = 0; i < 16; ++i) raw += member;
  const std::unique_ptr<ByteSource> source = memory_source(raw);
  std::vector<char> buffer(kReadBytes);
  std::size_t total = 0;
  while (true) {
    const Result<std::size_t> got = source->read(buffer);
    ASSERT_TRUE(got);
    if (*got == 0) break;
    total += *got;
  }
  EXPECT_EQ(total, std::size_t{256} << 20U);
  EXPECT_EQ(source->raw_bytes_read(), static_cast<std::int64_t>(raw.size()));
}

TEST(ByteSource, ZstdSkippableFrameFirst) {
  const std::string skippable(
      "\x50\x2a\x4d\x18\x03\x00\x00\x00"
      "abc",
      11);
  EXPECT_EQ(drain_bytes(skippable + zstd("text")).text, "text");
}

TEST(ByteSource, ZstdWindowAboveTheLimitIsAnErrorWithAHint) {
  // Magic, descriptor without size or checksum, window descriptor 0x90: 2^28 bytes; then an empty
  // last block.
  const std::string frame("\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00", 9);
  const std::unique_ptr<ByteSource> source = memory_source(frame);
  std::vector<char> buffer(100);
  const Result<std::size_t> got = source->read(buffer);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::kUnreadable);
  EXPECT_NE(got.error().hint.find("zstd -d --long"), std::string::npos);
}

TEST_P(Compressed, FileIsReadWithProgress) {
  const TempDir dir;
  const std::string text = sample_text(500000);
  const std::string raw = GetParam().compress(text);
  const Result<std::unique_ptr<ByteSource>> source = open_source(dir.write("trace.json", raw));
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->raw_bytes_total(), static_cast<std::int64_t>(raw.size()));
  EXPECT_EQ(drain(**source).text, text);
  EXPECT_EQ((*source)->raw_bytes_read(), static_cast<std::int64_t>(raw.size()));
}

TEST(OpenSource, MissingDirectoryAndForbiddenAreErrorsWithHints) {
  const TempDir dir;
  const auto missing = open_source(dir.file("nothing"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kUnreadable);
  EXPECT_EQ(missing.error().where, dir.file("nothing"));
  EXPECT_NE(missing.error().message.find("No such file"), std::string::npos);
  EXPECT_NE(missing.error().hint, "");

  const auto folder = open_source(dir.path());
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message.find("directory"), std::string::npos);
  EXPECT_NE(folder.error().hint, "");

  const std::string secret = dir.write("secret", "x");
  ASSERT_EQ(::chmod(secret.c_str(), 0), 0);
  if (::geteuid() == 0)
    GTEST_SKIP() << "root may read everything: the permission case is not tested";
  const auto forbidden = open_source(secret);
  ASSERT_FALSE(forbidden);
  EXPECT_NE(forbidden.error().hint, "");
}

TEST(OpenSource, EmptyFileIsEmpty) {
  const TempDir dir;
  const auto source = open_source(dir.write("empty", ""));
  ASSERT_TRUE(source);
  EXPECT_EQ(drain(**source).text, "");
  EXPECT_EQ((*source)->raw_bytes_total(), 0);
}

TEST_P(Compressed, HeadIsSeenAndGivenAgain) {
  const std::string text = sample_text(200000);
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{10}, std::size_t{65536}, std::size_t{1} << 20U}) {
    std::string head;
    const std::string raw = GetParam().compress(text);
    const std::unique_ptr<ByteSource> source = with_head(memory_source(raw), bytes, head);
    EXPECT_EQ(head, text.substr(0, bytes));
    EXPECT_EQ(drain(*source, 777).text, text);
  }
}

// A source that fails after some bytes: the bytes before the failure are given first.
class FailingSource final : public ByteSource {
 public:
  Result<std::size_t> read(std::span<char> buffer) override {
    if (given_) return fail(ErrorCode::kUnreadable, "the disk is gone");
    given_ = true;
    buffer[0] = 'x';
    return std::size_t{1};
  }
  [[nodiscard]] std::int64_t raw_bytes_read() const override { return given_ ? 1 : 0; }
  [[nodiscard]] std::int64_t raw_bytes_total() const override { return -1; }

 private:
  bool given_ = false;
};

TEST(WithHead, AnErrorWhileReadingAheadIsToldAfterTheHead) {
  std::string head;
  const std::unique_ptr<ByteSource> source =
      with_head(std::make_unique<FailingSource>(), 100, head);
  EXPECT_EQ(head, "x");
  const Outcome out = drain(*source);
  EXPECT_EQ(out.text, "x");
  EXPECT_TRUE(out.failed);
}

TEST(CompressionOf, LooksAtTheMagicOnly) {
  EXPECT_EQ(compression_of(gzip("x")), Compression::kGzip);
  EXPECT_EQ(compression_of(zstd("x")), Compression::kZstd);
  EXPECT_EQ(compression_of("{\"traceEvents\""), Compression::kNone);
  EXPECT_EQ(compression_of("\x1f"), Compression::kNone);
  EXPECT_EQ(compression_of(""), Compression::kNone);
}

}  // namespace
}  // namespace rooflab
