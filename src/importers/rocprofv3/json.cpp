// SPDX-License-Identifier: Apache-2.0
#include "importers/rocprofv3/json.h"

#include <simdjson.h>

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "importers/json/whole_text.h"
#include "importers/rocprofv3/derived.h"
#include "importers/rocprofv3/rows.h"
#include "importers/rocprofv3/table.h"

namespace rooflab::importers::rocprofv3 {
namespace {

namespace dom = simdjson::dom;

struct Kind {
  std::string_view name;  // HIP_RUNTIME_API
  std::vector<std::string_view> operations;
};

struct AgentRow {
  bool accelerator = false;
  std::int64_t index = 0;
  Agent agent;
};

std::int64_t number_of(const dom::element& value, std::int64_t otherwise) {
  std::int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  std::uint64_t bits = 0;
  if (value.get(bits) == simdjson::SUCCESS) return static_cast<std::int64_t>(bits);
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return number_in(text).value_or(otherwise);
  return otherwise;
}

std::int64_t integer(const dom::object& object, std::string_view key, std::int64_t otherwise = 0) {
  dom::element value;
  return object[key].get(value) == simdjson::SUCCESS ? number_of(value, otherwise) : otherwise;
}

std::string_view string(const dom::object& object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// {"handle": 16}; a plain number in other releases.
std::int64_t handle(const dom::object& object, std::string_view key) {
  dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS) return 0;
  dom::object inner;
  return value.get(inner) == simdjson::SUCCESS ? integer(inner, "handle") : number_of(value, 0);
}

class ToolReader {
 public:
  ToolReader(model::Builder& builder, const std::string& path)
      : builder_(builder), rows_(builder), derived_(builder), path_(path) {}

  void read(const dom::object& tool) {
    agents_.clear();
    kinds_.clear();
    messages_.clear();
    counters_.clear();
    symbols_.clear();
    dom::object metadata;
    if (get(tool, "metadata", metadata)) pid_ = integer(metadata, "pid", -1);
    each(tool, "agents", [&](const dom::object& agent) { add_agent(agent); });
    each(tool, "counters", [&](const dom::object& counter) {
      const std::int64_t id = handle(counter, "id");
      counters_[id] = string(counter, "name");
    });
    dom::object strings;
    if (get(tool, "strings", strings)) read_strings(strings);
    each(tool, "kernel_symbols", [&](const dom::object& symbol) { add_symbol(symbol); });
    dom::object callbacks;
    if (get(tool, "callback_records", callbacks))
      each(callbacks, "counter_collection",
           [&](const dom::object& record) { add_counters(record); });
    dom::object buffers;
    if (get(tool, "buffer_records", buffers)) read_buffers(buffers);
    for (const std::int64_t used : used_agents_) {
      const auto it = agents_.find(used);
      if (it != agents_.end()) rows_.describe(it->second.index, it->second.agent);
    }
  }

  void finish() {
    builder_.hygiene().add("unreadable_record", path_, bad_,
                           "records that are no objects, or whose times are no numbers, were left "
                           "out",
                           model::Claim::kCoverage);
    derived_.finish();
    rows_.finish();
  }

 private:
  static bool get(const dom::object& object, std::string_view key, dom::object& out) {
    return object[key].get(out) == simdjson::SUCCESS;
  }

  // Over the objects of an array; other elements are placeholders (null) or damage.
  template <class F>
  void each(const dom::object& object, std::string_view key, F&& f) {
    dom::array array;
    if (object[key].get(array) == simdjson::SUCCESS) each(array, f);
  }
  template <class F>
  void each(const dom::array& array, F&& f) {
    for (const dom::element element : array) {
      dom::object record;
      if (element.get(record) == simdjson::SUCCESS) {
        f(record);
      } else if (!element.is_null()) {
        ++bad_;
      }
    }
  }

