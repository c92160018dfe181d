// SPDX-License-Identifier: Apache-2.0
#include "importers/lines.h"

#include <algorithm>
#include <cstring>

namespace rooflab::importers {
namespace {

std::string_view without_return(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

}  // namespace

bool LineReader::refill() {
  at_ = end_ = 0;
  const Result<std::size_t> got = source_.read({buffer_.data(), buffer_.size()});
  if (!got) {
    status_ = tl::unexpected<Error>(got.error());
    return false;
  }
  end_ = *got;
  return end_ > 0;
}

void LineReader::append(std::string_view part) {
  const std::size_t room = kLongestLine - std::min(spill_.size(), kLongestLine);
  if (part.size() > room && !cutting_) {
    cutting_ = true;
    ++cut_;
  }
  spill_.append(part.substr(0, room));
}

bool LineReader::next() {
  spill_.clear();
  cutting_ = false;
  bool any = false;
  for (;;) {
    if (at_ == end_ && !refill()) break;
    any = true;
    const char* begin = buffer_.data() + at_;
    const auto* stop = static_cast<const char*>(std::memchr(begin, '\n', end_ - at_));
    if (stop == nullptr) {
      append({begin, end_ - at_});
      at_ = end_;
      continue;
    }
    const std::string_view part(begin, static_cast<std::size_t>(stop - begin));
    at_ += part.size() + 1;
    ++number_;
    if (spill_.empty()) {
      line_ = without_return(part);
    } else {
      append(part);
      line_ = without_return(spill_);
    }
    return true;
  }
  if (!status_ || !any) return false;
  ++number_;
  line_ = without_return(spill_);
  return true;
}

}  // namespace rooflab::importers
