// SPDX-License-Identifier: Apache-2.0
// What the export says about the recording itself: devices, processes, threads, the session's start
// and the tool; and what it holds that is not used here.
#include <algorithm>
#include <limits>

#include "importers/nsys/reader.h"

namespace rooflab::importers::nsys {
namespace {

constexpr std::string_view kDevices = "TARGET_INFO_GPU";
constexpr std::string_view kCudaDevices = "TARGET_INFO_CUDA_DEVICE";

// Small tables about the recording, which no figure needs; ENUM_ and META_ tables are the same.
bool is_description(std::string_view table) {
  for (const std::string_view prefix :
       {"ENUM_", "META_DATA_", "TARGET_INFO_", "EXPORT_", "ANALYSIS_", "StringIds", "PROCESSES",
        "ThreadNames", "ProcessStreams", "DIAGNOSTIC_EVENT", "NVTX_PAYLOAD_", "sqlite_"}) {
    if (table.starts_with(prefix)) return true;
  }
  return table == "OSRT_CALLCHAINS" || table == "CUDA_CALLCHAINS";
}

std::int32_t narrow(std::int64_t value) {
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(value, -1, std::numeric_limits<std::int32_t>::max()));
}

std::int64_t or_unknown(std::int64_t value) { return value > 0 ? value : -1; }

struct DeviceRow {
  std::int64_t id = -1, cuda = -1;
  model::Device device;
};

std::vector<DeviceRow> read_devices(const Database& database, Strings& strings, Tally& tally) {
  Query rows(database, kDevices,
             {"id", "cuDevice", "name", "totalMemory", "smCount", "threadsPerWarp", "maxWarpsPerSm",
              "maxShmemPerSm", "maxRegistersPerSm", "computeMajor", "computeMinor"},
             tally);
  std::vector<DeviceRow> out;
  while (rows.next()) {
    DeviceRow row;
    row.id = rows.integer_or(0, -1);
    row.cuda = rows.integer_or(1, -1);
    model::Device& d = row.device;
    d.name = strings.intern(rows.text(2));
    d.memory_bytes = or_unknown(rows.integer_or(3, -1));
    d.multiprocessors = narrow(or_unknown(rows.integer_or(4, -1)));
    d.warp_size = narrow(or_unknown(rows.integer_or(5, -1)));
    const std::int64_t warps = or_unknown(rows.integer_or(6, -1));
    if (warps > 0 && warps < 4096 && d.warp_size > 0 && d.warp_size < 4096) {
      d.max_threads_per_multiprocessor = narrow(warps * d.warp_size);
    }
    d.shared_bytes_per_multiprocessor = or_unknown(rows.integer_or(7, -1));
    d.registers_per_multiprocessor = or_unknown(rows.integer_or(8, -1));
    d.compute_major = narrow(rows.integer_or(9, -1));
    d.compute_minor = narrow(rows.integer_or(10, -1));
    out.push_back(row);
  }
  return out;
}

// Display adapters that CUDA cannot use stand in the table too, some under a number of CUDA's:
// those have no memory and no multiprocessors.
const DeviceRow* find_device(const std::vector<DeviceRow>& rows, std::int64_t index,
                             bool by_gpu_id) {
  const DeviceRow* best = nullptr;
  const auto rank = [&](const DeviceRow& row) {
    const bool cuda = !by_gpu_id && row.cuda == index;
    return (row.device.multiprocessors > 0 ? 4 : 0) + (cuda ? 2 : 0) + (row.id == index ? 1 : 0);
  };
  for (const DeviceRow& row : rows) {
    const bool known_number = !by_gpu_id && row.cuda >= 0;
    if (known_number ? row.cuda != index : row.id != index) continue;
    if (best == nullptr || rank(row) > rank(*best)) best = &row;
  }
  return best;
}

}  // namespace

void Reader::map_devices() {
  Query rows(db_, kCudaDevices, {"gpuId", "cudaId", "pid"}, tally_);
  std::map<std::int64_t, std::set<std::int64_t>> gpus;  // by CUDA's number
  while (rows.next()) {
    const auto gpu = rows.integer(0);
    const auto cuda = rows.integer(1);
    const auto pid = rows.integer(2);
    if (!gpu || !cuda || !pid) continue;
    gpu_of_[{*pid, *cuda}] = *gpu;
    gpus[*cuda].insert(*gpu);
  }
  const bool ambiguous = std::any_of(gpus.begin(), gpus.end(),
                                     [](const auto& entry) { return entry.second.size() > 1; });
  if (!ambiguous) gpu_of_.clear();
}

std::int64_t Reader::device_index(std::int64_t process_key, std::int64_t device) const {
  if (gpu_of_.empty()) return device;
  const auto found = gpu_of_.find({pid_of(process_key), device});
  return found == gpu_of_.end() ? device : found->second;
}

