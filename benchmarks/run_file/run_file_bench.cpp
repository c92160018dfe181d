// SPDX-License-Identifier: Apache-2.0
// Size and speed of the run file: run_file_bench [--columns] TRACE...
//
// For each trace: events, bytes an event, and the median time of importing, encoding and decoding,
// interleaved so that a busy machine slows all three alike. --columns adds the bytes of each
// column.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/huge_pages.h"
#include "importers/importer.h"
#include "model/run_file.h"
#include "model/run_file/footer.h"

namespace rooflab {
namespace {

constexpr int kRounds = 5;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::size_t events_of(const model::Profile& p) {
  return p.spans.size() + p.work.size() + p.memory_events.size() + p.instants.size() +
         p.counters.size() + p.forward_backward.size() + p.samples.size();
}

void print_columns(const std::string& bytes) {
  const Result<model::run::Footer> footer = model::run::decode_footer(bytes);
  if (!footer) return;
  for (const model::run::TableInfo& table : footer->tables) {
    for (const model::run::ColumnInfo& column : table.columns) {
      std::uint64_t size = 0;
      std::string encodings;
      for (const model::run::ChunkInfo& chunk : column.chunks) {
        size += chunk.size;
        encodings += static_cast<char>('0' + static_cast<int>(chunk.encoding));
      }
      if (size > 0)
        std::printf("    %-36s %10llu  %s\n", (table.name + "." + column.name).c_str(),
                    static_cast<unsigned long long>(size), encodings.c_str());
    }
  }
}

bool measure(const std::string& path, bool columns) {
  std::vector<double> import_s, encode_s, decode_s;
  std::string bytes;
  std::size_t events = 0;
  for (int round = 0; round < kRounds; ++round) {
    auto start = std::chrono::steady_clock::now();
    const Result<model::Profile> profile = importers::import_file(path);
    if (!profile) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), profile.error().message.c_str());
      return false;
    }
    import_s.push_back(seconds_since(start));
    start = std::chrono::steady_clock::now();
    Result<std::string> encoded = model::encode_run(*profile);
    encode_s.push_back(seconds_since(start));
    if (!encoded) return false;
    start = std::chrono::steady_clock::now();
    const Result<model::Profile> back = model::decode_run(*encoded, path);
    decode_s.push_back(seconds_since(start));
    if (!back) {
      std::fprintf(stderr, "%s: %s\n", path.c_str(), back.error().message.c_str());
      return false;
    }
    events = events_of(*back);
    bytes = std::move(*encoded);
  }
  const double per_event =
      static_cast<double>(bytes.size()) / static_cast<double>(std::max<std::size_t>(events, 1));
  std::printf("%-44s %9zu events %10zu B %6.2f B/event  import %8.2f  write %7.2f  read %7.2f ms\n",
              path.substr(path.size() > 44 ? path.size() - 44 : 0).c_str(), events, bytes.size(),
              per_event, median(import_s) * 1e3, median(encode_s) * 1e3, median(decode_s) * 1e3);
  if (columns) print_columns(bytes);
  return true;
}

}  // namespace
}  // namespace rooflab

int main(int argc, char** argv) {
  rooflab::use_huge_pages();
  const bool columns = argc > 1 && std::strcmp(argv[1], "--columns") == 0;
  bool ok = argc > 1;
  for (int i = columns ? 2 : 1; i < argc; ++i) ok = rooflab::measure(argv[i], columns) && ok;
  return ok ? 0 : 1;
}
