// SPDX-License-Identifier: Apache-2.0
// Makes a trace of any size by repeating real ones: times move on, correlation, external, flow and
// event numbers stay unique, so that every join works as in a long recording.
//
//   trace_repeat EVENTS FILE... > big.json         trace_repeat --bytes 10000000000 FILE... |
//   rooflab info -
//
// Reads Kineto files with one event an object of "traceEvents" (plain or compressed). Metadata
// events, the recorder's window and the text around the events are written once.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/byte_source.h"

namespace {

enum class Number { kTime, kCorrelation, kExternalId, kFlowId, kEventIndex };

struct Slot {
  std::size_t at = 0;  // in the event's text, after the digits were cut out
  Number number = Number::kTime;
  std::int64_t value = 0;  // times in nanoseconds
};

struct EventText {
  std::string text;
  std::vector<Slot> slots;
};

struct Source {
  std::string before, after;  // the text around the events
  std::vector<EventText> repeated;
  std::vector<std::string> once;
  std::int64_t first_time = INT64_MAX, last_time = INT64_MIN;
  std::int64_t largest[5] = {};
};

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "trace_repeat: %s\n", why.c_str());
  std::exit(3);
}

std::string read_all(const std::string& path) {
  auto source = rooflab::open_source(path);
  if (!source) give_up(path + ": " + source.error().message);
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + (std::size_t{128} << 10U));
    const auto got = (*source)->read({text.data() + before, text.size() - before});
    if (!got) give_up(path + ": " + got.error().message);
    text.resize(before + *got);
    if (*got == 0) return text;
  }
}

// The end of the JSON object at `at`.
std::size_t object_end(std::string_view text, std::size_t at) {
  int depth = 0;
  bool in_string = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return at + 1;
    }
  }
  give_up("an event does not end");
}

// "123.456" microseconds -> nanoseconds; other numbers as they are.
std::int64_t parse(std::string_view digits, bool time) {
  std::int64_t value = 0;
  int decimals = -1;
  for (const char c : digits) {
    if (c == '.') {
      decimals = 0;
    } else if (decimals < 3) {
      value = value * 10 + (c - '0');
      if (decimals >= 0) ++decimals;
    }
  }
  for (int i = decimals < 0 ? 0 : decimals; time && i < 3; ++i) value *= 10;
  return value;
}

EventText cut_numbers(std::string_view event, Source& source) {
  struct Key {
    std::string_view text;
    Number number;
  };
  static constexpr Key kKeys[] = {{"\"ts\": ", Number::kTime},
                                  {"\"correlation\": ", Number::kCorrelation},
                                  {"\"External id\": ", Number::kExternalId},
                                  {"\"external id\": ", Number::kExternalId},
                                  {"\"id\": ", Number::kFlowId},
                                  {"\"Ev Idx\": ", Number::kEventIndex}};
  EventText out;
  for (std::size_t i = 0; i < event.size();) {
    const Key* found = nullptr;
    for (const Key& key : kKeys) {
      if (event[i] == '"' && event.substr(i, key.text.size()) == key.text) found = &key;
    }
    if (found == nullptr) {
      out.text.push_back(event[i++]);
      continue;
    }
    out.text.append(found->text);
    i += found->text.size();
    std::size_t end = i;
    while (end < event.size() && (event[end] == '.' || (event[end] >= '0' && event[end] <= '9')))
      ++end;
    const bool time = found->number == Number::kTime;
    const std::int64_t value = parse(event.substr(i, end - i), time);
    out.slots.push_back({out.text.size(), found->number, value});
    auto& largest = source.largest[static_cast<int>(found->number)];
    if (value > largest) largest = value;
    if (time && value < source.first_time) source.first_time = value;
    if (time && value > source.last_time) source.last_time = value;
    i = end;
  }
  return out;
}

Source load(const std::string& path) {
  const std::string text = read_all(path);
  const std::size_t key = text.find("\"traceEvents\"");
  if (key == std::string::npos) give_up(path + " has no traceEvents");
  const std::size_t open = text.find('[', key);
  Source source;
  source.before = text.substr(0, open + 1);
  std::size_t at = open + 1;
  for (;;) {
    at = text.find_first_of("{]", at);
    if (at == std::string::npos) give_up(path + " ends inside its events");
    if (text[at] == ']') break;
    const std::size_t end = object_end(text, at);
    const std::string_view event = std::string_view(text).substr(at, end - at);
    const bool once = event.find("\"ph\": \"M\"") != std::string_view::npos ||
                      event.find("\"s\": \"g\"") != std::string_view::npos ||
                      event.find("\"cat\": \"Trace\"") != std::string_view::npos;
    if (once) {
      source.once.emplace_back(event);
    } else {
      source.repeated.push_back(cut_numbers(event, source));
    }
    at = end;
  }
  source.after = text.substr(at);
  if (source.repeated.empty()) give_up(path + " has no events to repeat");
  return source;
}

void append_number(std::string& out, std::int64_t value, bool time) {
  char digits[32];
  const int size =
      time ? std::snprintf(digits, sizeof digits, "%lld.%03lld",
                           static_cast<long long>(value / 1000),
                           static_cast<long long>(value % 1000))
           : std::snprintf(digits, sizeof digits, "%lld", static_cast<long long>(value));
  out.append(digits, static_cast<std::size_t>(size));
}

void append_event(std::string& out, const EventText& event, const std::int64_t (&shift)[5]) {
  std::size_t done = 0;
  for (const Slot& slot : event.slots) {
    out.append(event.text, done, slot.at - done);
    done = slot.at;
    append_number(out, slot.value + shift[static_cast<int>(slot.number)],
                  slot.number == Number::kTime);
  }
  out.append(event.text, done);
}

void flush(std::string& out) {
  if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size()) std::exit(0);  // reader is gone
  out.clear();
}

}  // namespace

int main(int argc, char** argv) {
  const bool by_bytes = argc > 3 && std::strcmp(argv[1], "--bytes") == 0;
  if (argc < 3 || (argc < 4 && by_bytes)) give_up("usage: trace_repeat EVENTS|--bytes N FILE...");
  const long long limit = std::atoll(argv[by_bytes ? 2 : 1]);
  std::vector<Source> sources;
  for (int i = by_bytes ? 3 : 2; i < argc; ++i) sources.push_back(load(argv[i]));

  std::string out = sources[0].before;
  std::int64_t shift[5] = {};
  std::int64_t next_time = sources[0].first_time;
  long long events = 0;
  long long bytes = 0;
  for (std::size_t round = 0; (by_bytes ? bytes : events) < limit; ++round) {
    const Source& source = sources[round % sources.size()];
    shift[0] = next_time - source.first_time;
    for (const EventText& event : source.repeated) {
      if ((by_bytes ? bytes : events) >= limit) break;
      out += events == 0 ? "\n  " : ",\n  ";
      append_event(out, event, shift);
      ++events;
      if (out.size() < (std::size_t{256} << 10U)) continue;
      bytes += static_cast<long long>(out.size());
      flush(out);
    }
    next_time += source.last_time - source.first_time + 1000000;
    for (int i = 1; i < 5; ++i) shift[i] += source.largest[i] + 1;
  }
  for (const std::string& event : sources[0].once) out += ",\n  " + event;
  out += "\n  ";
  out += sources[0].after;
  flush(out);
  return 0;
}
