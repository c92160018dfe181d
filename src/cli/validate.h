// SPDX-License-Identifier: Apache-2.0
// Option checks that name what was meant: OneOf({"kernel", "op"}) turns "kernle" into "did you mean
// kernel?".
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/suggest.h"

namespace rooflab::cli {

class OneOf : public CLI::Validator {
 public:
  explicit OneOf(std::vector<std::string> values) {
    func_ = [values = std::move(values)](std::string& given) -> std::string {
      for (const std::string& value : values) {
        if (value == given) return {};
      }
      return "\"" + given + "\" is not a value here\n" + did_you_mean(given, values);
    };
  }
};

}  // namespace rooflab::cli
