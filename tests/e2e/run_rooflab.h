// SPDX-License-Identifier: Apache-2.0
// Runs the built binary in a folder of its own, with a clean environment, and gives back exit
// status, stdout, stderr.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "support/cases.h"
#include "support/json_schema.h"

namespace rooflab::testing {

struct Outcome {
  int status = -1;
  std::string out, err;
};

// A temporary folder that goes with the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "rooflab-e2e-XXXXXX").string();
    path_ = mkdtemp(pattern.data()) == nullptr ? std::string() : pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(file(name), std::ios::binary) << text;
    return file(name);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream in(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// `arguments` as a shell line; `environment` as "NAME=value NAME=value".
inline Outcome rooflab(const std::string& arguments,
                       const std::string& environment = "LANG=C.UTF-8") {
  const Folder folder;
  const std::string command = "cd " + quoted(folder.path()) + " && env -i PATH=/usr/bin:/bin " +
                              environment + " " + quoted(ROOFLAB_BINARY) + " " + arguments +
                              " >out 2>err </dev/null";
  const int raw = std::system(command.c_str());
  Outcome run;
  run.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  run.out = folder.read("out");
  run.err = folder.read("err");
  return run;
}

inline SchemaJson parsed(const std::string& text) {
  return SchemaJson::parse(text, nullptr, /*allow_exceptions=*/false);
}

// The shipped schema `name`, e.g. "why".
inline SchemaJson schema(const std::string& name) {
  std::ifstream in(std::string(ROOFLAB_SOURCE_DIR) + "/data/schemas/" + name + ".json",
                   std::ios::binary);
  return parsed({std::istreambuf_iterator<char>(in), {}});
}

inline int widest_line(const std::string& text) {
  std::istringstream lines(text);
  int widest = 0;
  for (std::string line; std::getline(lines, line);) {
    int columns = 0;
    // One column a code point is enough here: no wide characters in the recordings.
    for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0;
    widest = std::max(widest, columns);
  }
  return widest;
}

inline std::string recording(const std::string& name) {
  return quoted(test_data("h200/" + name + ".json.gz"));
}

}  // namespace rooflab::testing
