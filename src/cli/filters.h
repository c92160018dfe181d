// SPDX-License-Identifier: Apache-2.0
// The options that choose a part of a profile, shared by why and top; turned into an
// analysis::Selection.
//
//   --steps 2-5   --window 10ms:1.5s   --skip-first 1   --device 0   --stream 7   --rank 3   --name
//   'gemm|conv'
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/selection.h"
#include "base/result.h"
#include "cli/config.h"

namespace CLI {
class App;
}

namespace rooflab::cli {

struct Filters {
  std::string steps, window, name;
  std::optional<std::int64_t> device, stream, rank, skip_first;
};

struct Globals;
enum class NameFilter { kOffered, kRefused };  // why judges the whole window: it has no --name
void add_filters(CLI::App& app, Filters& filters, Globals& globals, NameFilter name);
// The flags given that choose a part of a file: {"--steps", "--stream"}; --rank chooses files.
[[nodiscard]] std::vector<std::string> filters_given(const Filters& filters);
[[nodiscard]] Result<analysis::Selection> selection_of(const Filters& filters,
                                                       const Config& config);
// "10ms", "1.5s", "250us", "1000ns", "0"; another bare number is refused, since nobody can know its
// unit.
[[nodiscard]] Result<Nanos> parse_time(const std::string& text);

}  // namespace rooflab::cli