void Reader::describe_devices() {
  const std::vector<DeviceRow> rows = read_devices(db_, strings_, tally_);
  for (model::Device& device : builder_.profile().devices) {
    const std::int64_t index = device.index;
    if (const DeviceRow* row = find_device(rows, index, !gpu_of_.empty())) device = row->device;
    device.index = index;
    device.vendor = model::Vendor::kNvidia;
    if (builder_.profile().text(device.name).empty()) {
      tally_.add(Note::kDeviceUnnamed);
    }
  }
}

void Reader::describe_session() {
  model::Provenance& from = builder_.profile().provenance;
  from.importer = "nsys_sqlite";
  from.tool = "Nsight Systems";
  Query session(db_, "TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, tally_);
  while (session.next()) {
    const std::int64_t epoch = session.integer_or(0, 0);
    if (epoch > 0) from.epoch_ns = epoch;
  }
  for (const std::string_view table : {"META_DATA_EXPORT", "EXPORT_META_DATA"}) {
    Query rows(db_, table, {"name", "value"}, tally_);
    while (rows.next()) {
      // Two texts of one row: the second call may move the first.
      const std::string name = valid_text(rows.text(0), tally_);
      const std::string value = valid_text(rows.text(1), tally_);
      if (name == "EXPORT_PRODUCT_VERSION") from.tool_version = value;
      const bool limits =
          name == "EXPORT_PARAM_TABLES_TO_EXPORT" || name == "EXPORT_PARAM_TIMES_TO_EXPORT";
      if (limits && !value.empty()) tally_.add(Note::kNotExported, value);
      // Users, hosts and paths are nobody's business.
      if (name == "EXPORT_SCHEMA_VERSION" || name == "EXPORT_PRODUCT_VERSION" || limits) {
        from.metadata.emplace_back(name, value);
      }
    }
  }
  from.host_ops_recorded = host_ops_;
  from.shapes_recorded = shapes_;
  from.stacks_recorded = builder_.profile().samples.size() > 0;
}

void Reader::name_processes() {
  model::Profile& p = builder_.profile();
  std::unordered_map<std::int64_t, std::size_t> row_of;
  for (std::size_t i = 0; i < p.processes.size(); ++i) row_of[p.processes[i].pid] = i;
  Query rows(db_, "PROCESSES", {"globalPid", "name", "nameId"}, tally_);
  while (rows.next()) {
    const auto global_pid = rows.integer(0);
    if (!global_pid) continue;
    const auto found = row_of.find(process_key(*global_pid));
    if (found == row_of.end()) continue;
    const auto id = rows.integer(2);
    p.processes[found->second].name =
        id && strings_.has(*id) ? strings_.intern(*id) : strings_.intern(rows.text(1));
  }
  for (model::Process& process : p.processes) process.pid = pid_of(process.pid);
}

void Reader::name_threads() {
  Query rows(db_, "ThreadNames", {"globalTid", "nameId", "name"}, tally_);
  model::Profile& p = builder_.profile();
  while (rows.next()) {
    const auto global_tid = rows.integer(0);
    if (!global_tid) continue;
    const auto track = threads_.find(*global_tid);
    if (track == threads_.end()) continue;
    StringId& name = p.threads[p.tracks[track->second.row].thread.row].name;
    const auto id = rows.integer(1);
    if (id && strings_.has(*id)) {
      name = strings_.intern(*id);
    } else if (rows.has(2)) {
      name = strings_.intern(rows.text(2));
    }
  }
}

void Reader::note_contents() {
  model::Profile& p = builder_.profile();
  for (const std::string& table : db_.table_names()) {
    if (read_tables_.count(table) != 0 || is_description(table)) continue;
    if (db_.holds_rows(table)) tally_.add(Note::kUnreadTable, valid_text(table, tally_));
  }
  // An empty table and a missing one mean the same: exports leave empty tables out or not, by
  // version. The capture's options say whether it was asked for.
  bool asked_for = p.work.size() > 0;
  Query rows(db_, "META_DATA_CAPTURE", {"name", "value"}, tally_);
  while (rows.next()) {
    const std::string name(rows.text(0));
    const std::string_view value = rows.text(1);
    asked_for = asked_for || (name == "CAPTURE_EVENT_TYPE" && value == "Cuda") ||
                (name.ends_with("COLLECT_CUDA_TRACE") && value == "true");
  }
  p.provenance.device_activity_recorded = asked_for;
  if (p.spans.size() == 0 && p.work.size() == 0) {
    tally_.add(Note::kNoEvents);
  } else if (p.work.size() == 0) {
    tally_.add(Note::kNoDeviceActivity);
  }
}

}  // namespace rooflab::importers::nsys
