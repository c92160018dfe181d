// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <fmt/format.h>

#include <vector>

namespace rooflab::cli {
namespace {

struct OptionWords {
  std::string name, description;  // "--json"
  bool takes_value = false;
  std::string values;  // "kernel op gap"; empty = any text
};

struct VerbWords {
  std::string id, summary;
  std::vector<OptionWords> options;
  std::string arguments;  // what stands without an option: "bash zsh fish"; empty = files
};

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::vector<VerbWords> verb_words(const CLI::App& app, const Choices& choices) {
  std::vector<VerbWords> out;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    VerbWords words{verb->get_name(), verb->get_description(), {}, {}};
    for (const CLI::Option* option : verb->get_options()) {
      const auto choice = choices.find(option);
      const std::string values = choice == choices.end() ? std::string() : joined(choice->second);
      if (option->get_lnames().empty()) words.arguments += values;
      for (const std::string& name : option->get_lnames()) {
        words.options.push_back(
            {"--" + name, option->get_description(), option->get_items_expected_max() > 0, values});
      }
    }
    out.push_back(std::move(words));
  }
  return out;
}

std::string joined_options(const VerbWords& verb) {
  std::string out;
  for (const OptionWords& option : verb.options) out += (out.empty() ? "" : " ") + option.name;
  return out;
}

// Descriptions are ours, but a quote in one must not end the shell's string.
std::string shell_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '\'' && c != '[' && c != ']' && c != ':') out += c;
  }
  return out;
}

// bash splits --by=op into three words, so the option may stand two words back.
constexpr const char* kBashStart =
    "# rooflab completion for bash: source <(rooflab completion bash)\n"
    "_rooflab() {\n"
    "  local word=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\" values=\"\" arguments=\"\"\n"
    "  local before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
    "  if [ \"$word\" = = ]; then\n"
    "    word=\"\"\n"
    "  elif [ \"$before\" = = ]; then\n"
    "    before=\"${COMP_WORDS[COMP_CWORD-2]}\"\n"
    "  fi\n";

constexpr const char* kBashEnd =
    "  if [ -n \"$values\" ]; then\n"
    "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
    "  elif [[ \"$word\" == -* ]]; then\n"
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
    "  elif [ -n \"$arguments\" ]; then\n"
    "    COMPREPLY=($(compgen -W \"$arguments\" -- \"$word\"))\n"
    "  else\n"
    "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
    "  fi\n"
    "}\n"
    "complete -o filenames -F _rooflab rooflab\n";

std::string bash(const std::vector<VerbWords>& verbs) {
  std::string ids;
  std::string words;
  std::string values;
  for (const VerbWords& verb : verbs) {
    ids += (ids.empty() ? "" : " ") + verb.id;
    words += fmt::format("    {}) words=\"{}\" arguments=\"{}\" ;;\n", verb.id,
                         joined_options(verb), verb.arguments);
    for (const OptionWords& option : verb.options) {
      if (option.values.empty()) continue;
      values +=
          fmt::format("    \"{} {}\") values=\"{}\" ;;\n", verb.id, option.name, option.values);
    }
  }
  return fmt::format(
      "{}"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}  esac\n"
      "  case \"${{COMP_WORDS[1]}} $before\" in\n{}  esac\n{}",
      kBashStart, ids, words, values, kBashEnd);
}

std::string zsh_option(const OptionWords& option) {
  const std::string text = fmt::format("{}[{}]", option.name, shell_text(option.description));
  if (!option.takes_value) return text;
  return text + ":value:" + (option.values.empty() ? "_files" : "(" + option.values + ")");
}

std::string zsh(const std::vector<VerbWords>& verbs) {
  std::string list;
  std::string cases;
  for (const VerbWords& verb : verbs) {
    list += fmt::format("    '{}:{}'\n", verb.id, shell_text(verb.summary));
    cases += fmt::format("    {}) _arguments", verb.id);
    for (const OptionWords& option : verb.options) cases += " '" + zsh_option(option) + "'";
    cases += verb.arguments.empty() ? " '*:file:_files' ;;\n"
                                    : " '*:name:(" + verb.arguments + ")' ;;\n";
  }
  return fmt::format(
      "#compdef rooflab\n"
      "# rooflab completion for zsh: source <(rooflab completion zsh)\n"
      "_rooflab() {{\n"
      "  local -a verbs\n"
      "  verbs=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe 'verb' verbs\n"
      "    return\n"
      "  fi\n"
      "  case \"$words[2]\" in\n{}"
      "  esac\n"
      "}}\n"
      "compdef _rooflab rooflab\n",
      list, cases);
}

std::string fish(const std::vector<VerbWords>& verbs) {
  std::string out = "# rooflab completion for fish: rooflab completion fish | source\n";
  for (const VerbWords& verb : verbs) {
    const std::string inside =
        fmt::format("complete -c rooflab -n '__fish_seen_subcommand_from {}'", verb.id);
    out += fmt::format("complete -c rooflab -n __fish_use_subcommand -a {} -d '{}'\n", verb.id,
                       shell_text(verb.summary));
    for (const OptionWords& option : verb.options) {
      out += fmt::format("{} -l {} -d '{}'", inside, option.name.substr(2),
                         shell_text(option.description));
      if (!option.values.empty()) out += " -x -a '" + option.values + "'";
      if (option.values.empty() && option.takes_value) out += " -r";
      out += '\n';
    }
    if (!verb.arguments.empty()) out += inside + " -f -a '" + verb.arguments + "'\n";
  }
  return out;
}

}  // namespace

std::string completion_script(const std::string& shell, const CLI::App& app,
                              const Choices& choices) {
  const std::vector<VerbWords> verbs = verb_words(app, choices);
  if (shell == "zsh") return zsh(verbs);
  return shell == "fish" ? fish(verbs) : bash(verbs);
}

}  // namespace rooflab::cli
