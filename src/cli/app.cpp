// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "cli/suggest.h"

namespace rooflab::cli {
namespace {

constexpr int kHelpColumn = 28;  // where descriptions start in --help

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
Error parse_fault(const CLI::ParseError& fault, const CLI::App& verb) {
  std::string message = fault.what();
  std::string hint;
  if (const std::size_t line = message.find('\n'); line != std::string::npos) {
    hint = message.substr(line + 1);
    message.erase(line);
  }
  if (fault.get_name() == "ExtrasError") {
    for (const std::string& word : verb.remaining(true)) {
      if (word.size() < 2 || word[0] != '-') continue;
      const std::string name = word.substr(0, word.find('='));
      return {ErrorCode::kUsage, "unknown option " + name, "",
              did_you_mean(name, option_names(verb))};
    }
  }
  if (hint.empty()) hint = "rooflab " + verb.get_name() + " --help";
  return {ErrorCode::kUsage, message, "", hint};
}

std::string first_word(const std::vector<std::string>& arguments) {
  return arguments.empty() ? std::string() : arguments.front();
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
  if (auto resolved = resolve(g); !resolved) return print_error(g, resolved.error());
  if (g.has_command) {
    return print_error(
        g, {ErrorCode::kUnavailable, "running a command is not available in this version", "--",
            "record with the framework's profiler, then rooflab why FILE"});
  }
  return line.run.at(verb)();
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
  app.footer("Example:\n  rooflab why trace.json.gz\nEach verb has --help with an example.");
  app.require_subcommand(0, 1);
  for (const Verb& verb : all_verbs()) {
    CLI::App* sub = app.add_subcommand(verb.id, verb.summary);
    sub->get_formatter()->column_width(kHelpColumn);
    line.run[verb.id] = verb.setup(*sub, g);
    add_output_options(*sub, g);
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
  const std::vector<std::string> ids = verb_ids();
  const std::string word = first_word(arguments);
  const bool is_option = !word.empty() && word[0] == '-';
  if (!word.empty() && !is_option && std::find(ids.begin(), ids.end(), word) == ids.end()) {
    return flushed(g, print_error(g, unknown_verb(word)));
  }
  CommandLine line = build_command_line(g);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 takes them
    line.app->parse(std::move(reversed));
  } catch (const CLI::ParseError& fault) {
    if (fault.get_exit_code() == 0) return flushed(g, line.app->exit(fault));  // --help, --version
    const auto chosen = line.app->get_subcommands();
    return flushed(
        g, print_error(g, parse_fault(fault, chosen.empty() ? *line.app : *chosen.front())));
  }
  return flushed(g, dispatch(line, g));
}

}  // namespace rooflab::cli
