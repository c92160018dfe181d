// SPDX-License-Identifier: Apache-2.0
// The same profile whatever the number of threads and the size of the reads, whole or damaged; and
// a lost place costs nothing but a note.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/cases.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

using model::Profile;

// The events of a recording several times over, some megabytes: enough for several chunks.
const std::string& long_text() {
  static const std::string text = [] {
    const std::string once =
        testing::text_of_file(testing::test_data("h200/transformer_healthy.json.gz"));
    const std::string start = "\"traceEvents\": [";
    const std::size_t begin = once.find(start) + start.size();
    const std::size_t end = once.rfind("\n  ]");
    std::string all = once.substr(0, begin);
    for (int i = 0; i < 4; ++i) {
      all += (i == 0 ? "" : ",") + once.substr(begin, end - begin);
    }
    return all + once.substr(end);
  }();
  return text;
}

void expect_equal(const Profile& a, const Profile& b) {
  ASSERT_EQ(a.strings.size(), b.strings.size());
  for (std::uint32_t i = 0; i < a.strings.size(); ++i) {
    ASSERT_EQ(a.text(StringId(i)), b.text(StringId(i)));
  }
  EXPECT_TRUE(a.spans.start == b.spans.start && a.spans.duration == b.spans.duration &&
              a.spans.name == b.spans.name && a.spans.track == b.spans.track &&
              a.spans.kind == b.spans.kind && a.spans.args == b.spans.args &&
              a.spans.correlation == b.spans.correlation);
  EXPECT_TRUE(a.work.start == b.work.start && a.work.duration == b.work.duration &&
              a.work.name == b.work.name && a.work.track == b.work.track &&
              a.work.kind == b.work.kind && a.work.config == b.work.config &&
              a.work.bytes == b.work.bytes && a.work.launch == b.work.launch &&
              a.work.op == b.work.op && a.work.correlation == b.work.correlation);
  EXPECT_TRUE(a.op_args == b.op_args && a.launch_configs == b.launch_configs);
  EXPECT_EQ(a.tracks.size(), b.tracks.size());
  EXPECT_EQ(a.memory_events.time, b.memory_events.time);
  EXPECT_EQ(a.forward_backward.size(), b.forward_backward.size());
  EXPECT_EQ(a.provenance.epoch_ns, b.provenance.epoch_ns);
  ASSERT_EQ(a.hygiene.notes().size(), b.hygiene.notes().size());
  for (std::size_t i = 0; i < a.hygiene.notes().size(); ++i) {
    EXPECT_EQ(a.hygiene.notes()[i].code, b.hygiene.notes()[i].code);
    EXPECT_EQ(a.hygiene.notes()[i].count, b.hygiene.notes()[i].count);
    EXPECT_EQ(a.hygiene.notes()[i].hint, b.hygiene.notes()[i].hint);
  }
}

Profile read(const std::string& text, unsigned threads) {
  Result<Profile> p = testing::import_text(text, threads);
  EXPECT_TRUE(p.has_value());
  return p ? std::move(*p) : Profile();
}

// Gives a few bytes at a time, as a pipe may.
class TricklingSource : public ByteSource {
 public:
  explicit TricklingSource(std::string_view text) : text_(text) {}
  Result<std::size_t> read(std::span<char> buffer) override {
    step_ = step_ * 7 % 4093 + 1;
    const std::size_t n = std::min({buffer.size(), step_, text_.size() - at_});
    std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(at_), n, buffer.begin());
    at_ += n;
    return n;
  }
  [[nodiscard]] std::int64_t raw_bytes_read() const override {
    return static_cast<std::int64_t>(at_);
  }
  [[nodiscard]] std::int64_t raw_bytes_total() const override { return -1; }

 private:
  std::string_view text_;
  std::size_t at_ = 0, step_ = 17;
};

TEST(KinetoParallel, AnyNumberOfThreadsGivesTheSameProfile) {
  ASSERT_GT(long_text().size(), std::size_t{12} << 20U);
  const Profile one = read(long_text(), 1);
  EXPECT_EQ(one.work.size(), 4U * 1740U);
  expect_equal(one, read(long_text(), 2));
  expect_equal(one, read(long_text(), 5));
}

TEST(KinetoParallel, ShortReadsGiveTheSameProfile) {
  TricklingSource source(long_text());
  const Result<Profile> p = importer_kineto().read(source, "test", {});
  ASSERT_TRUE(p.has_value());
  expect_equal(read(long_text(), 2), *p);
}

// An event that is never closed, and a quote too many, hide every boundary from the splitter.
TEST(KinetoParallel, ALostPlaceIsFoundAgain) {
  const Profile whole = read(long_text(), 2);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\n    }\n  },", "\n    },"},
                                 {"\"name\": \"aten::", "\"name\": \"5\" aten::"}}) {
    std::string text = long_text();
    const std::size_t at = text.find(from, text.find("\"traceEvents\""));
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    const Profile p = read(text, 2);
    EXPECT_EQ(p.work.size(), whole.work.size());
    EXPECT_EQ(p.spans.size(), whole.spans.size());
    EXPECT_EQ(p.hygiene.count("repaired_event"), 1);
    EXPECT_EQ(p.hygiene.count("resynchronised"), 1);
    EXPECT_EQ(p.hygiene.count("dropped_device_work"), 0);
    EXPECT_FALSE(p.hygiene.forbids(model::Claim::kCoverage));
    expect_equal(p, read(text, 1));
  }
}

TEST(KinetoParallel, ABracketTooManyIsNoEnd) {
  const Profile whole = read(long_text(), 2);
  for (const char* extra : {"}", "]"}) {
    std::string text = long_text();
    const std::size_t at = text.find("},\n  {\n    \"ph\"", text.size() / 2);
    text.insert(at + 1, extra);
    const Profile p = read(text, 2);
    EXPECT_EQ(p.work.size(), whole.work.size()) << extra;
    EXPECT_EQ(p.spans.size(), whole.spans.size()) << extra;
    EXPECT_GE(p.hygiene.count("resynchronised"), 1) << extra;
  }
}

}  // namespace
}  // namespace rooflab::importers
