// SPDX-License-Identifier: Apache-2.0
#include "base/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace rooflab {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 20U;

tl::unexpected<Error> output_error(const std::string& what, const std::string& path, int error) {
  std::string hint;
  if (error == ENOSPC || error == EDQUOT) hint = "free some space, or write to another place";
  if (error == ENOENT || error == ENOTDIR) hint = "create the folder first";
  if (error == EACCES || error == EROFS || error == EPERM) hint = "write to a folder you may write";
  return fail(ErrorCode::kOutput, what + ": " + std::generic_category().message(error), path,
              std::move(hint));
}

// The rename is durable once its folder is; a file system that cannot sync folders is accepted.
void sync_folder_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  (void)::fsync(fd);
  ::close(fd);
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    return fail(ErrorCode::kOutput,
                S_ISDIR(info.st_mode) ? "is a directory" : "is not a regular file", path,
                "name a file to write");
  }
  // The process id keeps two writers apart; the number an own file left by a killed one.
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string temporary =
        path + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(attempt);
    const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return AtomicFile(fd, path, std::move(temporary));
    if (errno != EEXIST) return output_error("cannot create", path, errno);
  }
  return fail(ErrorCode::kOutput, "cannot create a temporary file beside it", path,
              "remove the files named " + path + ".tmp.*");
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})) {}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Result<void> AtomicFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(fd_, bytes.data(), std::min(bytes.size(), kWriteBytes));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return output_error("cannot write", path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return {};
}

Result<void> AtomicFile::commit() {
  if (::fsync(fd_) != 0) return output_error("cannot make durable", path_, errno);
  const int status = ::close(std::exchange(fd_, -1));
  if (status != 0) return output_error("cannot close", path_, errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0)
    return output_error("cannot rename into place", path_, errno);
  temporary_.clear();
  sync_folder_of(path_);
  return {};
}

}  // namespace rooflab
