// SPDX-License-Identifier: Apache-2.0
#include "importers/nsys/export_report.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

namespace rooflab::importers::nsys {
namespace {

namespace fs = std::filesystem;

// The last line that is not empty: programs end with what went wrong.
std::string last_line(const fs::path& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line.substr(0, 300);
  }
  return last;
}

// Runs it to its end, its words kept in `log`. The exit status, or -1 if it did not start or exit.
int run(std::vector<std::string> words, const fs::path& log) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return -1;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

ExportedReport::ExportedReport(ExportedReport&& other) noexcept
    : directory_(std::exchange(other.directory_, {})) {}

ExportedReport::~ExportedReport() {
  std::error_code ignored;  // a directory that cannot be removed is the system's to clean
  if (!directory_.empty()) fs::remove_all(directory_, ignored);
}

Result<ExportedReport> ExportedReport::make(const std::string& program, const std::string& report) {
  std::error_code error;
  std::string pattern = (fs::temp_directory_path(error) / "rooflab-nsys-XXXXXX").string();
  if (error || mkdtemp(pattern.data()) == nullptr) {
    return fail(ErrorCode::kUnavailable, "no temporary directory can be made for the export",
                report, "set TMPDIR to a directory with room for the report's database");
  }
  ExportedReport out{fs::path(pattern)};
  const fs::path whole = fs::absolute(report, error);  // no name that begins with a dash
  const fs::path log = out.directory_ / "log";
  const int status = run({program, "export", "--type", "sqlite", "--force-overwrite", "true",
                          "--output", out.database(), whole.string()},
                         log);
  if (status != 0 || !fs::exists(out.database(), error)) {
    const std::string words = last_line(log);
    return fail(ErrorCode::kUnreadable,
                "nsys could not export the report" + (words.empty() ? "" : ": " + words), report,
                "try it by hand: nsys export --type sqlite --output NAME.sqlite NAME.nsys-rep; a "
                "report needs an nsys at least as new as the one that wrote it");
  }
  return out;
}

}  // namespace rooflab::importers::nsys
