// SPDX-License-Identifier: Apache-2.0
// Protocol buffers without a schema: the fields of one message, by number and type. protozero reads
// the wire; its exceptions end here. Nothing recurses: the caller opens a nested message when it
// knows what it is.
//
//   const bool whole = wire::each_field(bytes, [&](const wire::Field& f) {
//     if (f.is(2, wire::Type::kBytes)) name = f.bytes;
//   });
//
// A field that claims more bytes than there are is given with those that are there, and the message
// is not whole; so is one with a type that does not exist.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <string_view>

namespace rooflab::importers::wire {

enum class Type : std::uint8_t { kVarint, kFixed64, kBytes, kFixed32 };

struct Field {
  std::uint32_t number = 0;
  Type type = Type::kVarint;
  std::uint64_t bits = 0;  // kVarint, kFixed64, kFixed32
  std::string_view bytes;  // kBytes
  [[nodiscard]] bool is(std::uint32_t n, Type t) const { return number == n && type == t; }
  [[nodiscard]] std::int64_t integer() const { return static_cast<std::int64_t>(bits); }
  [[nodiscard]] double real() const { return std::bit_cast<double>(bits); }
};

// True if the message is whole.
bool each_field(std::string_view message, const std::function<void(const Field&)>& visit);

}  // namespace rooflab::importers::wire
