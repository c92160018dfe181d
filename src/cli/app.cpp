// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "cli/suggest.h"

namespace rooflab::cli {
namespace {

constexpr int kHelpColumn = 28;  // where descriptions start in --help

std::string first_word(const std::vector<std::string>& arguments) {
  return arguments.empty() ? std::string() : arguments.front();
}

std::vector<std::string> verb_ids() {
  std::vector<std::string> ids;
  for (const Verb& verb : all_verbs()) ids.emplace_back(verb.id);
  return ids;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool has_option(const CLI::App& app, const std::string& name) {
  const std::vector<std::string> names = option_names(app);
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string general_help(const std::string& verb) {
  return "rooflab " + (verb.empty() ? verb : verb + " ") + "--help";
}

// `name` is unknown to this verb: another verb's option, or a typing error.
Error unknown_option(const std::string& name, const CLI::App& app, const CLI::App* verb) {
  if (verb == nullptr) {
    const std::string near = nearest(name, option_names(app));
    return {ErrorCode::kUsage, "unknown option " + name + "; options follow a verb", "",
            near.empty() ? general_help("") : "did you mean " + near + "?"};
  }
  std::string others;
  for (const CLI::App* other : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (has_option(*other, name)) others += (others.empty() ? "" : ", ") + other->get_name();
  }
  if (!others.empty()) {
    return {ErrorCode::kUsage, name + " does not apply to " + verb->get_name(), name,
            "an option of: " + others + "; see " + general_help(verb->get_name())};
  }
  const std::string near = nearest(name, option_names(*verb));
  return {ErrorCode::kUsage, "unknown option " + name, "",
          near.empty() ? general_help(verb->get_name()) : "did you mean " + near + "?"};
}

// Before CLI11 parses: it would name a missing FILE first, and offers no suggestions.
std::optional<Error> check_option_names(const CLI::App& app,
                                        const std::vector<std::string>& arguments) {
  const CLI::App* verb = nullptr;
  for (const CLI::App* candidate : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (candidate->get_name() == first_word(arguments)) verb = candidate;
  }
  for (const std::string& argument : arguments) {
    if (argument.size() < 3 || argument.compare(0, 2, "--") != 0) continue;
    const std::string name = argument.substr(0, argument.find('='));
    if (!has_option(verb == nullptr ? app : *verb, name)) return unknown_option(name, app, verb);
  }
  return {};
}

// The first word is no verb: an option, a file given without one, or a typing error.
Error unknown_verb(const std::string& word) {
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) {
    return {ErrorCode::kUsage, "\"" + word + "\" is a file, not a verb", "",
            "did you mean rooflab why " + word + "?"};
  }
  return {ErrorCode::kUsage, "\"" + word + "\" is no verb", "", did_you_mean(word, verb_ids())};
}

// CLI11's messages name the option and the fault; a second line is the hint of OneOf.
Error parse_fault(const CLI::ParseError& fault, const CLI::App& app, const std::string& verb) {
  std::string message = fault.what();
  std::string hint;
  if (const std::size_t line = message.find('\n'); line != std::string::npos) {
    hint = message.substr(line + 1);
    message.erase(line);
  }
  if (fault.get_name() == "ExtrasError") {
    for (const std::string& word : app.remaining(true)) {
      if (word.size() >= 2 && word[0] == '-')
        return {ErrorCode::kUsage, "unknown option " + word, "", general_help(verb)};
    }
  }
  if (hint.empty()) hint = general_help(verb);
  return {ErrorCode::kUsage, message, "", hint};
}

// Known before parsing, so that a usage error can take the form that was asked for.
bool asks_for_json(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--json" || arguments[i] == "--format=json") return true;
    if (arguments[i] == "--format" && i + 1 < arguments.size() && arguments[i + 1] == "json")
      return true;
  }
  return false;
}

int dispatch(CommandLine& line, Globals& g) {
  const auto chosen = line.app->get_subcommands();
  if (chosen.empty()) {
    std::fputs(line.app->help().c_str(), stderr);
    return kBadUsage;
  }
  const std::string& verb = chosen.front()->get_name();
  g.verb = verb;
  if (auto resolved = resolve(g); !resolved) return print_error(g, resolved.error());
  return line.run.at(verb)();
}

// `why -- CMD` is planned, and then needs no FILE; other verbs run nothing.
Error no_command(const std::string& verb) {
  if (verb != "why")
    return {ErrorCode::kUsage, "what follows -- is a command, and this verb runs none", "--",
            "rooflab --help"};
  return {ErrorCode::kUnavailable, "running a command is not available in this version", "--",
          "record with the framework's profiler, then rooflab why FILE"};
}

// `rooflab help top` is `rooflab top --help`; `rooflab top --version` needs no FILE.
void rewrite_requests(std::vector<std::string>& arguments) {
  if (std::find(arguments.begin(), arguments.end(), "--version") != arguments.end())
    arguments = {"--version"};
  if (first_word(arguments) != "help") return;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
}

// A full disk or a closed pipe must not look like success.
int flushed(const Globals& g, int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  Globals plain = g;
  plain.format = Format::kTable;
  return print_error(
      plain, {ErrorCode::kOutput, "the result could not be written", "standard output", ""});
}

}  // namespace

CommandLine build_command_line(Globals& g) {
  CommandLine line;
  line.app = std::make_unique<CLI::App>(
      "Tells why a GPU workload is slow and where every nanosecond went.", "rooflab");
  CLI::App& app = *line.app;
  app.get_formatter()->column_width(kHelpColumn);
  app.set_version_flag("--version", std::string("rooflab ") + version());
  app.footer(
      "Example:\n  rooflab why trace.json.gz\nEach verb has --help with an example.\n\n"
      "Exit status:\n"
      "  0  answered (some of several inputs may be unreadable: stderr says so)\n"
      "  2  the command line or configuration is wrong\n"
      "  3  no input could be read, or the result could not be written\n"
      "  4  not available on this machine or in this version\n"
      "  5  the evidence in the input does not allow an answer");
  app.require_subcommand(0, 1);
  for (const Verb& verb : all_verbs()) {
    CLI::App* sub = app.add_subcommand(verb.id, verb.summary);
    sub->get_formatter()->column_width(kHelpColumn);
    line.run[verb.id] = verb.setup(*sub, g);
    add_output_options(*sub, g, verb.output);
  }
  return line;
}

int run_command_line(std::vector<std::string> arguments) {
  Globals g;
  // What follows `--` belongs to another program: CLI11 must not see it.
  if (const auto split = std::find(arguments.begin(), arguments.end(), "--");
      split != arguments.end()) {
    g.has_command = true;
    g.command.assign(split + 1, arguments.end());
    arguments.erase(split, arguments.end());
  }
  if (asks_for_json(arguments)) g.format = Format::kJson;
  rewrite_requests(arguments);
  const std::vector<std::string> ids = verb_ids();
  const std::string word = first_word(arguments);
  const bool is_option = !word.empty() && word[0] == '-';
  if (!word.empty() && !is_option && std::find(ids.begin(), ids.end(), word) == ids.end()) {
    return flushed(g, print_error(g, unknown_verb(word)));
  }
  CommandLine line = build_command_line(g);
  if (!is_option) g.verb = word;
  if (const auto fault = check_option_names(*line.app, arguments))
    return flushed(g, print_error(g, *fault));
  if (g.has_command) return flushed(g, print_error(g, no_command(g.verb)));
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 takes them
    line.app->parse(std::move(reversed));
  } catch (const CLI::ParseError& fault) {
    if (fault.get_exit_code() == 0) return flushed(g, line.app->exit(fault));  // --help, --version
    return flushed(g, print_error(g, parse_fault(fault, *line.app, g.verb)));
  }
  return flushed(g, dispatch(line, g));
}

}  // namespace rooflab::cli
