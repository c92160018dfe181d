// SPDX-License-Identifier: Apache-2.0
// Plain bytes from a file descriptor or from memory. Refuses directories and says what to do about
// a missing file or a missing permission.
#include "base/io/raw_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace rooflab {
namespace {

std::string reason_of(int error) { return std::generic_category().message(error); }

std::string hint_for(int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return "check the path; use - to read standard input";
    case EACCES:
    case EPERM:
      return "make the file readable for this user (chmod u+r), or pipe it in and use -";
    case EMFILE:
    case ENFILE:
      return "too many files are open; raise the limit (ulimit -n) or give fewer inputs";
    default:
      return {};
  }
}

class FdSource final : public ByteSource {
 public:
  FdSource(int fd, std::string name, std::int64_t total, bool owned)
      : fd_(fd), name_(std::move(name)), total_(total), owned_(owned) {}
  FdSource(const FdSource&) = delete;
  FdSource& operator=(const FdSource&) = delete;
  ~FdSource() override {
    if (owned_) ::close(fd_);
  }

  Result<std::size_t> read(std::span<char> buffer) override {
    while (true) {
      const ssize_t got = ::read(fd_, buffer.data(), std::min(buffer.size(), kReadBytes));
      if (got >= 0) {
        bytes_read_ += got;
        return static_cast<std::size_t>(got);
      }
      if (errno == EINTR) continue;
      return fail(ErrorCode::kUnreadable, "cannot read: " + reason_of(errno), name_,
                  hint_for(errno));
    }
  }
  [[nodiscard]] std::int64_t raw_bytes_read() const override { return bytes_read_; }
  [[nodiscard]] std::int64_t raw_bytes_total() const override { return total_; }

 private:
  int fd_;
  std::string name_;
  std::int64_t total_;
  bool owned_;
  std::int64_t bytes_read_ = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), bytes_.size() - at_);
    if (count > 0) std::memcpy(buffer.data(), bytes_.data() + at_, count);
    at_ += count;
    return count;
  }
  [[nodiscard]] std::int64_t raw_bytes_read() const override {
    return static_cast<std::int64_t>(at_);
  }
  [[nodiscard]] std::int64_t raw_bytes_total() const override {
    return static_cast<std::int64_t>(bytes_.size());
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::int64_t size_if_regular(const struct stat& info) {
  return S_ISREG(info.st_mode) ? static_cast<std::int64_t>(info.st_size) : -1;
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_raw_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return fail(ErrorCode::kUnreadable, "cannot open: " + reason_of(errno), path, hint_for(errno));
  }
  struct stat info = {};
  const int status = ::fstat(fd, &info);
  const int error = errno;
  auto source = std::make_unique<FdSource>(fd, path, size_if_regular(info), true);  // owns fd now
  if (status != 0) {
    return fail(ErrorCode::kUnreadable, "cannot stat: " + reason_of(error), path);
  }
  if (S_ISDIR(info.st_mode)) {
    return fail(ErrorCode::kUnreadable, "is a directory, not a file", path,
                "name a file inside it");
  }
  // Advice only: nothing depends on its success.
  if (S_ISREG(info.st_mode)) (void)::posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return source;
}

std::unique_ptr<ByteSource> raw_stdin() {
  struct stat info = {};
  const std::int64_t total = ::fstat(STDIN_FILENO, &info) == 0 ? size_if_regular(info) : -1;
  return std::make_unique<FdSource>(STDIN_FILENO, "-", total, false);
}

std::unique_ptr<ByteSource> raw_memory(std::string_view bytes) {
  return std::make_unique<MemorySource>(bytes);
}

}  // namespace rooflab
