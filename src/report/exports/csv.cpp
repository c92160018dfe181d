// SPDX-License-Identifier: Apache-2.0
// Every row of host activity and device work as CSV, one line a row, for spreadsheets and data
// frames. Times are nanoseconds on the profile's clock; `launch_start_ns` is the start of the call
// that launched the work.
#include <fmt/format.h>

#include <iterator>

#include "report/export.h"
#include "report/names.h"

namespace rooflab::report {
namespace {

constexpr std::size_t kPiece = 1U << 16U;  // bytes handed out at once

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string known(std::int64_t value) { return value >= 0 ? std::to_string(value) : std::string(); }

void span_row(const model::Profile& p, std::size_t i, std::string& out) {
  const model::Track& track = p.tracks[p.spans.track[i].row];
  std::string pid;
  std::string tid;
  if (track.thread.valid()) {
    const model::Thread& thread = p.threads[track.thread.row];
    tid = std::to_string(thread.tid);
    if (thread.process.valid()) pid = std::to_string(p.processes[thread.process.row].pid);
  }
  fmt::format_to(std::back_inserter(out), "span,{},{},{},{},{},{},,,{},,\n",
                 span_word(p.spans.kind[i]), quoted(p.text(p.spans.name[i])), p.spans.start[i],
                 p.spans.duration[i], pid, tid, known(p.spans.correlation[i]));
}

void work_row(const model::Profile& p, std::size_t i, std::string& out) {
  const model::WorkTable& w = p.work;
  const model::Track& track = p.tracks[w.track[i].row];
  const std::string device =
      track.device.valid() ? std::to_string(p.devices[track.device.row].index) : "";
  const model::SpanId launch = w.launch[i];
  fmt::format_to(std::back_inserter(out), "work,{},{},{},{},,,{},{},{},{},{}\n",
                 work_word(w.kind[i]), quoted(p.text(w.name[i])), w.start[i], w.duration[i], device,
                 track.stream, known(w.correlation[i]), known(w.bytes[i]),
                 launch.valid() ? std::to_string(p.spans.start[launch.row]) : "");
}

bool write(const model::Profile& p, const Sink& sink) {
  std::string text =
      "table,kind,name,start_ns,duration_ns,process,thread,device,stream,correlation,bytes,"
      "launch_start_ns\n";
  const auto flush_over = [&](std::size_t limit) {
    if (text.size() < limit) return true;
    const bool good = sink(text);
    text.clear();
    return good;
  };
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    span_row(p, i, text);
    if (!flush_over(kPiece)) return false;
  }
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    work_row(p, i, text);
    if (!flush_over(kPiece)) return false;
  }
  return flush_over(1);
}

}  // namespace

Export export_csv() { return {"csv", "all rows of host activity and device work", &write}; }

}  // namespace rooflab::report
