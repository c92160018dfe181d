// SPDX-License-Identifier: Apache-2.0
// How a function says that it could not do its work.
//
// Result<T> is a value or an Error that the caller can act on: what went wrong, where, and what to
// do. Odd but usable input is no Error: it is counted in model::Hygiene. A bug is a CHECK, never
// reachable from input. Own code throws nothing; exceptions of third-party code are caught at the
// call. The alias exists so that std::expected can replace the library type once the compilers in
// use have it.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace rooflab {

enum class ErrorCode {
  kUsage,         // the command line or configuration is wrong            -> exit 2
  kUnreadable,    // an input cannot be read or is in no known format      -> exit 3
  kUnavailable,   // a capability is missing on this machine               -> exit 4
  kInconclusive,  // the evidence does not allow the answer                -> exit 5
  kOutput,        // a result cannot be written                            -> exit 3
};

struct Error {
  ErrorCode code = ErrorCode::kUnreadable;
  std::string message;  // what is wrong, one sentence without a full stop
  std::string where;    // file, offset, flag; may be empty
  std::string hint;     // what to do about it; may be empty

  // Adds context on the way up: "reading x.json: " before the message.
  [[nodiscard]] Error within(const std::string& context) && {
    message = context + ": " + message;
    return std::move(*this);
  }
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string where = {}, std::string hint = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(where), std::move(hint)});
}

}  // namespace rooflab

// RL_TRY(auto x, expression): x becomes the value, or the Error is returned to the caller.
#define RL_CONCAT_INNER(a, b) a##b
#define RL_CONCAT(a, b) RL_CONCAT_INNER(a, b)
#define RL_TRY_INNER(tmp, declaration, expression)                           \
  auto tmp = (expression);                                                   \
  if (!tmp) return tl::unexpected<::rooflab::Error>(std::move(tmp.error())); \
  declaration = std::move(*tmp)
#define RL_TRY(declaration, expression) \
  RL_TRY_INNER(RL_CONCAT(rl_result_, __LINE__), declaration, expression)
// RL_CHECK_OK(expression): for Result<void>.
#define RL_CHECK_OK(expression)                                              \
  do {                                                                       \
    if (auto rl_status = (expression); !rl_status)                           \
      return tl::unexpected<::rooflab::Error>(std::move(rl_status.error())); \
  } while (false)
