// SPDX-License-Identifier: Apache-2.0
// Importing in tests: from a file, or from text in memory.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/io/byte_source.h"
#include "importers/importer.h"

namespace rooflab::importers {
Importer importer_kineto();
}

namespace rooflab::testing {

// Fails the test and gives an empty profile if the file cannot be read.
inline model::Profile import_or_fail(const std::string& path, unsigned threads = 2) {
  importers::ImportOptions options;
  options.threads = threads;
  Result<model::Profile> profile = importers::import_file(path, options);
  if (!profile) {
    ADD_FAILURE() << path << ": " << profile.error().message;
    return {};
  }
  return std::move(*profile);
}

inline Result<model::Profile> import_text(std::string_view text, unsigned threads = 1) {
  const std::unique_ptr<ByteSource> source = memory_source(text);
  importers::ImportOptions options;
  options.threads = threads;
  return importers::importer_kineto().read(*source, "test", options);
}

// A file's text after decompression.
inline std::string text_of_file(const std::string& path) {
  auto source = open_source(path);
  if (!source) {
    ADD_FAILURE() << path << ": " << source.error().message;
    return {};
  }
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    text.resize(before + 65536);
    const auto got = (*source)->read({text.data() + before, 65536});
    text.resize(before + (got ? *got : 0));
    if (!got || *got == 0) return text;
  }
}

inline std::size_t count_work(const model::Profile& p, model::WorkKind kind) {
  return static_cast<std::size_t>(std::count(p.work.kind.begin(), p.work.kind.end(), kind));
}
inline std::size_t count_spans(const model::Profile& p, model::SpanKind kind) {
  return static_cast<std::size_t>(std::count(p.spans.kind.begin(), p.spans.kind.end(), kind));
}
inline std::int64_t sum_work(const model::Profile& p, model::WorkKind kind) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < p.work.size(); ++i) {
    if (p.work.kind[i] == kind) sum += p.work.duration[i];
  }
  return sum;
}

}  // namespace rooflab::testing