  void add_agent(const dom::object& a) {
    AgentRow row;
    const std::int64_t id = handle(a, "id");
    row.accelerator = integer(a, "type") == 2;
    row.agent.compute_units = integer(a, "cu_count", -1);
    row.agent.wave_size = integer(a, "wave_front_size", -1);
    const std::int64_t kilobytes = integer(a, "lds_size_in_kb", -1);
    if (kilobytes > 0 && kilobytes < 1'000'000) row.agent.shared_bytes = kilobytes * 1024;
    row.agent.waves_per_unit = integer(a, "max_waves_per_cu", -1);
    row.agent.product = string(a, "product_name");
    row.agent.name = string(a, "name");
    const std::int64_t node = integer(a, "node_id");
    // Accelerators count from 0 among themselves, as HIP numbers them.
    row.index = integer(a, "logical_node_type_id", node);
    agents_[id] = row;
  }

  void add_symbol(const dom::object& symbol) {
    const std::int64_t id = integer(symbol, "kernel_id");
    std::string_view name = string(symbol, "formatted_kernel_name");
    if (name.empty()) name = string(symbol, "demangled_kernel_name");
    if (name.empty()) name = string(symbol, "kernel_name");
    symbols_[id] = name;
  }

  void read_strings(const dom::object& strings) {
    each(strings, "buffer_records", [&](const dom::object& record) {
      Kind kind;
      kind.name = string(record, "kind");
      dom::array operations;
      if (record["operations"].get(operations) == simdjson::SUCCESS) {
        for (const dom::element operation : operations) {
          std::string_view name;
          if (operation.get(name) != simdjson::SUCCESS) name = {};
          kind.operations.push_back(name);
        }
      }
      kinds_.push_back(std::move(kind));
    });
    each(strings, "marker_api", [&](const dom::object& entry) {
      const std::int64_t key = integer(entry, "key", -1);
      messages_[key] = string(entry, "value");
    });
  }

  void read_buffers(const dom::object& buffers) {
    for (const auto& [key, value] : buffers) {
      dom::array records;
      if (value.get(records) != simdjson::SUCCESS) continue;
      if (key == "kernel_dispatch") {
        each(records, [&](const dom::object& r) { add_dispatch(r); });
      } else if (key == "memory_copy") {
        each(records, [&](const dom::object& r) { add_copy(r); });
      } else if (key.ends_with("_api")) {
        each(records, [&](const dom::object& r) { add_call(r); });
      }
    }
  }

  bool times(const dom::object& record, std::int64_t& start, std::int64_t& end) {
    start = integer(record, "start_timestamp", -1);
    end = integer(record, "end_timestamp", -1);
    if (start >= 0 && end >= 0) return true;
    ++bad_;
    return false;
  }

  std::int64_t correlation(const dom::object& record) {
    dom::object id;
    return get(record, "correlation_id", id) ? integer(id, "internal") : 0;
  }

  static std::array<std::int64_t, 3> triple(const dom::object& object, std::string_view key) {
    dom::object inner;
    if (!get(object, key, inner)) return {-1, -1, -1};
    const std::int64_t x = integer(inner, "x", -1);
    const std::int64_t y = integer(inner, "y", -1);
    return {x, y, integer(inner, "z", -1)};
  }

  std::int64_t device_of(std::int64_t agent) {
    used_agents_.insert(agent);
    const auto it = agents_.find(agent);
    return it == agents_.end() ? agent : it->second.index;
  }

  std::int64_t dispatch_info(const dom::object& record, Dispatch& d) {
    dom::object info;
    if (!get(record, "dispatch_info", info)) return -1;
    d.device = device_of(handle(info, "agent_id"));
    d.queue = handle(info, "queue_id");
    const auto symbol = symbols_.find(integer(info, "kernel_id"));
    if (symbol != symbols_.end()) d.kernel = symbol->second;
    const std::int64_t id = integer(info, "dispatch_id", -1);
    d.shared_bytes = integer(info, "group_segment_size", -1);
    d.workgroup = triple(info, "workgroup_size");
    d.grid_items = triple(info, "grid_size");
    return id;
  }

  void add_dispatch(const dom::object& record) {
    Dispatch d;
    d.pid = pid_;
    d.correlation = correlation(record);
    if (!times(record, d.start, d.end)) return;
    dispatch_info(record, d);
    rows_.add(d);
  }

