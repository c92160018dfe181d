// SPDX-License-Identifier: Apache-2.0
// Runs commands in turn, several rounds, and prints what each took: wall and processor time, peak
// memory, bytes an event, and the ratio to the first one. Interleaved, so that a busy machine
// slows all of them alike; the figures are medians over the rounds.
//
//   compare ROUNDS EVENTS INPUT_BYTES -- walk walk_simdjson F -- why rooflab why F -- …
//
// Each command is preceded by its name. Output of the commands is discarded; one that fails is
// reported and its figures are left out.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Run {
  double wall = 0, processor = 0, megabytes = 0;
};

struct Command {
  std::string name;
  std::vector<char*> arguments;  // ends with nullptr
  std::vector<Run> runs;
  bool failed = false;
};

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

[[noreturn]] void become(const Command& command) {
  const int null = open("/dev/null", O_WRONLY);
  if (null >= 0) dup2(null, STDOUT_FILENO);
  execvp(command.arguments[0], command.arguments.data());
  std::perror(command.arguments[0]);
  _exit(127);
}

bool run(Command& command) {
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) become(command);
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return false;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return false;
  command.runs.push_back({wall.count(), seconds(usage.ru_utime) + seconds(usage.ru_stime),
                          static_cast<double>(usage.ru_maxrss) / 1024.0});
  return true;
}

double median(const std::vector<Run>& runs, double Run::*member) {
  std::vector<double> values;
  for (const Run& r : runs) values.push_back(r.*member);
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void print(const std::vector<Command>& commands, double events, double bytes) {
  std::printf("%-16s %9s %9s %9s %9s %9s %9s %9s\n", "", "wall s", "ratio", "lo", "hi", "cpu s",
              "peak MB", "B/event");
  for (const Command& c : commands) {
    if (c.failed || c.runs.empty()) {
      std::printf("%-16s failed\n", c.name.c_str());
      continue;
    }
    // The ratio round by round: what the two saw of the machine was alike.
    std::vector<double> ratios;
    for (std::size_t i = 0; i < c.runs.size() && i < commands[0].runs.size(); ++i) {
      ratios.push_back(c.runs[i].wall / commands[0].runs[i].wall);
    }
    std::sort(ratios.begin(), ratios.end());
    const double memory = median(c.runs, &Run::megabytes);
    const bool known = !ratios.empty();
    std::printf("%-16s %9.2f %9.2f %9.2f %9.2f %9.2f %9.0f %9.0f\n", c.name.c_str(),
                median(c.runs, &Run::wall), known ? ratios[ratios.size() / 2] : 0,
                known ? ratios.front() : 0, known ? ratios.back() : 0,
                median(c.runs, &Run::processor), memory, memory * 1048576.0 / events);
  }
  std::printf("%.0f events, %.0f bytes; ratio, lo, hi: to the first line, round by round\n", events,
              bytes);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: compare ROUNDS EVENTS BYTES -- NAME CMD… [-- NAME CMD…]\n");
    return 2;
  }
  const int rounds = std::atoi(argv[1]);
  std::vector<Command> commands;
  for (int i = 4; i < argc; ++i) {
    if (std::string(argv[i]) == "--") {
      commands.emplace_back();
    } else if (commands.empty()) {
      return 2;
    } else if (commands.back().name.empty()) {
      commands.back().name = argv[i];
    } else {
      commands.back().arguments.push_back(argv[i]);
    }
  }
  for (Command& c : commands) {
    if (c.arguments.empty()) return 2;
    c.arguments.push_back(nullptr);
  }
  for (int round = 0; round < rounds; ++round) {
    for (Command& c : commands) {
      if (!c.failed && !run(c)) c.failed = true;
    }
  }
  print(commands, std::atof(argv[2]), std::atof(argv[3]));
  return std::any_of(commands.begin(), commands.end(), [](const Command& c) { return c.failed; });
}
