// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>

#include "model/run_file.h"

namespace rooflab::cli {
namespace {

constexpr std::array<std::string_view, 5> kEndings{".json", ".pt.trace", ".gz", ".zst", ".rlab"};

bool stat_of(const std::string& path, struct stat& info) {
  return path == "-" ? ::fstat(STDIN_FILENO, &info) == 0 : ::stat(path.c_str(), &info) == 0;
}

bool is_run_file(const std::string& path) {
  std::array<char, model::kRunFileMagic.size()> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  return file.gcount() == static_cast<std::streamsize>(head.size()) &&
         std::string_view(head.data(), head.size()) == model::kRunFileMagic;
}

}  // namespace

std::string run_stem(const std::string& input) {
  if (input == "-") return "stdin";
  std::string name = std::filesystem::path(input).filename().string();
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view ending : kEndings) {
      // A name that is nothing but an ending stays.
      if (name.size() <= ending.size() || !std::string_view(name).ends_with(ending)) continue;
      name.resize(name.size() - ending.size());
      cut = true;
    }
  }
  return name;
}

Result<std::vector<std::string>> run_files(const std::vector<std::string>& inputs,
                                           const std::string& output) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(output, ignored)) {
    if (inputs.size() == 1) return std::vector<std::string>{output};
    return fail(ErrorCode::kUsage,
                std::to_string(inputs.size()) + " inputs need a folder to be written to",
                "-o " + output, "mkdir it first");
  }
  std::vector<std::string> outputs;
  std::map<std::string, std::string> taken;
  for (const std::string& input : inputs) {
    std::string file = (std::filesystem::path(output) / (run_stem(input) + ".rlab")).string();
    const auto [other, fresh] = taken.emplace(file, input);
    if (!fresh) {
      return fail(ErrorCode::kUsage, other->second + " and " + input + " would both become " + file,
                  "-o " + output, "nothing was written; import them one by one with -o FILE");
    }
    outputs.push_back(std::move(file));
  }
  return outputs;
}

Result<void> check_output(const std::string& output, const std::vector<std::string>& inputs,
                          Replace replace) {
  struct stat existing = {};
  if (::stat(output.c_str(), &existing) != 0) return {};
  for (const std::string& input : inputs) {
    struct stat info = {};
    if (!stat_of(input, info)) continue;
    if (info.st_dev == existing.st_dev && info.st_ino == existing.st_ino) {
      return fail(ErrorCode::kUsage, "the output is the input " + input, "-o " + output,
                  "nothing was written; name another file");
    }
  }
  if (!S_ISREG(existing.st_mode) || replace.everything) return {};
  if (replace.run_files && is_run_file(output)) return {};
  return fail(ErrorCode::kUsage,
              replace.run_files ? "the output exists and is no run file" : "the output exists",
              "-o " + output, "nothing was written; --force replaces it");
}

}  // namespace rooflab::cli
