// SPDX-License-Identifier: Apache-2.0
// How a format joins the registry: one file src/importers/formats/<id>.cpp with `Importer
// importer_<id>()`.
//
// An importer looks at content, never at a file's extension: `sniff` sees the first bytes after
// decompression. The importer with the highest confidence reads. `read` gets the decompressed
// stream; formats that need the file itself (SQLite) use `path` and refuse stdin with a hint.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/io/byte_source.h"
#include "base/result.h"
#include "model/profile.h"

namespace rooflab::importers {

struct Probe {
  std::string_view head;  // the first 64 KiB (or all) after decompression
  std::string_view path;  // as given; "-" is stdin. For messages, not for deciding
};

struct ImportOptions {
  unsigned threads = 0;  // 0 = as many as the machine has
  std::string nsys;      // the program that exports closed reports; empty = none here
};

struct Importer {
  const char* id;     // stable, equals the file name
  const char* title;  // "PyTorch profiler (Kineto) Chrome trace"
  // 0 = not this format, 100 = certain.
  int (*sniff)(const Probe&);
  Result<model::Profile> (*read)(ByteSource& source, const std::string& path, const ImportOptions&);
  // Formats that spread one recording over several files: what the files of one have in common and
  // others have not, such as their path up to where they differ; empty = this file is all of it.
  std::string (*recording)(const Probe&) = nullptr;
};

// What one answer is about: a file, or the files of one recording.
struct Input {
  std::string name;  // the path, or what the paths have in common ("out/908")
  std::vector<std::string> paths;
};

std::vector<Importer> all_importers();  // generated

// Opens `path` ("-" = stdin), finds the importer, reads. Errors say what was tried.
[[nodiscard]] Result<model::Profile> import_file(const std::string& path,
                                                 const ImportOptions& options = {});
// A directory's readable inputs in name order (not recursive), or {path} for a file. Error if it
// holds none.
[[nodiscard]] Result<std::vector<std::string>> expand_inputs(const std::string& path);
// The files that belong to one recording together, at the place of the first; others alone.
[[nodiscard]] std::vector<Input> group_inputs(const std::vector<std::string>& paths);

}  // namespace rooflab::importers
