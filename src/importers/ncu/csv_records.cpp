// SPDX-License-Identifier: Apache-2.0
#include "importers/ncu/csv_records.h"

#include <algorithm>

namespace rooflab::importers::ncu {
namespace {

constexpr std::size_t kReadBytes = std::size_t{128} << 10U;
constexpr std::size_t kLongestRecord = std::size_t{16} << 20U;

// Every record of the tool starts with its number in quotes, the header with "ID".
bool starts_record(std::string_view text) {
  if (text.starts_with("\"ID\",")) return true;
  if (text.size() < 3 || text[0] != '"') return false;
  std::size_t i = 1;
  while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
  return i > 1 && text.substr(i, 2) == "\",";
}

}  // namespace

Result<bool> CsvRecords::read_line() {
  line_.clear();
  bool quoted = false;
  std::size_t scanned = at_;
  while (true) {
    while (scanned < buffer_.size()) {
      const char c = buffer_[scanned++];
      if (c == '"') quoted = !quoted;
      if (c != '\n') continue;
      // Enough to see whether the next line starts a record.
      constexpr std::size_t kPeek = 24;
      if (quoted && buffer_.size() - scanned < kPeek && !ended_) {
        --scanned;
        quoted = true;
        break;
      }
      const bool too_long = scanned - at_ > kLongestRecord;
      const bool next_starts = starts_record(std::string_view(buffer_).substr(scanned));
      if (quoted && !too_long && !next_starts) continue;
      if (quoted) ++damaged_;
      line_.assign(buffer_, at_, scanned - at_ - 1);
      at_ = scanned;
      return true;
    }
    if (scanned - at_ > 2 * kLongestRecord) {  // no line break at all
      ++damaged_;
      at_ = scanned;
      quoted = false;
    }
    if (ended_) {
      line_.assign(buffer_, at_, buffer_.size() - at_);
      at_ = buffer_.size();
      cut_ = quoted;
      return !line_.empty() && !quoted;
    }
    scanned -= at_;
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kReadBytes);
    auto got = source_.read({buffer_.data() + before, kReadBytes});
    if (!got) return tl::unexpected<Error>(std::move(got.error()));
    buffer_.resize(before + *got);
    ended_ = *got == 0;
  }
}

bool CsvRecords::split(std::vector<std::string_view>& cells) {
  cells.clear();
  unquoted_.clear();
  unquoted_.reserve(line_.size() + 1);  // views into it stay valid
  std::size_t i = 0;
  while (true) {
    const std::size_t begin = unquoted_.size();
    if (i < line_.size() && line_[i] == '"') {
      ++i;
      while (i < line_.size()) {
        if (line_[i] != '"') {
          unquoted_ += line_[i++];
        } else if (i + 1 < line_.size() && line_[i + 1] == '"') {
          unquoted_ += '"';
          i += 2;
        } else {
          ++i;
          break;
        }
      }
    }
    while (i < line_.size() && line_[i] != ',') unquoted_ += line_[i++];
    cells.emplace_back(std::string_view(unquoted_).substr(begin));
    if (i >= line_.size()) return true;
    ++i;
  }
}

Result<bool> CsvRecords::next(std::vector<std::string_view>& cells) {
  RL_TRY(const bool more, read_line());
  if (!more) return false;
  while (!line_.empty() && line_.back() == '\r') line_.pop_back();
  split(cells);
  return true;
}

}  // namespace rooflab::importers::ncu
