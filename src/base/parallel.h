// SPDX-License-Identifier: Apache-2.0
// Independent pieces of work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace rooflab {

// Runs body(0) to body(count - 1), each once and in no certain order, on as many threads as the
// machine has (the calling one among them), and returns when all are done. The bodies must not
// depend on one another.
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace rooflab
