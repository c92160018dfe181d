// SPDX-License-Identifier: Apache-2.0
// `rooflab completion bash|zsh|fish`: a script for the shell, generated from the verbs and options
// themselves.
#include "cli/completion.h"

#include <memory>

#include "cli/app.h"
#include "cli/globals.h"
#include "cli/verb.h"

namespace rooflab::cli {

Verb verb_completion() {
  return {"completion", "print a completion script",
          [](CLI::App& app, Globals& g) -> std::function<int()> {
            auto shell = std::make_shared<std::string>();
            CLI::Option* option = app.add_option("SHELL", *shell, "bash, zsh or fish")->required();
            allow_only(option, {"bash", "zsh", "fish"}, g);
            app.footer("Example:\n  source <(rooflab completion bash)");
            return [shell] {
              Globals scratch;
              const CommandLine line = build_command_line(scratch);
              print(completion_script(*shell, *line.app, scratch.choices));
              return static_cast<int>(kOk);
            };
          },
          kQuietOnly};
}

}  // namespace rooflab::cli
