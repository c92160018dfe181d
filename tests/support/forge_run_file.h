// SPDX-License-Identifier: Apache-2.0
// Run files with right checksums around changed content: what an attacker would write, and what a
// fuzzer cannot guess.
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "model/run_file.h"
#include "model/run_file/footer.h"
#include "model/run_file/wire.h"

namespace rooflab::testing {

// The file with its footer changed by `change`.
template <class Change>
std::string with_footer(const std::string& file, Change change) {
  Result<model::run::Footer> footer = model::run::decode_footer(file);
  if (!footer) return file;
  change(*footer);
  model::run::WireReader trailer(
      std::string_view(file).substr(file.size() - model::run::kTrailerBytes));
  const std::uint64_t offset = trailer.fixed(8);
  return file.substr(0, offset) + model::run::encode_footer(*footer, offset);
}

// Any bytes with the frame and the checksums made right as far as that is possible.
inline std::string sealed(std::string_view bytes) {
  using namespace model::run;
  if (bytes.size() < kHeaderBytes + kTrailerBytes) return std::string(bytes);
  std::string_view body = bytes.substr(kHeaderBytes, bytes.size() - kHeaderBytes - kTrailerBytes);
  WireReader trailer(bytes.substr(bytes.size() - kTrailerBytes));
  const std::uint64_t offset =
      std::clamp<std::uint64_t>(trailer.fixed(8), kHeaderBytes, kHeaderBytes + body.size());
  const std::string_view footer = body.substr(offset - kHeaderBytes);
  WireWriter end;
  end.fixed(offset, 8);
  end.fixed(footer.size(), 8);
  end.fixed(XXH3_64bits(footer.data(), footer.size()), 8);
  const std::string file =
      encode_header() + std::string(body) + end.bytes() + std::string(model::kRunFileMagic);
  return with_footer(file, [&](Footer& parsed) {
    for (TableInfo& table : parsed.tables)
      for (ColumnInfo& column : table.columns)
        for (ChunkInfo& chunk : column.chunks)
          chunk.checksum = XXH3_64bits(file.data() + chunk.offset, chunk.size);
  });
}

}  // namespace rooflab::testing