  void add_copy(const dom::object& record) {
    Copy c;
    c.pid = pid_;
    c.direction = operation_of(record);
    c.correlation = correlation(record);
    if (!times(record, c.start, c.end)) return;
    const std::int64_t from = handle(record, "src_agent_id");
    const std::int64_t to = handle(record, "dst_agent_id");
    const auto target = agents_.find(to);
    const bool to_host = target != agents_.end() && !target->second.accelerator;
    c.device = device_of(to_host ? from : to);
    c.between_devices = from != to;
    c.bytes = integer(record, "bytes", -1);
    rows_.add(c);
  }

  std::string_view operation_of(const dom::object& record) {
    const std::int64_t kind = integer(record, "kind", -1);
    const std::int64_t operation = integer(record, "operation", -1);
    if (kind < 0 || kind >= static_cast<std::int64_t>(kinds_.size())) return {};
    domain_ = kinds_[static_cast<std::size_t>(kind)].name;
    const auto& operations = kinds_[static_cast<std::size_t>(kind)].operations;
    if (operation < 0 || operation >= static_cast<std::int64_t>(operations.size())) return {};
    return operations[static_cast<std::size_t>(operation)];
  }

  void add_call(const dom::object& record) {
    Call c;
    domain_ = {};
    c.function = operation_of(record);
    c.domain = domain_;
    c.pid = pid_;
    c.tid = integer(record, "thread_id");
    c.correlation = correlation(record);
    if (!times(record, c.start, c.end)) return;
    if (const auto it = messages_.find(c.correlation);
        it != messages_.end() && c.domain.starts_with("MARKER"))
      c.function = it->second;
    rows_.add(c);
  }

  // One record a dispatch; a counter has a value for each part of the device, which add up.
  void add_counters(const dom::object& record) {
    dom::object data;
    if (!get(record, "dispatch_data", data)) return;
    Dispatch d;
    d.pid = pid_;
    const std::int64_t id = dispatch_info(data, d);
    std::map<std::int64_t, double> values;
    each(record, "records", [&](const dom::object& value) {
      const std::int64_t counter = handle(value, "counter_id");
      double number = 0;
      if (value["value"].get(number) == simdjson::SUCCESS) values[counter] += number;
    });
    d.vector_registers = integer(record, "arch_vgpr_count", -1);
    d.accumulation_registers = integer(record, "accum_vgpr_count", -1);
    model::MeasuredRow row;
    row.name = builder_.intern(kernel_name(d.kernel));
    row.device = builder_.device(d.device);
    row.config = rows_.config(d);
    row.order = id;
    row.process = pid_;
    const model::MeasuredId measured = builder_.add(row);
    for (const auto& [counter, value] : values) {
      const auto name = counters_.find(counter);
      if (name == counters_.end()) continue;
      builder_.add_metric(measured, name->second, value);
      derived_.take(measured, name->second, value);
    }
  }

  model::Builder& builder_;
  Rows rows_;
  Derived derived_;
  const std::string& path_;
  std::int64_t pid_ = -1;
  std::string_view domain_;
  std::map<std::int64_t, AgentRow> agents_;
  std::set<std::int64_t> used_agents_;
  std::vector<Kind> kinds_;
  std::unordered_map<std::int64_t, std::string_view> messages_, counters_, symbols_;
  std::int64_t bad_ = 0;
};

}  // namespace

Result<bool> read_json(std::string& text, const std::string& path, model::Builder& builder) {
  dom::parser parser;
  RL_TRY(const dom::element document, json::parse(parser, text, path, builder.hygiene()));
  dom::array tools;
  if (document["rocprofiler-sdk-tool"].get(tools) != simdjson::SUCCESS) return false;
  ToolReader reader(builder, path);
  for (const dom::element element : tools) {
    dom::object tool;
    if (element.get(tool) == simdjson::SUCCESS) reader.read(tool);
  }
  reader.finish();
  return true;
}

}  // namespace rooflab::importers::rocprofv3
