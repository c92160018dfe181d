// SPDX-License-Identifier: Apache-2.0
// The JSON of AMD's rocprofv3 (`--output-format json`): dispatches, copies, HIP, HSA, marker and
// RCCL calls, counters, agents, of one process or several. The parts are in importers/rocprofv3/.
//
// Refuses more than 4 GB of text, which the JSON reader cannot address. A file that was cut off
// gives what is whole in it.
//
//   {"rocprofiler-sdk-tool": [{"metadata": {"pid": 908}, "agents": […], "strings": {…},
//     "kernel_symbols": […], "buffer_records": {"kernel_dispatch": [{"start_timestamp": …}]}}]}
#include "importers/importer.h"
#include "importers/json/whole_text.h"
#include "importers/rocprofv3/json.h"
#include "model/builder.h"

namespace rooflab::importers {
namespace {

int sniff(const Probe& probe) {
  std::string_view head = probe.head;
  const std::size_t first = head.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (first == std::string_view::npos || head[first] != '{') return 0;
  return head.substr(first, 4096).find("\"rocprofiler-sdk-tool\"") != std::string_view::npos ? 98
                                                                                             : 0;
}

Result<model::Profile> read(ByteSource& source, const std::string& path, const ImportOptions&) {
  model::Builder builder(path);
  RL_TRY(std::string text, json::whole_text(source, path, builder.hygiene()));
  RL_TRY(const bool found, rocprofv3::read_json(text, path, builder));
  if (!found) {
    return fail(ErrorCode::kUnreadable, "the JSON holds no records of rocprofv3", path,
                "rooflab reads what `rocprofv3 --output-format json` writes");
  }
  builder.profile().provenance.importer = "rocprofv3_json";
  return std::move(builder).build();
}

}  // namespace

Importer importer_rocprofv3_json() {
  return {"rocprofv3_json", "AMD rocprofv3 JSON", &sniff, &read};
}

}  // namespace rooflab::importers
