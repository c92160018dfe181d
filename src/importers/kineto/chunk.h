// SPDX-License-Identifier: Apache-2.0
// A piece of the events' text, cut between two events, and the rows parsed from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "importers/kineto/chunk_rows.h"

namespace rooflab::importers::kineto {

// Bytes that are not cleared when they are made: clearing costs a page fault for every page that a
// small file never uses.
class Buffer {
 public:
  [[nodiscard]] char* data() { return bytes_.get(); }
  [[nodiscard]] const char* data() const { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  char operator[](std::size_t i) const { return bytes_[i]; }
  // Keeps the first `used` bytes; never shrinks.
  void grow(std::size_t size, std::size_t used) {
    if (size <= size_) return;
    std::unique_ptr<char[]> bytes(new char[size]);
    if (used != 0) std::memcpy(bytes.get(), bytes_.get(), used);
    bytes_ = std::move(bytes);
    size_ = size;
  }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
};

struct Chunk {
  Buffer data;  // kScanPadding zero bytes follow `size`
  std::size_t size = 0;
  std::int64_t offset = 0;    // of data[0] in the decompressed input
  bool first = false;         // of the array: no comma comes before its first event
  bool last = false;          // the array's end follows
  bool input_ends = false;    // the input ends with it, inside the array
  bool uncertain = false;     // cut by guess in damaged text
  bool ends_inside = false;   // result: the text stops inside an event
  std::size_t array_end = 0;  // result: where the array ends after all, 0 = it does not
  ChunkRows rows;
};

// Parses chunk.data into chunk.rows. Never fails: what cannot be read is noted.
void parse_chunk(Chunk& chunk);

}  // namespace rooflab::importers::kineto
