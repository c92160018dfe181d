// SPDX-License-Identifier: Apache-2.0
// Finds the ends of events in a stream of text: string-aware, 64 bytes at a time.
//
// Quotes, backslashes and brackets become bit masks (SSE2, or byte by byte elsewhere); a running
// exclusive-or over the quotes tells what is inside a string, and counting brackets outside
// strings tells the depth. Only where a cut is wanted does it look at single brackets. It trusts
// the text: damage can make it miss boundaries, which the caller notices by there being none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rooflab::importers::kineto {

class Splitter {
 public:
  static constexpr std::size_t kBlock = 64;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // A new buffer, whose first byte lies between two events of the array.
  void reset() { *this = Splitter(); }
  // Scans data[scanned(), end) in whole blocks; with `last` also the rest, as if spaces followed
  // (data must be readable up to the next multiple of kBlock). Stops at the end of the array.
  // With `want_boundary` it notes where the last event ended.
  void scan(const char* data, std::size_t end, bool want_boundary, bool last);

  [[nodiscard]] std::size_t scanned() const { return at_; }
  // The byte after the last event seen to end while a boundary was wanted.
  [[nodiscard]] std::size_t boundary() const { return boundary_; }
  // Where the bracket stands that closes the array of events.
  [[nodiscard]] std::size_t array_end() const { return array_end_; }

 private:
  void block(const char* data, std::size_t base, std::uint64_t valid, bool want_boundary);

  std::size_t at_ = 0;
  std::int64_t depth_ = 0;
  std::uint64_t in_string_ = 0;  // all ones inside a string
  bool escaped_ = false;         // the next byte is escaped
  std::size_t boundary_ = kNone;
  std::size_t array_end_ = kNone;
};

}  // namespace rooflab::importers::kineto
