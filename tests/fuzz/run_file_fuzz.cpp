// SPDX-License-Identifier: Apache-2.0
// Any bytes as a run file, once as they are and once with their checksums made right: an Error, or
// a profile that keeps the model's rules and comes back from its own run file. Needs no seeds: what
// is no run file becomes a random valid one, and mutations are sealed again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "model/run_file.h"
#include "model/validate.h"
#include "support/forge_run_file.h"
#include "support/random_profile.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

constexpr rooflab::model::ReadLimits kLimits{std::uint64_t{64} << 20U};

void demand(bool condition) {
  if (!condition) std::abort();
}

void try_to_read(std::string_view bytes) {
  const auto profile = rooflab::model::decode_run(bytes, "fuzz", kLimits);
  if (!profile) return;
  demand(rooflab::model::validate(*profile).has_value());
  const auto again = rooflab::model::encode_run(*profile);
  demand(again.has_value());
  demand(rooflab::model::decode_run(*again, "fuzz").has_value());
}

std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

// A run file of a few rows is 5 to 20 KB, above libFuzzer's default length.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static char max_len[] = "-max_len=65536";
  static std::vector<char*> arguments(*argv, *argv + *argc);
  arguments.insert(arguments.begin() + 1, max_len);
  *argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  *argv = arguments.data();
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  std::string next;
  if (!rooflab::model::run::decode_footer(as_text(data, size))) {
    const auto fresh =
        rooflab::model::encode_run(rooflab::testing::random_profile(seed, seed % 30));
    demand(fresh.has_value());
    next = *fresh;
  } else {
    size = LLVMFuzzerMutate(data, size, max_size);
    next = rooflab::testing::sealed(as_text(data, size));
  }
  if (next.size() > max_size) return size;
  std::memcpy(data, next.data(), next.size());
  return next.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = as_text(data, size);
  try_to_read(bytes);
  // The custom mutator seals; what came from elsewhere (a crash file cut by hand) is sealed here.
  if (!rooflab::model::run::decode_footer(bytes)) try_to_read(rooflab::testing::sealed(bytes));
  return 0;
}
