// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_facts.h"

#include <gtest/gtest.h>

namespace rooflab::analysis {
namespace {

OpFacts facts(const char* op, const char* dims, const char* types, const char* strides = "",
              const char* concrete = "") {
  return op_facts(op, parse_op_arguments(dims, types, strides, concrete));
}

constexpr const char* kHalves = R"(["c10::Half","c10::Half"])";

TEST(OpFacts, FindsUnalignedSizesOfProducts) {
  const OpFacts f = facts("aten::mm", "[[4096,4095],[4095,4093]]", kHalves, "[[4095,1],[4093,1]]");
  EXPECT_EQ(f.kind, OpKind::kProduct);
  EXPECT_TRUE(f.misaligned);
  EXPECT_EQ(f.sizes, "K 4095, N 4093");
  EXPECT_EQ(f.alignment, 8);
  EXPECT_DOUBLE_EQ(f.padding, 4096.0 / 4095 * 4096 / 4093);
  EXPECT_FALSE(facts("aten::mm", "[[4096,4096],[4096,4096]]", kHalves).misaligned);
}

TEST(OpFacts, OnlyContiguousAxesMustBeAligned) {
  // Rows of the left operand need no alignment; columns that lie contiguous do.
  EXPECT_FALSE(
      facts("aten::mm", "[[4095,4096],[4096,64]]", kHalves, "[[4096,1],[64,1]]").misaligned);
  const OpFacts transposed =
      facts("aten::mm", "[[4095,4096],[4096,64]]", kHalves, "[[1,4095],[64,1]]");
  EXPECT_EQ(transposed.sizes, "M 4095");
  // A slice of a wider matrix: its rows start anywhere.
  EXPECT_TRUE(facts("aten::mm", "[[64,64],[64,64]]", kHalves, "[[65,1],[64,1]]").misaligned);
}

TEST(OpFacts, AlignmentDependsOnTheElement) {
  const char* floats = R"(["float","float"])";
  EXPECT_FALSE(facts("aten::mm", "[[64,36],[36,64]]", floats).misaligned);
  EXPECT_TRUE(facts("aten::mm", "[[64,36],[36,64]]", kHalves).misaligned);
  EXPECT_EQ(facts("aten::mm", "[[64,36],[36,64]]", floats).alignment, 4);
}

TEST(OpFacts, VectorsAreNotPadded) {
  EXPECT_FALSE(facts("aten::mm", "[[4096,4096],[4096,1]]", kHalves).misaligned);
  EXPECT_EQ(facts("aten::mv", "[[4096,4096],[4096]]", kHalves).kind, OpKind::kOther);
}

TEST(OpFacts, TellsBatchesFromLinearLayers) {
  const OpFacts batch = facts("aten::bmm", "[[8,64,32],[8,32,16]]", kHalves);
  EXPECT_EQ(batch.batch, 8);
  EXPECT_FALSE(batch.weight_operand);
  const OpFacts layer = facts("aten::linear", "[[4,128,64],[256,64],[256]]",
                              R"(["c10::Half","c10::Half","c10::Half"])");
  EXPECT_TRUE(layer.weight_operand);
  EXPECT_EQ(layer.m, 512);
  EXPECT_EQ(layer.n, 256);
}

TEST(OpFacts, FindsOddChannels) {
  const OpFacts f = facts(
      "aten::cudnn_convolution", "[[8,3,224,224],[64,3,7,7],[],[],[],[],[],[],[]]",
      R"(["c10::Half","c10::Half","ScalarList","ScalarList","ScalarList","Scalar","Scalar","Scalar","Scalar"])",
      "", R"(["","","[3, 3]","[2, 2]","[1, 1]","1","False","False","True"])");
  EXPECT_EQ(f.kind, OpKind::kConvolution);
  EXPECT_EQ(f.sizes, "channels in 3");
}

TEST(OpFacts, TellsCopiesApart) {
  const OpFacts cast = facts("aten::copy_", "[[64,64],[64,64],[]]",
                             R"(["c10::BFloat16","float","Scalar"])", "[[64,1],[64,1],[]]");
  EXPECT_EQ(cast.kind, OpKind::kCopy);
  EXPECT_TRUE(cast.type_change);
  EXPECT_FALSE(cast.layout_change);
  const OpFacts turned = facts("aten::copy_", "[[64,64],[64,64],[]]",
                               R"(["float","float","Scalar"])", "[[64,1],[1,64],[]]");
  EXPECT_FALSE(turned.type_change);
  EXPECT_TRUE(turned.layout_change);
}

TEST(OpFacts, KnowsReductionsOverTheLastAxes) {
  const char* types = R"(["float","ScalarList","Scalar",""])";
  const OpFacts rows =
      facts("aten::mean", "[[32,64],[],[],[]]", types, "", R"(["","[-1]","True",""])");
  EXPECT_EQ(rows.kind, OpKind::kReduction);
  EXPECT_TRUE(rows.trailing);
  EXPECT_EQ(rows.result.elements, 32);
  EXPECT_FALSE(
      facts("aten::mean", "[[32,64],[],[],[]]", types, "", R"(["","[0]","True",""])").trailing);
}

TEST(OpFacts, HostileShapesAreNoFacts) {
  EXPECT_EQ(facts("aten::mm", "[[0,0],[0,0]]", kHalves).kind, OpKind::kOther);
  EXPECT_EQ(facts("aten::mm", "[[-5,3],[3,-2]]", kHalves).kind, OpKind::kOther);
  EXPECT_EQ(facts("aten::mm", "", "").kind, OpKind::kOther);
}

}  // namespace
}  // namespace rooflab::analysis
