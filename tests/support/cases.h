// SPDX-License-Identifier: Apache-2.0
// Where tests find their inputs: tests/data in the repository, and the shared cases through
// ROOFLAB_CASES.
//
//   const std::string path = test_data("h200/loader_starved.json.gz");
//   ROOFLAB_CASE(path, "public/tracelens/h100_bert.json.gz");   // skips with a reason where there
//   are none
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace rooflab::testing {

inline std::string test_data(const std::string& relative) {
  return std::string(ROOFLAB_TEST_DATA) + "/" + relative;
}

inline std::string case_path(const std::string& relative) {
  const char* root = std::getenv("ROOFLAB_CASES");
  return root == nullptr ? std::string() : std::string(root) + "/" + relative;
}

}  // namespace rooflab::testing

#define ROOFLAB_CASE(variable, relative)                                \
  const std::string variable = ::rooflab::testing::case_path(relative); \
  if (variable.empty())                                                 \
  GTEST_SKIP() << "ROOFLAB_CASES is not set: " << (relative) << " is not available"
