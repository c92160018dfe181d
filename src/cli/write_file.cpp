// SPDX-License-Identifier: Apache-2.0
#include "cli/write_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/io/atomic_file.h"

namespace rooflab::cli {
namespace {

// Exports hand out a row at a time; a system call for each would cost more than the row.
constexpr std::size_t kBufferBytes = std::size_t{256} << 10U;

}  // namespace

Result<void> write_file(const std::string& path, const Writer& writer) {
  RL_TRY(AtomicFile file, AtomicFile::create(path));
  Result<void> written;
  std::string buffer;
  const bool whole = writer([&](std::string_view text) {
    buffer += text;
    if (buffer.size() < kBufferBytes) return true;
    written = file.append(buffer);
    buffer.clear();
    return written.has_value();
  });
  RL_CHECK_OK(written);
  if (!whole) return fail(ErrorCode::kOutput, "the export stopped early", path);
  RL_CHECK_OK(file.append(buffer));
  return file.commit();
}

Result<void> write_stdout(const Writer& writer) {
  const bool whole = writer([](std::string_view text) {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  });
  if (std::fflush(stdout) == 0 && whole) return {};
  return fail(ErrorCode::kOutput, std::string("cannot write: ") + std::strerror(errno),
              "standard output");
}

}  // namespace rooflab::cli
