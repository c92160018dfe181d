// SPDX-License-Identifier: Apache-2.0
#include "importers/kineto/event_parser.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "importers/kineto/number.h"

namespace rooflab::importers::kineto {
namespace {

template <std::size_t N>
bool is(const char* key, const char (&text)[N]) {
  return std::memcmp(key, text, N - 1) == 0;
}

Field event_field(const char* k, std::size_t size) {
  switch (size) {
    case 2:
      if (is(k, "ph")) return Field::kPhase;
      if (is(k, "ts")) return Field::kTime;
      if (is(k, "id")) return Field::kId;
      break;
    case 3:
      if (is(k, "pid")) return Field::kPid;
      if (is(k, "tid")) return Field::kTid;
      if (is(k, "dur")) return Field::kDuration;
      if (is(k, "cat")) return Field::kCategory;
      break;
    case 4:
      if (is(k, "name")) return Field::kName;
      if (is(k, "args")) return Field::kArgs;
      break;
    default:
      break;
  }
  return Field::kUnknown;
}

// By length first: two or three comparisons of constant size a key.
Field args_field(const char* k, std::size_t size) {
  switch (size) {
    case 4:
      if (is(k, "grid")) return Field::kGrid;
      if (is(k, "kind")) return Field::kKind;
      if (is(k, "Addr")) return Field::kAddress;
      if (is(k, "name")) return Field::kMetaName;
      break;
    case 5:
      if (is(k, "block")) return Field::kBlock;
      if (is(k, "bytes")) return Field::kBytes;
      if (is(k, "Bytes")) return Field::kMemoryBytes;
      if (is(k, "dtype")) return Field::kDtype;
      break;
    case 6:
      if (is(k, "device")) return Field::kDevice;
      if (is(k, "stream")) return Field::kStream;
      if (is(k, "labels")) return Field::kMetaLabels;
      break;
    case 8:
      if (is(k, "grid dim")) return Field::kGrid;  // ROCm before 5.7, on the call
      break;
    case 9:
      if (is(k, "block dim")) return Field::kBlock;
      if (is(k, "Device Id")) return Field::kDeviceId;
      break;
    case 10:
      if (is(k, "Input Dims") || is(k, "Input dims")) return Field::kDims;
      if (is(k, "Input type")) return Field::kTypes;
      if (is(k, "Call stack")) return Field::kCallStack;
      if (is(k, "Group size")) return Field::kGroupSize;
      break;
    case 11:
      if (is(k, "External id") || is(k, "external id")) return Field::kExternalId;
      if (is(k, "correlation")) return Field::kCorrelation;
      if (is(k, "Device Type")) return Field::kDeviceType;
      if (is(k, "shared size")) return Field::kShared;
      break;
    case 13:
      if (is(k, "shared memory")) return Field::kShared;
      if (is(k, "Input Strides")) return Field::kStrides;
      if (is(k, "graph node id")) return Field::kGraphNode;
      if (is(k, "In msg nelems")) return Field::kInElements;
      break;
    case 14:
      if (is(k, "Out msg nelems")) return Field::kOutElements;
      if (is(k, "Total Reserved")) return Field::kTotalReserved;
      break;
    case 15:
      if (is(k, "Concrete Inputs")) return Field::kConcrete;
      if (is(k, "Collective name")) return Field::kCollective;
      if (is(k, "Total Allocated")) return Field::kTotalAllocated;
      break;
    case 18:
      if (is(k, "Process Group Name")) return Field::kGroupName;
      break;
    case 19:
      if (is(k, "Process Group Ranks")) return Field::kGroupRanks;
      break;
    case 20:
      if (is(k, "registers per thread")) return Field::kRegisters;
      break;
    case 25:
      if (is(k, "est. achieved occupancy %")) return Field::kOccupancy;
      break;
    default:
      break;
  }
  return Field::kUnknown;
}

void mark(Event& e, Field f) {
  const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(f);
  if ((e.seen & bit) != 0 && e.duplicates < 255) ++e.duplicates;
  e.seen |= bit;
}

Text piece(const char* begin, const char* end, std::uint8_t flags) {
  Text text;
  text.data = begin;
  text.size = static_cast<std::uint32_t>(
      std::min<std::ptrdiff_t>(end - begin, std::numeric_limits<std::uint32_t>::max()));
  text.flags = flags;
  return text;
}

// A string as a piece of the input; any other value is stepped over and leaves `ok` false.
const char* read_text(const char* p, Text& out, bool& ok) {
  ok = *p == '"';
  if (!ok) return skip_value(p);
  std::uint8_t flags = 0;
  const char* const close = scan_string(p + 1, flags);
  if (close == nullptr) return nullptr;
  out = piece(p + 1, close, flags);
  return close + 1;
}

// Any value as written; null counts as absent.
const char* read_raw(const char* p, Text& out, bool& ok) {
  const char* const end = skip_value(p);
  if (end == nullptr) return nullptr;
  ok = *p != 'n';
  out = piece(p, end, 0);
  out.raw_json = true;
  return end;
}

bool ends_number(char c) {
  return is_space(c) || c == ',' || c == '}' || c == ']' || c == '"' || c == '\0';
}

// A number, or text that is one ("1623142623460111.5"); `was_text` says which.
const char* read_decimal(const char* p, int scale, Event& e, std::int64_t& out, bool& ok,
                         bool& was_text) {
  was_text = *p == '"';
  const char* q = was_text ? skip_space(p + 1) : p;
  ok = *q == '-' || is_digit(*q);
  if (!ok) return skip_value(p);
  const Decimal number = parse_decimal(q, scale);
  if (number.end == nullptr || !ends_number(*number.end)) {
    ok = false;
    return was_text ? skip_value(p) : nullptr;
  }
  if (number.out_of_range) e.number_limited = true;
  out = number.value;
  if (!was_text) return number.end;
  q = skip_space(number.end);
  if (*q == '"') return q + 1;
  ok = false;
  return skip_value(p);
}

const char* read_integer(const char* p, Event& e, std::int64_t& out, Field f) {
  bool ok = false;
  bool was_text = false;
  p = read_decimal(p, 0, e, out, ok, was_text);
  if (ok) mark(e, f);
  return p;
}

// Addresses use all 64 bits; a bad one is absent.
const char* read_address(const char* p, Event& e) {
  if (!is_digit(*p)) return skip_value(p);
  std::uint64_t value = 0;
  for (; is_digit(*p); ++p) value = value * 10 + static_cast<std::uint64_t>(*p - '0');
  if (!ends_number(*p)) return nullptr;
  e.address = value;
  mark(e, Field::kAddress);
  return p;
}

// Percentages are whole numbers in every version seen; fractions are kept to 1e-3.
const char* read_occupancy(const char* p, Event& e) {
  std::int64_t thousandths = 0;
  bool ok = false;
  bool was_text = false;
  p = read_decimal(p, 3, e, thousandths, ok, was_text);
  if (!ok) return p;
  e.occupancy = static_cast<float>(static_cast<double>(thousandths) / 1000.0);
  mark(e, Field::kOccupancy);
  return p;
}

const char* read_triple(const char* p, Event& e, std::array<std::int32_t, 3>& out, Field f) {
  if (*p != '[') return skip_value(p);
  const char* q = skip_space(p + 1);
  for (std::size_t i = 0; i < 3; ++i) {
    if (!is_digit(*q)) return skip_value(p);
    const Decimal number = parse_decimal(q, 0);
    if (number.end == nullptr) return nullptr;
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    if (number.value > kMax) e.number_limited = true;
    out[i] = static_cast<std::int32_t>(std::min(number.value, kMax));
    q = skip_space(number.end);
    if (*q != (i < 2 ? ',' : ']')) return skip_value(p);
    q = skip_space(q + 1);
  }
  mark(e, f);
  return q;
}

// Process and thread ids come as numbers and as text; "stream 7" and "25738" mean the number.
const char* read_identity(const char* p, Event& e, Identity& out, Field f) {
  out = Identity();
  if (*p != '"') {
    std::int64_t value = 0;
    bool ok = false;
    bool was_text = false;
    p = read_decimal(p, 0, e, value, ok, was_text);
    if (ok) {
      out.number = value;
      out.numeric = true;
      mark(e, f);
    }
    return p;
  }
  bool ok = false;
  p = read_text(p, out.text, ok);
  if (p == nullptr) return nullptr;
  std::string_view text = out.text.view();
  constexpr std::string_view kStream = "stream ";
  if (text.substr(0, kStream.size()) == kStream) text.remove_prefix(kStream.size());
  out.numeric = parse_integer_text(text, out.number);
  mark(e, f);
  return p;
}

// Flow ids are numbers or text; text that is no number is hashed.
const char* read_flow_id(const char* p, Event& e) {
  bool ok = false;
  bool was_text = false;
  const char* const end = read_decimal(p, 0, e, e.id, ok, was_text);
  if (ok || *p != '"') {
    if (ok) mark(e, Field::kId);
    return end;
  }
  Text text;
  const char* const close = read_text(p, text, ok);
  if (close == nullptr) return nullptr;
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const char c : text.view()) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  e.id = static_cast<std::int64_t>(hash >> 2U);
  mark(e, Field::kId);
  return close;
}

const char* read_marked_text(const char* p, Event& e, Text& out, Field f) {
  bool ok = false;
  p = read_text(p, out, ok);
  if (ok) mark(e, f);
  return p;
}

const char* read_marked_raw(const char* p, Event& e, Text& out, Field f) {
  bool ok = false;
  p = read_raw(p, out, ok);
  if (ok) mark(e, f);
  return p;
}

// Text, or another value as written (group ranks come as "[0, 1]" and as [0, 1]).
const char* read_text_or_raw(const char* p, Event& e, Text& out, Field f) {
  return *p == '"' ? read_marked_text(p, e, out, f) : read_marked_raw(p, e, out, f);
}

const char* read_args_value(const char* p, Field f, Event& e) {
  switch (f) {
    case Field::kCorrelation:
      return read_integer(p, e, e.correlation, f);
    case Field::kExternalId:
      return read_integer(p, e, e.external_id, f);
    case Field::kDevice:
      return read_integer(p, e, e.device, f);
    case Field::kStream:
      return read_integer(p, e, e.stream, f);
    case Field::kGrid:
      return read_triple(p, e, e.grid, f);
    case Field::kBlock:
      return read_triple(p, e, e.block, f);
    case Field::kRegisters:
      return read_integer(p, e, e.registers, f);
    case Field::kShared:
      return read_integer(p, e, e.shared, f);
    case Field::kOccupancy:
      return read_occupancy(p, e);
    case Field::kBytes:
      return read_integer(p, e, e.bytes, f);
    case Field::kKind:
      return read_marked_text(p, e, e.kind, f);
    case Field::kGraphNode:
      return read_integer(p, e, e.graph_node, f);
    case Field::kDims:
      return read_marked_raw(p, e, e.dims, f);
    case Field::kTypes:
      return read_marked_raw(p, e, e.types, f);
    case Field::kStrides:
      return read_marked_raw(p, e, e.strides, f);
    case Field::kConcrete:
      return read_marked_raw(p, e, e.concrete, f);
    case Field::kCallStack:
      return read_marked_text(p, e, e.call_stack, f);
    case Field::kCollective:
      return read_marked_text(p, e, e.collective, f);
    case Field::kDtype:
      return read_marked_text(p, e, e.dtype, f);
    case Field::kGroupName:
      return read_text_or_raw(p, e, e.group_name, f);
    case Field::kGroupRanks:
      return read_text_or_raw(p, e, e.group_ranks, f);
    case Field::kGroupSize:
      return read_integer(p, e, e.group_size, f);
    case Field::kInElements:
      return read_integer(p, e, e.in_elements, f);
    case Field::kOutElements:
      return read_integer(p, e, e.out_elements, f);
    case Field::kAddress:
      return read_address(p, e);
    case Field::kMemoryBytes:
      return read_integer(p, e, e.memory_bytes, f);
    case Field::kTotalAllocated:
      return read_integer(p, e, e.total_allocated, f);
    case Field::kTotalReserved:
      return read_integer(p, e, e.total_reserved, f);
    case Field::kDeviceType:
      return read_integer(p, e, e.device_type, f);
    case Field::kDeviceId:
      return read_integer(p, e, e.device_id, f);
    case Field::kMetaName:
      return read_marked_text(p, e, e.meta_name, f);
    case Field::kMetaLabels:
      return read_marked_text(p, e, e.meta_labels, f);
    default:
      return skip_value(p);
  }
}

// The members of the object at `p`, each value read by `read(value, key, key_size)`. The byte after
// the object, or nullptr.
template <class Read>
const char* read_object(const char* p, Read read) {
  p = skip_space(p + 1);
  if (*p == '}') return p + 1;
  for (;;) {
    if (*p != '"') return nullptr;
    const char* const key = p + 1;
    std::uint8_t flags = 0;
    const char* const key_end = scan_string(key, flags);
    if (key_end == nullptr) return nullptr;
    p = skip_space(key_end + 1);
    if (*p != ':') return nullptr;
    p = read(skip_space(p + 1), key, static_cast<std::size_t>(key_end - key));
    if (p == nullptr) return nullptr;
    p = skip_space(p);
    if (*p == '}') return p + 1;
    if (*p != ',') return nullptr;
    p = skip_space(p + 1);
  }
}

const char* read_args(const char* p, Event& e) {
  if (*p != '{') return skip_value(p);
  const char* const end = read_object(p, [&](const char* value, const char* key, std::size_t size) {
    return read_args_value(value, args_field(key, size), e);
  });
  if (end == nullptr) return nullptr;
  e.args = piece(p, end, 0);
  mark(e, Field::kArgs);
  return end;
}

const char* read_time(const char* p, Event& e, std::int64_t& out, Field f) {
  bool ok = false;
  bool was_text = false;
  const bool limited_before = std::exchange(e.number_limited, false);
  p = read_decimal(p, 3, e, out, ok, was_text);  // microseconds -> nanoseconds
  if (std::exchange(e.number_limited, limited_before)) e.time_limited = true;
  if (!ok) return p;
  mark(e, f);
  if (was_text) e.time_is_text = true;
  return p;
}

const char* read_phase(const char* p, Event& e) {
  Text text;
  bool ok = false;
  p = read_text(p, text, ok);
  if (!ok || text.size != 1) return p;
  e.phase = *text.data;
  mark(e, Field::kPhase);
  return p;
}

const char* read_event_value(const char* p, Field f, Event& e) {
  switch (f) {
    case Field::kPhase:
      return read_phase(p, e);
    case Field::kCategory:
      return read_marked_text(p, e, e.category, f);
    case Field::kName:
      return read_marked_text(p, e, e.name, f);
    case Field::kPid:
      return read_identity(p, e, e.pid, f);
    case Field::kTid:
      return read_identity(p, e, e.tid, f);
    case Field::kTime:
      return read_time(p, e, e.time_ns, f);
    case Field::kDuration:
      return read_time(p, e, e.duration_ns, f);
    case Field::kId:
      return read_flow_id(p, e);
    case Field::kArgs:
      return read_args(p, e);
    default:
      return skip_value(p);
  }
}

}  // namespace

const char* parse_event(const char* p, Event& event) {
  event.seen = 0;
  event.time_is_text = false;
  event.time_limited = event.number_limited = false;
  event.duplicates = 0;
  return read_object(p, [&](const char* value, const char* key, std::size_t size) {
    return read_event_value(value, event_field(key, size), event);
  });
}

bool is_event_key(std::string_view key) {
  if (key == "s" || key == "bp") return true;
  return event_field(key.data(), key.size()) != Field::kUnknown;
}

}  // namespace rooflab::importers::kineto
