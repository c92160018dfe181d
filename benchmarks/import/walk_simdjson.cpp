// SPDX-License-Identifier: Apache-2.0
// The yardstick: one thread loads the whole file into a padded string and steps over every event,
// its fields and its arguments with simdjson on-demand, reading no value. 4 GB a document is
// simdjson's limit.
//
//   walk_simdjson FILE
#include <simdjson.h>

#include <cstdint>
#include <cstdio>

namespace {

namespace od = simdjson::ondemand;

struct Sums {
  std::uint64_t events = 0, fields = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const simdjson::padded_string text = simdjson::padded_string::load(argv[1]);
    od::parser parser;
    od::document document = parser.iterate(text);
    Sums sums;
    for (auto event : document["traceEvents"].get_array()) {
      ++sums.events;
      for (auto field : event.get_object()) {
        ++sums.fields;
        od::value value = field.value();
        if (value.type() != od::json_type::object) continue;
        for (auto argument : value.get_object()) {
          (void)argument;
          ++sums.fields;
        }
      }
    }
    std::printf("{\"events\":%llu,\"fields\":%llu}\n", static_cast<unsigned long long>(sums.events),
                static_cast<unsigned long long>(sums.fields));
  } catch (const simdjson::simdjson_error& e) {
    std::fprintf(stderr, "walk_simdjson: %s\n", e.what());
    return 3;
  }
  return 0;
}
