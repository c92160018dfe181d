// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.h"

#include <fmt/format.h>

#include <vector>

namespace rooflab::cli {
namespace {

struct VerbWords {
  std::string id, summary;
  std::vector<std::pair<std::string, std::string>> options;  // "--json", its description
};

std::vector<VerbWords> verb_words(const CLI::App& app) {
  std::vector<VerbWords> out;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    VerbWords words{verb->get_name(), verb->get_description(), {}};
    for (const CLI::Option* option : verb->get_options()) {
      for (const std::string& name : option->get_lnames()) {
        words.options.emplace_back("--" + name, option->get_description());
      }
    }
    out.push_back(std::move(words));
  }
  return out;
}

std::string joined_options(const VerbWords& verb) {
  std::string out;
  for (const auto& [name, description] : verb.options) out += (out.empty() ? "" : " ") + name;
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

std::string bash(const std::vector<VerbWords>& verbs) {
  std::string ids;
  std::string cases;
  for (const VerbWords& verb : verbs) {
    ids += (ids.empty() ? "" : " ") + verb.id;
    cases += fmt::format("    {}) words=\"{}\" ;;\n", verb.id, joined_options(verb));
  }
  return fmt::format(
      "# rooflab completion for bash: source <(rooflab completion bash)\n"
      "_rooflab() {{\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" words=\"\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}"
      "  esac\n"
      "  if [[ \"$word\" == -* ]]; then\n"
      "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
      "  else\n"
      "    COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "  fi\n"
      "}}\n"
      "complete -o filenames -F _rooflab rooflab\n",
      ids, cases);
}

std::string zsh(const std::vector<VerbWords>& verbs) {
  std::string list;
  std::string cases;
  for (const VerbWords& verb : verbs) {
    list += fmt::format("    '{}:{}'\n", verb.id, shell_text(verb.summary));
    cases += fmt::format("    {}) _arguments", verb.id);
    for (const auto& [name, description] : verb.options) {
      cases += fmt::format(" '{}[{}]'", name, shell_text(description));
    }
    cases += " '*:file:_files' ;;\n";
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
    out += fmt::format("complete -c rooflab -n __fish_use_subcommand -a {} -d '{}'\n", verb.id,
                       shell_text(verb.summary));
    for (const auto& [name, description] : verb.options) {
      out += fmt::format("complete -c rooflab -n '__fish_seen_subcommand_from {}' -l {} -d '{}'\n",
                         verb.id, name.substr(2), shell_text(description));
    }
  }
  return out;
}

}  // namespace

std::string completion_script(const std::string& shell, const CLI::App& app) {
  const std::vector<VerbWords> verbs = verb_words(app);
  if (shell == "zsh") return zsh(verbs);
  return shell == "fish" ? fish(verbs) : bash(verbs);
}

}  // namespace rooflab::cli
