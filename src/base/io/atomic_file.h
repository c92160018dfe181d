// SPDX-License-Identifier: Apache-2.0
// A file that appears whole or not at all: bytes go to a temporary name beside it, commit() makes
// them durable and renames. Without commit() nothing is left behind. Refuses to replace anything
// but a regular file (renaming over /dev/stdout would remove the device).
//
//   RL_TRY(AtomicFile file, AtomicFile::create("run.rlab"));
//   RL_CHECK_OK(file.append(bytes));
//   return file.commit();
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace rooflab {

class AtomicFile {
 public:
  [[nodiscard]] static Result<AtomicFile> create(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  [[nodiscard]] Result<void> append(std::string_view bytes);
  [[nodiscard]] Result<void> commit();

 private:
  AtomicFile(int fd, std::string path, std::string temporary)
      : fd_(fd), path_(std::move(path)), temporary_(std::move(temporary)) {}

  int fd_ = -1;
  std::string path_, temporary_;  // temporary_ is empty once renamed
};

}  // namespace rooflab
