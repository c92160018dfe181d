// SPDX-License-Identifier: Apache-2.0
// `rooflab completion bash|zsh|fish`: a script for the shell, generated from the verbs and options
// themselves.
#include "cli/completion.h"

#include <memory>

#include "cli/app.h"
#include "cli/validate.h"
#include "cli/verb.h"

namespace rooflab::cli {

Verb verb_completion() {
  return {"completion", "print a completion script",
          [](CLI::App& app, Globals& /*g*/) -> std::function<int()> {
            auto shell = std::make_shared<std::string>();
            app.add_option("SHELL", *shell, "bash, zsh or fish")
                ->required()
                ->check(OneOf({"bash", "zsh", "fish"}));
            app.footer("Example:\n  source <(rooflab completion bash)");
            return [shell] {
              Globals scratch;
              const CommandLine line = build_command_line(scratch);
              print(completion_script(*shell, *line.app));
              return static_cast<int>(kOk);
            };
          }};
}

}  // namespace rooflab::cli
