// SPDX-License-Identifier: Apache-2.0
#include "importers/rocprofv3/csv.h"

namespace rooflab::importers::rocprofv3 {
namespace {

constexpr std::size_t kMaxField = std::size_t{1} << 20U;
constexpr std::size_t kMaxFields = 4096;
constexpr std::size_t kReadBytes = std::size_t{128} << 10U;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Result<bool> Csv::fill() {
  buffer_.resize(kReadBytes);
  at_ = 0;
  auto got = source_.read({buffer_.data(), buffer_.size()});
  buffer_.resize(got ? *got : 0);
  if (!got) return tl::unexpected<Error>(std::move(got.error()));
  return !buffer_.empty();
}

Result<bool> Csv::next() {
  for (;;) {
    RL_TRY(const bool any, read_record());
    if (!any) return false;
    const bool empty_line = ends_.size() == 1 && text_.empty();
    if (!empty_line) break;
  }
  row_.clear();
  for (const auto& [begin, end] : ends_)
    row_.push_back(std::string_view(text_).substr(begin, end - begin));
  return true;
}

Result<bool> Csv::read_record() {
  text_.clear();
  ends_.clear();
  std::size_t begin = 0;
  bool quoted = false, after_quote = false, any = false;
  const auto end_field = [&] {
    ends_.emplace_back(begin, text_.size());
    begin = text_.size();
    after_quote = false;
  };
  for (;;) {
    if (at_ == buffer_.size()) {
      RL_TRY(const bool more, fill());
      if (!more) {
        if (!any) return false;
        open_ended_ = true;
        end_field();
        ++number_;
        return true;
      }
      if (number_ == 0 && !any && std::string_view(buffer_).substr(0, 3) == kByteOrderMark) at_ = 3;
      continue;
    }
    const char c = buffer_[at_++];
    any = true;
    if (quoted) {
      if (c == '"') {
        quoted = false;
        after_quote = true;
      } else {
        text_.push_back(c);
      }
    } else if (c == '"') {
      if (after_quote) text_.push_back('"');  // a doubled quote
      quoted = true;
      after_quote = false;
    } else if (c == ',') {
      end_field();
    } else if (c == '\n') {
      end_field();
      ++number_;
      return true;
    } else if (c != '\r') {
      text_.push_back(c);
      after_quote = false;
    }
    if (text_.size() - begin > kMaxField || ends_.size() > kMaxFields) {
      return fail(ErrorCode::kUnreadable,
                  "row " + std::to_string(number_ + 1) + " does not end: a quote is missing", "",
                  "the file is damaged there; export it again");
    }
  }
}

}  // namespace rooflab::importers::rocprofv3
