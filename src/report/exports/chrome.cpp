// SPDX-License-Identifier: Apache-2.0
// The Chrome trace event format, for chrome://tracing and ui.perfetto.dev: host threads as they
// are, one process a device with one thread a stream. Category and argument names are those of
// PyTorch's traces, so that tools for them (rooflab included) read the result. Times are
// microseconds with three decimals: nanoseconds are kept.
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "report/export.h"
#include "report/names.h"
#include "report/table.h"

namespace rooflab::report {
namespace {

constexpr std::size_t kPiece = 1U << 16U;  // bytes handed out at once

std::string json_string(std::string_view text) {
  return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Exact decimal microseconds of int64 nanoseconds.
std::string micros(std::int64_t ns) {
  const bool negative = ns < 0;
  const std::uint64_t size =
      negative ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  return fmt::format("{}{}.{:03}", negative ? "-" : "", size / 1000, size % 1000);
}

const char* category(model::SpanKind kind) {
  switch (kind) {
    case model::SpanKind::kOp:
      return "cpu_op";
    case model::SpanKind::kUserRange:
      return "user_annotation";
    case model::SpanKind::kRuntimeCall:
    case model::SpanKind::kDriverCall:
      return "Runtime";
    case model::SpanKind::kSync:
      return "sync";
    case model::SpanKind::kPython:
      return "python_function";
    case model::SpanKind::kOverhead:
      return "overhead";
    case model::SpanKind::kDeviceRange:
      return "gpu_user_annotation";
    case model::SpanKind::kOsCall:
      return "os_call";
    case model::SpanKind::kOffCpu:
      return "off_cpu";
    case model::SpanKind::kOther:
      break;
  }
  return "other";
}

const char* category(model::WorkKind kind) {
  switch (kind) {
    case model::WorkKind::kKernel:
      return "kernel";
    case model::WorkKind::kCopy:
      return "gpu_memcpy";
    case model::WorkKind::kMemset:
      return "gpu_memset";
  }
  return "kernel";
}

class ChromeWriter {
 public:
  ChromeWriter(const model::Profile& profile, const Sink& sink) : p_(profile), sink_(sink) {}

  bool write() {
    head();
    for (std::size_t t = 0; t < p_.tracks.size() && good_; ++t) thread_name(t);
    for (std::size_t i = 0; i < p_.spans.size() && good_; ++i) span(i);
    for (std::size_t i = 0; i < p_.work.size() && good_; ++i) work(i);
    text_ += "\n]}\n";
    flush();
    return good_;
  }

 private:
  void head() {
    text_ += "{\"schemaVersion\":1,\"displayTimeUnit\":\"ms\",\"deviceProperties\":[";
    for (std::size_t d = 0; d < p_.devices.size(); ++d) {
      const model::Device& device = p_.devices[d];
      append("{}{{\"id\":{},\"name\":{},\"numSms\":{}}}", d == 0 ? "" : ",", device.index,
             json_string(p_.text(device.name)), device.multiprocessors);
    }
    text_ += "],";
    if (p_.rank.rank >= 0) {
      append("\"distributedInfo\":{{\"backend\":{},\"rank\":{},\"world_size\":{}}},",
             json_string(p_.rank.backend), p_.rank.rank, p_.rank.world_size);
    }
    append("\"baseTimeNanoseconds\":{},\"traceEvents\":[\n", p_.provenance.epoch_ns);
    text_ +=
        R"({"ph":"M","name":"process_name","pid":"rooflab","tid":0,"args":{"name":"rooflab export"}})";
  }

  // pid and tid of a track, as JSON: numbers for host threads, device index and stream for device
  // work.
  std::string place(model::TrackId id) const {
    const model::Track& track = p_.tracks[id.row];
    if (track.kind == model::TrackKind::kStream && track.device.valid()) {
      return fmt::format("\"pid\":{},\"tid\":{}", p_.devices[track.device.row].index, track.stream);
    }
    if (track.kind == model::TrackKind::kThread && track.thread.valid()) {
      const model::Thread& thread = p_.threads[track.thread.row];
      const std::int64_t pid = thread.process.valid() ? p_.processes[thread.process.row].pid : -1;
      return fmt::format("\"pid\":{},\"tid\":{}", pid, thread.tid);
    }
    return fmt::format("\"pid\":\"other\",\"tid\":{}", json_string(p_.text(track.name)));
  }

  void thread_name(std::size_t t) {
    const model::Track& track = p_.tracks[t];
    std::string name(p_.text(track.name));
    if (name.empty() && track.thread.valid()) name = p_.text(p_.threads[track.thread.row].name);
    if (name.empty() && track.kind == model::TrackKind::kStream)
      name = fmt::format("stream {}", track.stream);
    if (name.empty()) return;
    append(",\n{{\"ph\":\"M\",\"name\":\"thread_name\",{},\"args\":{{\"name\":{}}}}}",
           place(model::TrackId(t)), json_string(name));
  }

  void span(std::size_t i) {
    append(",\n{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},{},\"ts\":{},\"dur\":{}",
           category(p_.spans.kind[i]), json_string(p_.text(p_.spans.name[i])),
           place(p_.spans.track[i]), micros(p_.spans.start[i]), micros(p_.spans.duration[i]));
    std::string args;
    if (p_.spans.correlation[i] >= 0)
      args += fmt::format("\"correlation\":{}", p_.spans.correlation[i]);
    if (const model::ArgsId id = p_.spans.args[i]; id.valid() && id.row < p_.op_args.size()) {
      add_json(args, "Input Dims", p_.op_args[id.row].dims);
      add_json(args, "Input type", p_.op_args[id.row].types);
      add_json(args, "Input Strides", p_.op_args[id.row].strides);
      add_json(args, "Concrete Inputs", p_.op_args[id.row].concrete);
    }
    if (!args.empty()) text_ += ",\"args\":{" + args + "}";
    text_ += "}";
    maybe_flush();
  }

  // The recorder's own JSON text, checked: a damaged file must not make a damaged export.
  void add_json(std::string& args, const char* key, StringId id) const {
    const std::string_view text = p_.text(id);
    if (text.empty() || !Json::accept(text.begin(), text.end())) return;
    args += fmt::format("{}\"{}\":{}", args.empty() ? "" : ",", key, text);
  }

  void work(std::size_t i) {
    const model::WorkTable& w = p_.work;
    const model::Track& track = p_.tracks[w.track[i].row];
    const std::int64_t device = track.device.valid() ? p_.devices[track.device.row].index : -1;
    append(
        ",\n{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},{},\"ts\":{},\"dur\":{},\"args\":{{"
        "\"device\":{},\"stream\":{}",
        category(w.kind[i]), json_string(p_.text(w.name[i])), place(w.track[i]), micros(w.start[i]),
        micros(w.duration[i]), device, track.stream);
    if (w.correlation[i] >= 0) append(",\"correlation\":{}", w.correlation[i]);
    if (w.bytes[i] >= 0) append(",\"bytes\":{}", w.bytes[i]);
    if (w.graph_node[i] >= 0) append(",\"graph node id\":{}", w.graph_node[i]);
    if (const auto id = w.config[i]; id.valid() && id.row < p_.launch_configs.size()) {
      const model::LaunchConfig& c = p_.launch_configs[id.row];
      append(",\"grid\":[{},{},{}],\"block\":[{},{},{}]", c.grid[0], c.grid[1], c.grid[2],
             c.block[0], c.block[1], c.block[2]);
    }
    text_ += "}}";
    maybe_flush();
  }

  template <class... Args>
  void append(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void maybe_flush() {
    if (text_.size() >= kPiece) flush();
  }
  void flush() {
    good_ = good_ && sink_(text_);
    text_.clear();
  }

  const model::Profile& p_;
  const Sink& sink_;
  std::string text_;
  bool good_ = true;
};

bool write(const model::Profile& profile, const Sink& sink) {
  return ChromeWriter(profile, sink).write();
}

}  // namespace

Export export_chrome() { return {"chrome", "Chrome trace events (JSON)", &write}; }

}  // namespace rooflab::report
