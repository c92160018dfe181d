// SPDX-License-Identifier: Apache-2.0
// The Chrome trace (trace.json.gz) that JAX and TensorFlow write beside their XPlane: the same
// events, with planes as processes and lines as threads, all values as text.
//
// Refuses more than 4 GB of text. What it means is in importers/xla/rows.h. Other tools' Chrome
// traces are not taken: a process must be named as a plane is.
//
//   {"traceEvents": [
//     {"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "/device:GPU:0"}},
//     {"ph": "M", "pid": 1, "tid": 14, "name": "thread_name", "args": {"name": "Stream
//     #14(Compute)"}},
//     {"ph": "X", "pid": 1, "tid": 14, "ts": 20481.709, "dur": 194.527, "name": "gemm_fusion"}]}
#include "importers/importer.h"
#include "importers/json/whole_text.h"
#include "importers/xla/trace.h"
#include "model/builder.h"

namespace rooflab::importers {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

int sniff(const Probe& probe) {
  const std::size_t first = probe.head.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == std::string_view::npos || probe.head[first] != '{') return 0;
  if (!contains(probe.head, "\"traceEvents\"") || !contains(probe.head, "\"process_name\""))
    return 0;
  const bool plane = contains(probe.head, "\"/device:") || contains(probe.head, "\"/host:CPU\"");
  return plane ? 97 : 0;  // above any Chrome trace
}

Result<model::Profile> read(ByteSource& source, const std::string& path, const ImportOptions&) {
  model::Builder builder(path);
  RL_TRY(std::string text, json::whole_text(source, path, builder.hygiene()));
  RL_TRY(const bool found, xla::read_trace(text, path, builder));
  if (!found) {
    return fail(ErrorCode::kUnreadable, "the JSON holds no array of trace events", path,
                "rooflab reads the trace.json.gz that jax.profiler writes");
  }
  builder.profile().provenance.importer = "xla_trace";
  return std::move(builder).build();
}

}  // namespace

Importer importer_xla_trace() {
  return {"xla_trace", "XLA profiler Chrome trace (JAX, TensorFlow)", &sniff, &read};
}

}  // namespace rooflab::importers
