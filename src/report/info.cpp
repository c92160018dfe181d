// SPDX-License-Identifier: Apache-2.0
#include "report/info.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/human.h"
#include "report/contents.h"
#include "report/metrics_json.h"
#include "report/names.h"
#include "report/page.h"
#include "report/text.h"

namespace rooflab::report {
namespace {

constexpr int kLabel = 14;
constexpr std::size_t kSpanKinds = static_cast<std::size_t>(model::SpanKind::kOffCpu) + 1;

struct Extent {
  std::int64_t first = 0, last = 0;
  bool any = false;
  void add(std::int64_t start, std::int64_t end) {
    first = any ? std::min(first, start) : start;
    last = any ? std::max(last, end) : end;
    any = true;
  }
};

Extent extent_of(const model::Profile& p) {
  Extent e;
  for (std::size_t i = 0; i < p.spans.size(); ++i) e.add(p.spans.start[i], p.spans.end(i));
  for (std::size_t i = 0; i < p.work.size(); ++i) e.add(p.work.start[i], p.work.end(i));
  return e;
}

std::array<std::int64_t, kSpanKinds> span_counts(const model::Profile& p) {
  std::array<std::int64_t, kSpanKinds> counts{};
  for (const model::SpanKind kind : p.spans.kind) ++counts[static_cast<std::size_t>(kind)];
  return counts;
}

std::int64_t count_of(std::size_t n) { return static_cast<std::int64_t>(n); }

// At most this many streams, threads and ranges without -v: a page, not a dump.
constexpr std::size_t kShortList = 6;

std::string listed(const std::vector<std::string>& items, const Style& style) {
  const std::size_t shown = style.verbosity > 0 ? items.size() : std::min(items.size(), kShortList);
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) out += (i == 0 ? "" : "; ") + items[i];
  if (shown < items.size()) out += fmt::format("; {} more (-v)", items.size() - shown);
  return out;
}

std::string stream_words(const model::Profile& p, const std::vector<StreamContent>& streams,
                         const Style& style) {
  std::vector<std::string> items;
  for (const StreamContent& s : streams) {
    const std::string device =
        p.devices.size() > 1 && s.device.valid() && s.device.row < p.devices.size()
            ? fmt::format("device {} ", p.devices[s.device.row].index)
            : "";
    items.push_back(fmt::format("{}{}: {} works in {}", device, s.stream, human_count(s.works),
                                human_time(s.sum)));
  }
  return listed(items, style);
}

std::string thread_list(const model::Profile& p, const std::vector<ThreadContent>& threads,
                        const Style& style) {
  std::vector<std::string> items;
  for (const ThreadContent& t : threads) {
    items.push_back(fmt::format("{}: {} spans, launched {}", thread_words(p, t.track),
                                human_count(t.spans), human_count(t.launched)));
  }
  return listed(items, style);
}

std::string range_words(const model::Profile& p, const std::vector<RangeContent>& ranges,
                        const Style& style) {
  std::vector<std::string> items;
  for (const RangeContent& r : ranges) {
    const std::string name = style.verbosity > 0
                                 ? std::string(p.text(r.name))
                                 : fit(printable(p.text(r.name)), 40, style.ellipsis());
    items.push_back(fmt::format("{}: {} in {}", name, human_count(r.count), human_time(r.sum)));
  }
  return listed(items, style);
}

std::string recorded_words(const model::Provenance& from) {
  std::string out;
  const auto add = [&](bool has, const char* word) {
    if (has) out += (out.empty() ? "" : ", ") + std::string(word);
  };
  add(from.device_activity_recorded, "device activity");
  add(from.host_ops_recorded, "operators");
  add(from.shapes_recorded, "shapes");
  add(from.stacks_recorded, "stacks");
  add(from.memory_recorded, "memory");
  return out.empty() ? "nothing that is analysed" : out;
}

Json contents_json(const model::Profile& p, const Contents& contents) {
  Json streams = Json::array();
  for (const StreamContent& s : contents.streams) {
    const bool known = s.device.valid() && s.device.row < p.devices.size();
    streams.push_back({{"device", known ? Json(p.devices[s.device.row].index) : Json(nullptr)},
                       {"stream", s.stream},
                       {"work_count", s.works},
                       {"work_sum_ns", s.sum.value}});
  }
  Json threads = Json::array();
  for (const ThreadContent& t : contents.threads) {
    const model::Track& track = p.tracks[t.track.row];
    const bool known = track.thread.valid() && track.thread.row < p.threads.size();
    const bool owned = track.process.valid() && track.process.row < p.processes.size();
    threads.push_back({{"pid", owned ? Json(p.processes[track.process.row].pid) : Json(nullptr)},
                       {"tid", known ? Json(p.threads[track.thread.row].tid) : Json(nullptr)},
                       {"name", known ? std::string(p.text(p.threads[track.thread.row].name))
                                      : std::string(p.text(track.name))},
                       {"span_count", t.spans},
                       {"launched_work_count", t.launched}});
  }
  Json ranges = Json::array();
  for (const RangeContent& r : contents.ranges) {
    ranges.push_back(
        {{"name", std::string(p.text(r.name))}, {"count", r.count}, {"sum_ns", r.sum.value}});
  }
  return {{"streams", std::move(streams)},
          {"threads", std::move(threads)},
          {"ranges", std::move(ranges)}};
}

}  // namespace

