// SPDX-License-Identifier: Apache-2.0
// Where import and export write, decided before anything is written: a result never replaces one of
// its inputs, two results never share a name, and a file that rooflab did not make is replaced only
// with --force.
//
//   run_files({"a/rank0.json.gz", "b/rank1.json.gz"}, "runs")
//     -> runs/rank0.rlab, runs/rank1.rlab
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace rooflab::cli {

// The file name without its folder and known endings: "x.rank0.pt.trace.json.gz" -> "x.rank0".
[[nodiscard]] std::string run_stem(const std::string& input);
// One run file for each input; `output` is a folder or, for one input, a file.
[[nodiscard]] Result<std::vector<std::string>> run_files(const std::vector<std::string>& inputs,
                                                         const std::string& output);

struct Replace {
  bool run_files = false;   // an existing run file may be replaced
  bool everything = false;  // --force: so may any other file, except an input
};
// Error: `output` is one of `inputs` (by device and inode), or exists and may not be replaced.
[[nodiscard]] Result<void> check_output(const std::string& output,
                                        const std::vector<std::string>& inputs, Replace replace);

}  // namespace rooflab::cli
