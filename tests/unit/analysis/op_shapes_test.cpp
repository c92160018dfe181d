// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_shapes.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace rooflab::analysis {
namespace {

TEST(OpShapes, TensorsListsAndNumbers) {
  const OpArguments args = parse_op_arguments(
      "[[8192,2048],[],[[1,768],[4,768]]]", R"(["c10::BFloat16","Scalar","TensorList"])",
      "[[2048,1],[],[[768,1],[768,1]]]", R"(["","[1, 1]",""])");
  ASSERT_EQ(args.size(), 3U);
  EXPECT_TRUE(args[0].is_tensor);
  EXPECT_EQ(args[0].element_bytes, 2);
  EXPECT_EQ(args[0].precision, Precision::kBf16);
  EXPECT_DOUBLE_EQ(args[0].bytes(), 8192.0 * 2048 * 2);
  EXPECT_FALSE(args[1].is_tensor);
  EXPECT_EQ(args[1].concrete, "[1, 1]");
  EXPECT_FALSE(args[2].is_tensor);  // a list has no element type
  ASSERT_EQ(args[2].tensors.size(), 2U);
  EXPECT_EQ(args[2].tensors[1].dims, (std::vector<std::int64_t>{4, 768}));
}

TEST(OpShapes, SpacesAndANumberTensor) {
  const OpArguments args =
      parse_op_arguments("[[64, 3, 7, 7], []]", R"(["float", "double"])", "", "");
  ASSERT_EQ(args.size(), 2U);
  EXPECT_DOUBLE_EQ(args[0].bytes(), 64.0 * 3 * 7 * 7 * 4);
  EXPECT_DOUBLE_EQ(args[1].bytes(), 8);  // one number
}

TEST(OpShapes, DistinctElementsOfBroadcastAndOverlap) {
  EXPECT_DOUBLE_EQ((OpTensor{{200, 32}, {0, 1}}).distinct_elements(), 32);
  EXPECT_DOUBLE_EQ((OpTensor{{8192, 2048}, {0, 0}}).distinct_elements(), 1);
  EXPECT_DOUBLE_EQ((OpTensor{{100, 10}, {1, 1}}).distinct_elements(),
                   109);  // windows that slide by one
  EXPECT_DOUBLE_EQ((OpTensor{{100, 10}, {20, 2}}).distinct_elements(), 1000);
  EXPECT_DOUBLE_EQ((OpTensor{{100, 10}, {}}).distinct_elements(), 1000);
  EXPECT_DOUBLE_EQ((OpTensor{{0, 10}, {10, 1}}).distinct_elements(), 0);
}

TEST(OpShapes, DamagedTextsGiveNoArguments) {
  EXPECT_TRUE(parse_op_arguments("", "", "", "").empty());
  EXPECT_TRUE(parse_op_arguments("[[1,2]", "", "", "").empty());
  EXPECT_TRUE(parse_op_arguments("]]", "", "", "").empty());
  EXPECT_TRUE(parse_op_arguments("[[[[1]]]]", "", "", "").empty());
  EXPECT_TRUE(parse_op_arguments("[[99999999999999999999]]", "", "", "").empty());
  EXPECT_TRUE(parse_op_arguments(std::string(2U << 20U, '['), "", "", "").empty());
  const OpArguments untyped = parse_op_arguments("[[2,3]]", "not json \"", "", "\\");
  ASSERT_EQ(untyped.size(), 1U);
  EXPECT_FALSE(untyped[0].is_tensor);
}

TEST(OpShapes, ConcreteNumbers) {
  EXPECT_EQ(parse_numbers("[1, -2]"), (std::vector<std::int64_t>{1, -2}));
  EXPECT_EQ(parse_numbers("3"), (std::vector<std::int64_t>{3}));
  EXPECT_FALSE(parse_numbers("True").has_value());
  EXPECT_FALSE(parse_numbers("[]").has_value());
  EXPECT_FALSE(parse_numbers("").has_value());
}

RC_GTEST_PROP(OpShapes, AnyTextIsReadWithoutHarm,
              (const std::string& dims, const std::string& types)) {
  const OpArguments args = parse_op_arguments(dims, types, dims, types);
  for (const OpArgument& arg : args) RC_ASSERT(arg.bytes() >= 0);
}

}  // namespace
}  // namespace rooflab::analysis
