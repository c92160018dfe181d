// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/metadata.h"

#include <simdjson.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include "base/units.h"
#include "importers/kineto/categories.h"
#include "importers/kineto/number.h"
#include "importers/kineto/repair.h"
#include "importers/kineto/text.h"

namespace rooflab::importers::kineto {
namespace {

constexpr std::size_t kMaxMetadataText = 4096;
// Times at or after 2001 in nanoseconds are Unix times (older files write them so); below, they
// count from something else, such as the machine's start.
constexpr std::int64_t kUnixLowest = 1'000'000'000'000'000'000;

// A parsed member; damaged text is mended first.
class Member {
 public:
  explicit Member(const std::string& raw, Notes& notes) {
    if (parse(raw)) return;
    // A scalar or an array becomes the one member of an object, which the mender can read.
    const Repair repair = repair_object("{\"v\": " + raw + "}", true);
    if (repair.ok && parse(repair.json.substr(0, repair.json.find('\0')))) {
      simdjson::dom::element inner;
      if (element_["v"].get(inner) == simdjson::SUCCESS) {
        element_ = inner;
        notes.merge(repair.notes);
        return;
      }
    }
    ok_ = false;
    notes.add(Note::kRepairedHeader);
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] const simdjson::dom::element& element() const { return element_; }

 private:
  bool parse(const std::string& raw) {
    return parser_.parse(raw).get(element_) == simdjson::SUCCESS;
  }
  simdjson::dom::parser parser_;
  simdjson::dom::element element_;
  bool ok_ = true;
};

std::int64_t integer(const simdjson::dom::element& object, const char* key,
                     std::int64_t otherwise) {
  simdjson::dom::element value;
  if (object[key].get(value) != simdjson::SUCCESS) return otherwise;
  std::int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return number;
  double real = 0;
  if (value.get(real) == simdjson::SUCCESS && real > -9e18 && real < 9e18) {
    return static_cast<std::int64_t>(real);
  }
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS && parse_integer_text(text, number)) return number;
  return otherwise;
}

std::int32_t small(const simdjson::dom::element& object, const char* key) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(integer(object, key, -1), -1, kMax));
}

