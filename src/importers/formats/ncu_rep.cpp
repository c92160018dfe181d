// SPDX-License-Identifier: Apache-2.0
// Nsight Compute's report (.ncu-rep) without the vendor's software: "NVR\0", the size of a header
// and the header, then blocks of {size, header, payload}; a payload is entries of {size, message},
// first the kernels' code, which is passed over, then the results. The parts are in importers/ncu/.
//
// Tested with version 7 of the format (tool 2022.3 and 2025.3); another version is tried and said.
// Refuses a file without a launch. Sizes are checked against what is there: a message above 256 MiB
// ends the reading, and a cut file keeps the launches before the cut.
#include <algorithm>
#include <optional>

#include "importers/importer.h"
#include "importers/ncu/launches.h"
#include "importers/ncu/report_messages.h"

namespace rooflab::importers {
namespace {

constexpr std::string_view kMagic{"NVR\0", 4};
constexpr std::uint64_t kKnownVersion = 7;
constexpr std::uint32_t kLargestMessage = std::uint32_t{256} << 20U;
// Metrics of a report name strings: a hostile one must not fill the memory with them.
constexpr std::size_t kMostStrings = 1'000'000;

class Bytes {
 public:
  explicit Bytes(ByteSource& source) : source_(source) {}

  // False: the file ends before. A source's error ends it too and is kept.
  bool take(std::size_t count, std::string& out) {
    out.clear();
    constexpr std::size_t kStep = std::size_t{1} << 20U;  // a claimed size alone reserves nothing
    while (out.size() < count) {
      const std::size_t before = out.size();
      const std::size_t step = std::min(kStep, count - before);
      out.resize(before + step);
      auto got = source_.read({out.data() + before, step});
      if (!got) error_ = std::move(got.error());
      out.resize(before + (got ? *got : 0));
      if (out.size() == before) return false;
    }
    return true;
  }
  bool take_size(std::uint32_t& size) {
    if (!take(sizeof size, four_)) return false;
    size = 0;
    for (std::size_t i = sizeof size; i-- > 0;)
      size = (size << 8U) | static_cast<unsigned char>(four_[i]);
    return true;
  }
  [[nodiscard]] bool at_end_cleanly() const { return four_.empty(); }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  ByteSource& source_;
  std::string four_;
  std::optional<Error> error_;
};

class Report {
 public:
  explicit Report(ByteSource& source) : bytes_(source) {}

  // False where the file does not start as a report.
  bool header() {
    std::string text;
    std::uint32_t size = 0;
    if (!bytes_.take(kMagic.size(), text) || text != kMagic) return false;
    if (!bytes_.take_size(size) || size > kLargestMessage || !bytes_.take(size, text)) return false;
    std::uint64_t version = 0;
    if (!ncu::read_version(text, version)) return false;
    counts_.other_version = version == kKnownVersion ? 0 : 1;
    return true;
  }

  void blocks() {
    while (block()) {
    }
    counts_.unknown_metrics =
        static_cast<std::int64_t>(std::count(unknown_.begin(), unknown_.end(), true));
  }

  [[nodiscard]] const ncu::Launches& launches() const { return launches_; }
  [[nodiscard]] const ncu::Counts& counts() const { return counts_; }
  [[nodiscard]] const std::optional<Error>& error() const { return bytes_.error(); }

 private:
  bool stop(std::int64_t& count) {
    count += 1;
    return false;
  }

  bool block() {
    std::uint32_t size = 0;
    if (!bytes_.take_size(size)) {
      if (!bytes_.at_end_cleanly()) counts_.truncated += 1;
      return false;
    }
    std::string text;
    if (size > kLargestMessage) return stop(counts_.damaged);
    if (!bytes_.take(size, text)) return stop(counts_.truncated);
    ncu::BlockHeader header;
    if (!ncu::read_block_header(text, header, strings_)) return stop(counts_.damaged);
    if (strings_.size() > kMostStrings) return stop(counts_.damaged);
    return payload(header);
  }

