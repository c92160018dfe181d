// SPDX-License-Identifier: Apache-2.0
#include "model/run_file/wire.h"

namespace rooflab::model::run {

void WireWriter::fixed(std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<char>((value >> (8 * i)) & 0xffU));
}

void WireWriter::varint(std::uint64_t value) {
  while (value >= 0x80U) {
    bytes_.push_back(static_cast<char>((value & 0x7fU) | 0x80U));
    value >>= 7U;
  }
  bytes_.push_back(static_cast<char>(value));
}

void WireWriter::zigzag(std::int64_t value) { varint(to_zigzag(value)); }

void WireWriter::text(std::string_view value) {
  varint(value.size());
  bytes_.append(value);
}

void WireReader::stop() {
  ok_ = false;
  left_ = {};
}

std::uint64_t WireReader::fixed(int bytes) {
  const auto count = static_cast<std::size_t>(bytes);
  if (left_.size() < count) {
    stop();
    return 0;
  }
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i)
    value |= std::uint64_t{static_cast<unsigned char>(left_[i])} << (8U * i);
  left_.remove_prefix(count);
  return value;
}

std::uint64_t WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  stop();
  return 0;
}

std::int64_t WireReader::zigzag() { return from_zigzag(varint()); }

std::string_view WireReader::text() {
  const std::uint64_t size = varint();
  if (size > left_.size()) {
    stop();
    return {};
  }
  const std::string_view value = left_.substr(0, size);
  left_.remove_prefix(size);
  return value;
}

}  // namespace rooflab::model::run
