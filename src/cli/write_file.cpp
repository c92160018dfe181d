// SPDX-License-Identifier: Apache-2.0
#include "cli/write_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace rooflab::cli {
namespace {

bool write_to(std::FILE* file, const Writer& writer) {
  const bool whole = writer([file](std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), file) == text.size();
  });
  return std::fflush(file) == 0 && whole;
}

tl::unexpected<Error> cannot_write(const std::string& path) {
  return fail(ErrorCode::kOutput, std::string("cannot write: ") + std::strerror(errno), path,
              "check the folder, its permissions and the free space");
}

}  // namespace

Result<void> write_file(const std::string& path, const Writer& writer) {
  const std::string temporary = path + ".part" + std::to_string(getpid());
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return cannot_write(path);
  const bool whole = write_to(file, writer);
  const int write_errno = errno;
  const bool closed = std::fclose(file) == 0;
  if (whole && closed && std::rename(temporary.c_str(), path.c_str()) == 0) return {};
  if (!whole) errno = write_errno;
  auto error = cannot_write(path);
  std::remove(temporary.c_str());
  return error;
}

Result<void> write_stdout(const Writer& writer) {
  if (write_to(stdout, writer)) return {};
  return cannot_write("standard output");
}

}  // namespace rooflab::cli