std::string_view string(const simdjson::dom::element& object, const char* key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

model::Device device_from(const simdjson::dom::element& d, StringTable& strings) {
  model::Device device;
  device.index = integer(d, "id", -1);
  const std::string_view name = string(d, "name");
  device.name = strings.intern(name);
  device.vendor = vendor_of_device_name(name);
  device.compute_major = small(d, "computeMajor");
  device.compute_minor = small(d, "computeMinor");
  device.multiprocessors = small(d, "numSms");
  device.warp_size = small(d, "warpSize");
  device.max_threads_per_multiprocessor = small(d, "maxThreadsPerMultiprocessor");
  device.memory_bytes = integer(d, "totalGlobalMem", -1);
  device.registers_per_multiprocessor = integer(d, "regsPerMultiprocessor", -1);
  device.shared_bytes_per_multiprocessor =
      integer(d, "sharedMemPerMultiprocessor", integer(d, "maxSharedMemoryPerMultiProcessor", -1));
  return device;
}

std::vector<model::Device> described_devices(const std::string& raw, StringTable& strings,
                                             Notes& notes) {
  std::vector<model::Device> described;
  const Member member(raw, notes);
  simdjson::dom::array array;
  if (!member.ok() || member.element().get(array) != simdjson::SUCCESS) return described;
  for (const simdjson::dom::element& d : array) {
    if (d.is_object()) described.push_back(device_from(d, strings));
  }
  return described;
}

bool all_alike(const std::vector<model::Device>& devices) {
  return std::all_of(devices.begin(), devices.end(), [&](const model::Device& d) {
    return d.name == devices[0].name && d.multiprocessors == devices[0].multiprocessors;
  });
}

// Work may name a device that is not described (ROCm numbers them differently): if all described
// ones are alike it can only be one of those.
void describe_devices(const std::vector<model::Device>& described, model::Vendor call_vendor,
                      model::Profile& p, Notes& notes) {
  for (model::Device& device : p.devices) {
    const model::Vendor from_category = device.vendor;
    const std::int64_t index = device.index;
    const auto it = std::find_if(described.begin(), described.end(),
                                 [&](const model::Device& d) { return d.index == index; });
    if (it != described.end()) {
      device = *it;
    } else if (!described.empty() && all_alike(described)) {
      device = described[0];
      device.index = index;
      notes.add(Note::kDeviceIndexMismatch);
    }
    if (from_category != model::Vendor::kUnknown) device.vendor = from_category;
    if (device.vendor == model::Vendor::kUnknown) device.vendor = call_vendor;
  }
}

void apply_rank(const std::string& raw, model::Profile& p, Notes& notes) {
  const Member member(raw, notes);
  if (!member.ok() || !member.element().is_object()) return;
  p.rank.rank = integer(member.element(), "rank", -1);
  p.rank.world_size = integer(member.element(), "world_size", -1);
  p.rank.backend = std::string(string(member.element(), "backend"));
}

// A member as text: strings without quotes and escapes, other values as written.
std::string plain(const std::string& raw, Notes& notes) {
  std::string out;
  if (raw.size() >= 2 && raw.front() == '"' && raw.back() == '"') {
    unescape(std::string_view(raw).substr(1, raw.size() - 2), out, notes);
  } else {
    append_valid_utf8(compact_json(raw), out, notes);
  }
  if (out.size() > kMaxMetadataText) out.resize(kMaxMetadataText);
  return out;
}

bool is_set(const model::Provenance& provenance, std::string_view key) {
  return std::any_of(provenance.metadata.begin(), provenance.metadata.end(),
                     [&](const auto& field) {
                       return field.first == key && field.second != "0" && field.second != "false";
                     });
}

void note_what_was_recorded(model::Profile& p) {
  model::Provenance& from = p.provenance;
  bool calls = false;
  bool python = false;
  for (const model::SpanKind kind : p.spans.kind) {
    from.host_ops_recorded = from.host_ops_recorded || kind == model::SpanKind::kOp;
    calls = calls || kind == model::SpanKind::kRuntimeCall || kind == model::SpanKind::kDriverCall;
    python = python || kind == model::SpanKind::kPython;
  }
  from.device_activity_recorded = calls || p.work.size() != 0;
  const auto any = [&](StringId model::OpArgs::*member) {
    return std::any_of(p.op_args.begin(), p.op_args.end(),
                       [&](const model::OpArgs& a) { return (a.*member).valid(); });
  };
  from.shapes_recorded = any(&model::OpArgs::dims);
  from.stacks_recorded = python || any(&model::OpArgs::call_stack);
  from.memory_recorded = p.memory_events.size() != 0 || is_set(from, "profile_memory");
}

}  // namespace

void apply_header(const HeaderFields& header, std::int64_t time_offset, model::Vendor call_vendor,
                  model::Profile& profile, Notes& notes) {
  std::vector<model::Device> described;
  std::int64_t base = 0;
  for (const auto& [key, raw] : header) {
    if (key == "deviceProperties") {
      described = described_devices(raw, profile.strings, notes);
    } else if (key == "distributedInfo") {
      apply_rank(raw, profile, notes);
    } else if (key == "baseTimeNanoseconds") {
      parse_integer_text(plain(raw, notes), base) || (base = 0);
    }
    profile.provenance.metadata.emplace_back(key, plain(raw, notes));
  }
  describe_devices(described, call_vendor, profile, notes);
  const std::int64_t zero = saturating_add(base, time_offset);
  profile.provenance.epoch_ns = base != 0 || zero >= kUnixLowest ? zero : 0;
  if (profile.provenance.epoch_ns == 0 && zero != 0) {
    profile.provenance.metadata.emplace_back("time_zero_ns", std::to_string(zero));
  }
  profile.provenance.tool = "PyTorch profiler (Kineto)";
  note_what_was_recorded(profile);
}

}  // namespace rooflab::importers::kineto
