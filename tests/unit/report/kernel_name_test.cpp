// SPDX-License-Identifier: Apache-2.0
#include "report/kernel_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace rooflab::report {
namespace {

using ::testing::ElementsAre;

TEST(KernelName, FoldsTemplateArgumentsAndParameters) {
  const Style style;
  EXPECT_EQ(fold_kernel_name(
                "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, "
                "std::array<char*, 1ul> >(int, at::native::FillFunctor<float>)",
                style),
            "vectorized_elementwise_kernel<…>");
  EXPECT_EQ(fold_kernel_name(
                "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", style),
            "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
  EXPECT_EQ(fold_kernel_name("sm90_xmma_gemm_bf16bf16_bf16f32_f32", style),
            "sm90_xmma_gemm_bf16bf16_bf16f32_f32");
  EXPECT_EQ(fold_kernel_name("void (anonymous namespace)::softmax<float>(float*)", style),
            "softmax<…>");
  EXPECT_EQ(fold_kernel_name("T::operator()<int>(int)", style), "T::operator()<…>");
  EXPECT_EQ(fold_kernel_name("T::operator<(int)", style), "T::operator<");
}

TEST(KernelName, OddNamesStayReadable) {
  const Style style;
  EXPECT_EQ(fold_kernel_name("", style), "");
  EXPECT_EQ(fold_kernel_name("<<<", style), "<…>");
  EXPECT_EQ(fold_kernel_name("(only parameters)", style), "(only parameters)");
  EXPECT_EQ(fold_kernel_name("a>b", style), "a>b");
}

TEST(KernelName, DemanglesSymbolsButNotBombs) {
  EXPECT_EQ(demangle("_Z3addPfS_i"), "add(float*, float*, int)");
  EXPECT_EQ(demangle("_Znonsense"), "_Znonsense");
  std::string bomb = "_Z1f";
  for (int i = 0; i < 60; ++i) bomb += "S0_S0_";
  EXPECT_EQ(demangle(bomb), bomb);
}

TEST(KernelName, EquallyFoldedKernelsKeepTheWordThatDiffers) {
  EXPECT_THAT(
      display_kernel_names({"void k<4, at::native::AddFunctor<float> >(int)",
                            "void k<4, at::native::MulFunctor<float> >(int)", "void other<1>()"},
                           Style{}),
      ElementsAre("k<…AddFunctor…>", "k<…MulFunctor…>", "other<…>"));
}

TEST(KernelName, FullNamesAreWhole) {
  Style style;
  style.full_names = true;
  EXPECT_THAT(display_kernel_names({"void k<4>(int)"}, style), ElementsAre("void k<4>(int)"));
}

}  // namespace
}  // namespace rooflab::report