std::string info_text(const model::Profile& p, const analysis::Metrics& m, const Style& style) {
  Page page(style);
  const auto row = [&](const char* label, const std::string& text) {
    if (!text.empty()) page.paragraph(pad_right(label, kLabel), text);
  };
  const model::Provenance& from = p.provenance;
  row("File", from.input);
  row("Format",
      from.importer + (from.tool.empty() ? "" : ", " + from.tool + " " + from.tool_version));
  if (p.rank.rank >= 0)
    row("Rank", fmt::format("{} of {} {}", p.rank.rank, p.rank.world_size, p.rank.backend));
  for (const analysis::DeviceMetrics& d : m.devices) {
    row("Device", fmt::format("{}: {} kernels in {}, busy {} of {}", device_words(p, d.device),
                              human_count(d.kernel_count), human_time(d.kernel_sum),
                              human_time(d.busy), human_time(d.span)));
  }
  if (m.devices.empty()) row("Device", "no device work");
  for (const model::DeviceId idle : devices_without_work(p))
    row("", device_words(p, idle) + ": no work");
  for (const analysis::CopyGroup& g : m.total.copies) {
    if (g.count == 0) continue;
    row("Copies", fmt::format("{} {}: {} in {}{}", direction_word(g.direction),
                              memory_word(g.memory), human_count(g.count), human_time(g.sum),
                              g.sized > 0 ? ", " + human_bytes(g.bytes) : ""));
  }
  if (m.total.memset_count > 0) row("Memsets", human_count(m.total.memset_count));
  const Extent extent = extent_of(p);
  if (extent.any) row("Time", human_time(Nanos(saturating_add(extent.last, -extent.first))));
  const auto counts = span_counts(p);
  std::string host;
  for (std::size_t k = 0; k < kSpanKinds; ++k) {
    if (counts[k] == 0) continue;
    host += fmt::format("{}{} {}", host.empty() ? "" : ", ", human_count(counts[k]),
                        span_word(static_cast<model::SpanKind>(k)));
  }
  row("Host", host.empty() ? "no host activity" : host);
  const Contents contents = contents_of(p);
  row("Streams", stream_words(p, contents.streams, style));
  row("Threads", thread_list(p, contents.threads, style));
  row("Ranges", range_words(p, contents.ranges, style));
  row("Rows",
      fmt::format("{} spans, {} device works, {} memory events, {} counters, {} strings",
                  human_count(count_of(p.spans.size())), human_count(count_of(p.work.size())),
                  human_count(count_of(p.memory_events.size())),
                  human_count(count_of(p.counters.size())),
                  human_count(count_of(p.strings.size()))));
  if (p.measured.size() > 0) {
    row("Counters", fmt::format("{} measured kernel launches, {} values",
                                human_count(count_of(p.measured.size())),
                                human_count(count_of(p.metrics.size()))));
  }
  row("Recorded", recorded_words(from));
  bool first = true;
  for (const model::HygieneNote& note : p.hygiene.notes()) {
    row(first ? "Hygiene" : "",
        fmt::format("{} x {}: {}", human_count(note.count), note.code, note.hint));
    first = false;
  }
  if (style.verbosity > 0) {
    for (const auto& [key, value] : from.metadata)
      row("Metadata", key + " = " + fit(value, 200, style.ellipsis()));
  }
  return std::move(page).take();
}

Json info_json(const model::Profile& p, const analysis::Metrics& m) {
  const Extent extent = extent_of(p);
  Json out = Json::object();
  out["metrics"] = device_metrics_json(m.total);
  out["devices"] = devices_json(p, m);
  Json spans = Json::object();
  const auto counts = span_counts(p);
  for (std::size_t k = 0; k < kSpanKinds; ++k) {
    spans[std::string(span_word(static_cast<model::SpanKind>(k)))] = counts[k];
  }
  out["span_count"] = p.spans.size();
  out["spans_by_kind"] = std::move(spans);
  out["memory_event_count"] = p.memory_events.size();
  out["counter_count"] = p.counters.size();
  out["first_ns"] = extent.any ? Json(extent.first) : Json(nullptr);
  out["last_ns"] = extent.any ? Json(extent.last) : Json(nullptr);
  out["epoch_ns"] = p.provenance.epoch_ns;
  const model::Provenance& from = p.provenance;
  out["recorded"] = {{"device_activity", from.device_activity_recorded},
                     {"operators", from.host_ops_recorded},
                     {"shapes", from.shapes_recorded},
                     {"stacks", from.stacks_recorded},
                     {"memory", from.memory_recorded}};
  out["metadata"] = Json::object();
  for (const auto& [key, value] : from.metadata) out["metadata"][key] = value;
  out["hygiene"] = hygiene_json(p.hygiene);
  out.update(contents_json(p, contents_of(p)));
  return out;
}

Table info_table(const model::Profile& p, const analysis::Metrics& m) {
  Table t;
  t.id = "info";
  t.columns = {{"input", "input", Unit::kText},
               {"device", "device", Unit::kCount},
               {"name", "name", Unit::kText},
               {"kernel_count", "kernels", Unit::kCount},
               {"kernel_sum_ns", "kernel time", Unit::kNanos},
               {"device_work_count", "work", Unit::kCount},
               {"device_busy_ns", "busy", Unit::kNanos},
               {"device_span_ns", "span", Unit::kNanos}};
  for (const analysis::DeviceMetrics& d : m.devices) {
    t.rows.push_back({p.provenance.input, p.devices[d.device.row].index,
                      std::string(p.text(p.devices[d.device.row].name)), d.kernel_count,
                      d.kernel_sum.value, d.work_count, d.busy.value, d.span.value});
  }
  return t;
}

}  // namespace rooflab::report
