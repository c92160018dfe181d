// SPDX-License-Identifier: Apache-2.0
// The PyTorch profiler's Chrome trace, as libkineto writes it: torch 1.8 to 2.11, NVIDIA, AMD and
// the others, object and list form, whole or damaged. The parts are in importers/kineto/.
//
// Refuses text that holds no array of events. Times become nanoseconds from a whole millisecond at
// or before the earliest event; provenance.epoch_ns says which Unix time that is.
//
//   {"schemaVersion": 1, "baseTimeNanoseconds": 1790857026000000000, "traceEvents": [
//     {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 5193.5, "dur": 1.5,
//      "args": {"correlation": 12}}]}
#include "importers/importer.h"
#include "importers/kineto/document.h"
#include "importers/kineto/merge.h"
#include "importers/kineto/metadata.h"
#include "importers/kineto/scan.h"

namespace rooflab::importers {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

int sniff(const Probe& probe) {
  std::string_view head = probe.head;
  if (head.substr(0, 3) == "\xEF\xBB\xBF") head.remove_prefix(3);
  while (!head.empty() && kineto::is_space(head.front())) head.remove_prefix(1);
  if (head.empty() || (head[0] != '{' && head[0] != '[')) return 0;
  const bool named = contains(head, "\"traceEvents\"");
  for (const std::string_view key : {"\"deviceProperties\"", "\"baseTimeNanoseconds\"",
                                     "\"cpu_op\"", "\"Operator\"", "\"ac2g\"", "\"kernel\""}) {
    if (contains(head, key)) return named || head[0] == '[' ? 95 : 60;
  }
  if (named) return 70;  // some other Chrome trace
  if (contains(head, "\"ph\"")) return 60;
  return head[0] == '{' ? 10 : 5;  // JSON of any kind: read() says what is missing
}

// Whether the end of the trace is there, and what its absence means.
void note_end(const kineto::DocumentReader& document, const ByteSource& source,
              kineto::Merger& merger) {
  using kineto::Note;
  if (document.ended_in_events()) {
    const bool whole = merger.has_end_marker() && !merger.ended_inside();
    merger.notes().add(whole ? Note::kMissingClosing : Note::kTruncatedInput,
                       source.truncated() ? -1 : document.bytes());
  } else if (document.ended_in_object()) {
    merger.notes().add(Note::kMissingClosing, document.bytes());
  } else if (source.truncated()) {
    merger.notes().add(Note::kDamagedCompression);
  }
}

Error no_events(const std::string& path, bool is_json) {
  return {
      ErrorCode::kUnreadable,
      is_json ? "this is JSON, but it holds no array of trace events" : "this is no JSON document",
      path,
      "rooflab reads the file that torch.profiler's export_chrome_trace writes; a file that was "
      "cut off before its first event has to be recorded again"};
}

Result<model::Profile> read(ByteSource& source, const std::string& path,
                            const ImportOptions& options) {
  model::Builder builder(path);
  kineto::Merger merger(builder);
  kineto::Pipeline pipeline(options.threads,
                            [&merger](kineto::Chunk& chunk) { merger.add(chunk); });
  kineto::DocumentReader document(source, pipeline);
  RL_CHECK_OK(document.run());
  if (!document.found_events()) {
    return tl::unexpected<Error>(no_events(path, document.found_json()));
  }
  merger.finish();
  note_end(document, source, merger);
  if (merger.events() == 0) merger.notes().add(kineto::Note::kNoEvents);
  kineto::apply_header(document.header(), merger.time_offset(), merger.call_vendor(),
                       builder.profile(), merger.notes());
  merger.notes().merge(document.notes());
  merger.notes().report(path, builder.hygiene());
  builder.profile().provenance.importer = "kineto";
  return std::move(builder).build();
}

}  // namespace

Importer importer_kineto() {
  return {"kineto", "PyTorch profiler (Kineto) Chrome trace", &sniff, &read};
}

}  // namespace rooflab::importers
