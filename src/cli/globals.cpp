// SPDX-License-Identifier: Apache-2.0
#include "cli/globals.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/validate.h"
#include "cli/verb.h"
#include "report/text.h"

namespace rooflab::cli {
namespace {

constexpr int kNarrowest = 60, kWidest = 120, kUsualWidth = 80;

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

const SettingInfo& setting(const char* key) {
  const auto& all = settings();
  return *std::find_if(all.begin(), all.end(),
                       [&](const SettingInfo& s) { return std::string_view(s.key) == key; });
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = variable(name);
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(), [](char c) {
      return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

int page_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0) {
    return kUsualWidth;
  }
  return std::clamp(static_cast<int>(size.ws_col), kNarrowest, kWidest);
}

bool wants_color(const std::string& choice) {
  if (choice != "auto") return choice == "always";
  // https://no-color.org: any non-empty value turns colour off.
  return variable("NO_COLOR").empty() && variable("TERM") != "dumb" && isatty(STDOUT_FILENO) != 0;
}

bool shows_progress(const Globals& globals) {
  return !globals.quiet && variable("CI").empty() && variable("TERM") != "dumb" &&
         isatty(STDERR_FILENO) != 0;
}

// CLI11 has handled --format by now, since it was added first.
void take_json(Globals& g) {
  const auto given = g.flags.find("format");
  if (given != g.flags.end() && given->second != "json")
    g.conflict = "--format " + given->second + " and --json ask for different forms";
  g.flags["format"] = "json";
}

// What to do about an error that does not say it itself.
std::string general_hint(const Globals& g, ErrorCode code) {
  const std::string verb = g.verb.empty() ? std::string() : g.verb + " ";
  switch (code) {
    case ErrorCode::kUsage:
      return "rooflab " + verb + "--help";
    case ErrorCode::kUnreadable:
      return "name a trace, a run file or a folder of them; `rooflab info FILE` says what is "
             "inside";
    case ErrorCode::kUnavailable:
      return "`rooflab doctor` says what this machine has";
    case ErrorCode::kInconclusive:
      return "`rooflab info FILE` says what was recorded";
    case ErrorCode::kOutput:
      return "check the folder, its permissions and the free space";
  }
  return {};
}

Format format_of(const std::string& name) {
  if (name == "json") return Format::kJson;
  if (name == "csv") return Format::kCsv;
  return name == "md" ? Format::kMarkdown : Format::kTable;
}

}  // namespace

const char* version() { return ROOFLAB_VERSION; }

void allow_only(CLI::Option* option, std::vector<std::string> values, Globals& g) {
  option->check(OneOf(values));
  g.choices[option] = std::move(values);
}

void add_output_options(CLI::App& app, Globals& g, unsigned options) {
  const char* group = "Output";
  const auto choice = [&](const char* flag, const char* key, const char* help, const char* type) {
    CLI::Option* option = app.add_option_function<std::string>(
        flag, [&g, key](const std::string& value) { g.flags[key] = value; }, help);
    option->type_name(type)->group(group);
    allow_only(option, setting(key).values, g);
  };
  if ((options & kFormats) != 0) {
    choice("--format", "format", "table, json, csv or md", "FORMAT");
    app.add_flag_callback(
           "--json", [&g] { take_json(g); }, "same as --format json")
        ->group(group);
  }
  if ((options & kColors) != 0) choice("--color", "color", "auto, always or never", "WHEN");
  if ((options & kFullNames) != 0) {
    app.add_flag_callback(
           "--full-names", [&g] { g.flags["full_names"] = "true"; }, "do not shorten kernel names")
        ->group(group);
  }
  app.add_flag_callback(
         "-v,--verbose", [&g] { ++g.verbosity; }, "more detail")
      ->group("Output");
  app.add_flag_callback(
         "-q,--quiet", [&g] { g.quiet = true; }, "no progress, warnings or hints")
      ->group("Output");
}

Result<void> resolve(Globals& g) {
  // Known before anything can fail, so that errors already take the right form.
  if (const auto it = g.flags.find("format"); it != g.flags.end()) g.format = format_of(it->second);
  if (g.quiet && g.verbosity > 0) g.conflict = "-q and -v contradict each other";
  if (!g.conflict.empty()) return fail(ErrorCode::kUsage, g.conflict, "", "give one of them");
  ConfigSources sources;
  sources.flags = g.flags;
  sources.environment = variable;
  sources.toml_path =
      variable("ROOFLAB_CONFIG").empty() ? find_config_file(".") : variable("ROOFLAB_CONFIG");
  if (!sources.toml_path.empty()) {
    std::ifstream file(sources.toml_path, std::ios::binary);
    if (!file) {
      return fail(ErrorCode::kUsage, "the configuration file cannot be read", sources.toml_path,
                  "check ROOFLAB_CONFIG and the file's permissions");
    }
    sources.toml.assign(std::istreambuf_iterator<char>(file), {});
  }
  RL_TRY(g.config, resolve_config(sources));
  g.format = format_of(g.config.get("format"));
  g.style = {.width = page_width(),
             .color = g.format == Format::kTable && wants_color(g.config.get("color")),
             .unicode = locale_is_utf8(),
             .full_names = g.config.is_on("full_names"),
             .verbosity = g.quiet ? -1 : g.verbosity};
  for (const std::string& text : g.config.warnings)
    warn(g, {text, g.config.file, "`rooflab config` shows what counts"});
  return {};
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void note(const Globals& g, std::string_view text) {
  if (g.quiet) return;
  clear_progress(g);
  std::fprintf(stderr, "rooflab: %s\n", report::printable(text).c_str());
}

void warn(Globals& g, report::Warning warning) {
  std::string text = "warning: " + warning.message;
  if (!warning.where.empty()) text += " (" + warning.where + ")";
  if (!warning.hint.empty()) text += "; " + warning.hint;
  note(g, text);
  g.warnings.push_back(std::move(warning));
}

void progress(const Globals& g, std::string_view text) {
  if (!shows_progress(g)) return;
  std::fprintf(stderr, "\r\x1b[K%s",
               report::fit(report::printable(text), kUsualWidth - 1, "...").c_str());
  std::fflush(stderr);
}

void clear_progress(const Globals& g) {
  if (shows_progress(g)) std::fputs("\r\x1b[K", stderr);
}

int exit_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return kBadUsage;
    case ErrorCode::kUnreadable:
    case ErrorCode::kOutput:
      return kBadInput;
    case ErrorCode::kUnavailable:
      return kNotAvailable;
    case ErrorCode::kInconclusive:
      return kNoVerdict;
  }
  return kBadInput;
}

int print_error(const Globals& g, const Error& given) {
  clear_progress(g);
  Error error = given;
  if (error.hint.empty()) error.hint = general_hint(g, error.code);
  std::fprintf(stderr, "rooflab: error: %s\n", report::printable(error.message).c_str());
  if (!error.where.empty())
    std::fprintf(stderr, "  at: %s\n", report::printable(error.where).c_str());
  std::fprintf(stderr, "  hint: %s\n", report::printable(error.hint).c_str());
  if (g.format == Format::kJson) print(report::to_text(report::error_json(error)));
  return exit_of(error.code);
}

void print_json(const Globals& g, std::string_view verb, report::Json inputs, report::Json data) {
  print(report::to_text(
      report::envelope(verb, version(), std::move(inputs), std::move(data), g.warnings)));
}

}  // namespace rooflab::cli
