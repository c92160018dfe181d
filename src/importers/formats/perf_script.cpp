// SPDX-License-Identifier: Apache-2.0
// The text that `perf script` prints of a recording of Linux perf, with whatever fields (-F) it was
// told to print: samples of any event with their stacks, records of tasks and switches (--show-*).
// The parts are in importers/perf/.
//
// Refuses perf.data itself (perf script turns it into text) and text without a single sample.
//
//   perf record -g -k CLOCK_MONOTONIC -p PID; perf script --header --ns -F +pid,+tid > perf.txt
#include "importers/importer.h"
#include "importers/lines.h"
#include "importers/perf/reader.h"

namespace rooflab::importers {
namespace {

constexpr const char* kHow =
    "print it again: perf script -F comm,pid,tid,time,period,event,ip,sym,dso > perf.txt";

// The last line of the head may be cut, and a sample's first line needs company: a stack's frame,
// another sample or a record.
int sniff(const Probe& probe) {
  if (probe.head.starts_with("PERFILE2")) return 90;  // read() says what to do
  std::string_view text = probe.head;
  int timed = 0, timeless = 0, frames = 0, other = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos && timed + timeless > 0) break;
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    if (const auto header = perf::parse_header(line)) {
      ++(header->time ? timed : timeless);
    } else if (line.front() == '\t' || line.front() == ' ') {
      frames += perf::parse_frame(line) ? 1 : 0;
    } else {
      ++other;
    }
  }
  if (timed > 0 && other <= timed) return 85;
  if (timeless > 0 && frames > 0 && other <= timeless / 2) return 60;
  return 0;
}

Result<model::Profile> read(ByteSource& source, const std::string& path, const ImportOptions&) {
  model::Builder builder(path);
  perf::Reader reader(builder);
  LineReader lines(source);
  bool first = true;
  while (lines.next()) {
    if (first && lines.line().starts_with("PERFILE2")) {
      return fail(ErrorCode::kUnreadable, "this is perf's own binary format", path,
                  "turn it into text: perf script --header --ns -F +pid,+tid -i perf.data > "
                  "perf.txt");
    }
    first = false;
    reader.line(lines.line());
  }
  RL_CHECK_OK(lines.status());
  reader.finish(path, lines.cut_lines(), source.truncated());
  if (reader.records() == 0) {
    return fail(ErrorCode::kUnreadable, "the text holds no sample of perf", path, kHow);
  }
  return std::move(builder).build();
}

}  // namespace

Importer importer_perf_script() {
  return {"perf_script", "Linux perf (perf script text)", &sniff, &read};
}

}  // namespace rooflab::importers
