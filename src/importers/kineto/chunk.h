// SPDX-License-Identifier: Apache-2.0
// A piece of the events' text, cut between two events, and the rows parsed from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "importers/kineto/chunk_rows.h"

namespace rooflab::importers::kineto {

struct Chunk {
  std::vector<char> data;  // kScanPadding zero bytes follow `size`
  std::size_t size = 0;
  std::int64_t offset = 0;   // of data[0] in the decompressed input
  bool first = false;        // of the array: no comma comes before its first event
  bool last = false;         // the array's end follows
  bool input_ends = false;   // the input ends with it, inside the array
  bool uncertain = false;    // cut by guess in damaged text
  bool ends_inside = false;  // result: the text stops inside an event
  ChunkRows rows;
};

// Parses chunk.data into chunk.rows. Never fails: what cannot be read is noted.
void parse_chunk(Chunk& chunk);

}  // namespace rooflab::importers::kineto