  bool payload(const ncu::BlockHeader& header) {
    std::uint64_t left = header.payload_bytes;
    std::string text;
    for (std::uint64_t entry = 0; left > 0; ++entry) {
      std::uint32_t size = 0;
      if (left < sizeof size) return stop(counts_.damaged);
      if (!bytes_.take_size(size)) return stop(counts_.truncated);
      left -= sizeof size;
      if (size > left || size > kLargestMessage) return stop(counts_.damaged);
      if (!bytes_.take(size, text)) return stop(counts_.truncated);
      left -= size;
      if (entry >= header.sources && entry - header.sources < header.results) result(text);
    }
    return true;
  }

  void result(const std::string& message) {
    ncu::ReportResult result;
    if (!ncu::read_result(message, result) || result.name.empty()) {
      counts_.damaged += 1;
      return;
    }
    ncu::Launch launch;
    launch.name = ncu::without_casts(result.name);
    launch.process = result.process;
    launch.grid = result.grid;
    launch.block = result.block;
    const bool sized = result.grid[0] > 0 && result.block[0] > 0;
    counts_.bad_sizes += sized ? 0 : 1;
    launch.device = device_of(result);
    const std::uint32_t id = launches_.add(std::move(launch));
    for (const ncu::ReportMetric& metric : result.metrics) value(id, metric);
  }

  std::string_view name_of(const ncu::ReportMetric& metric) const {
    return metric.name < strings_.size() ? std::string_view(strings_[metric.name])
                                         : std::string_view();
  }

  std::int64_t device_of(const ncu::ReportResult& result) const {
    for (const ncu::ReportMetric& metric : result.metrics) {
      const bool index = metric.is_number && metric.number >= 0 && metric.number < 4096;
      if (index && name_of(metric) == "launch__device_id")
        return static_cast<std::int64_t>(metric.number);
    }
    return 0;
  }

  void value(std::uint32_t launch, const ncu::ReportMetric& metric) {
    const std::string_view name = name_of(metric);
    ncu::DeviceFacts& device = launches_.device(launches_.at(launch).device);
    if (name == "device__attribute_display_name") device.name = metric.text;
    const bool small = metric.is_number && metric.number >= 0 && metric.number < 1e6;
    const auto number = small ? static_cast<std::int32_t>(metric.number) : -1;
    if (name == "device__attribute_compute_capability_major") device.compute_major = number;
    if (name == "device__attribute_compute_capability_minor") device.compute_minor = number;
    if (name == "device__attribute_multiprocessor_count") device.multiprocessors = number;
    const auto canonical = hw::canonical_metric(name);
    if (!canonical) {
      unknown_.resize(std::max(unknown_.size(), strings_.size()));
      if (metric.name < unknown_.size()) unknown_[metric.name] = true;
    } else if (!metric.is_number || metric.number != metric.number) {
      counts_.without_value += 1;
    } else {
      launches_.set(launch, *canonical, metric.number);
    }
  }

  Bytes bytes_;
  std::vector<std::string> strings_;
  std::vector<bool> unknown_;  // by string
  ncu::Launches launches_;
  ncu::Counts counts_;
};

int sniff(const Probe& probe) { return probe.head.starts_with(kMagic) ? 100 : 0; }

Result<model::Profile> read(ByteSource& source, const std::string& path,
                            const ImportOptions& /*options*/) {
  Report report(source);
  if (!report.header()) {
    return fail(ErrorCode::kUnreadable, "the report's header cannot be read", path,
                "the file is damaged or cut: copy it again, or export it with: ncu --import FILE "
                "--csv --page raw");
  }
  report.blocks();
  if (report.error()) return tl::unexpected<Error>(*report.error());
  if (report.launches().size() == 0) {
    return fail(ErrorCode::kUnreadable, "the report holds no kernel launch", path,
                "if it should, it is damaged or cut: copy it again, or export it with: ncu "
                "--import FILE --csv --page raw");
  }
  model::Builder builder(path);
  report.launches().build(builder);
  ncu::report(report.counts(), path, builder.hygiene());
  builder.profile().provenance.importer = "ncu_rep";
  builder.profile().provenance.tool = "Nsight Compute";
  return std::move(builder).build();
}

}  // namespace

Importer importer_ncu_rep() {
  return {"ncu_rep", "Nsight Compute report (.ncu-rep)", &sniff, &read};
}

}  // namespace rooflab::importers
