// SPDX-License-Identifier: Apache-2.0
#include "analysis/kernel_path.h"

#include <gtest/gtest.h>

namespace rooflab::analysis {
namespace {

TEST(KernelPath, ReadsGenerationAndAlignment) {
  const KernelPath old = kernel_path(
      "void cutlass::Kernel2<cutlass_75_tensorop_f16_s1688gemm_f16_256x128_nn_align1>(…)");
  EXPECT_EQ(old.generation, 75);
  EXPECT_TRUE(old.unaligned);
  const KernelPath aligned = kernel_path(
      "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>");
  EXPECT_EQ(aligned.generation, 80);
  EXPECT_FALSE(aligned.unaligned);
  EXPECT_EQ(kernel_path("nvjet_sm90_hsh_256x128_64x4_1x2_h_bz_coopA_NNT").generation, 90);
  EXPECT_EQ(kernel_path("volta_sgemm_32x128_tn").generation, 70);
  EXPECT_EQ(kernel_path("triton_poi_fused_add_0").generation, 0);
}

TEST(KernelPath, ReadsTensileTilesAndAssertions) {
  const KernelPath few = kernel_path(
      "Cijk_Ailk_Bljk_BBS_BH_MT256x128x64_MI16x16x16x1_SN_1LDSB0_APM1_AF0EM8_AF1EM8_AMAS3");
  EXPECT_EQ(few.tile_rows, 256);
  EXPECT_EQ(few.tile_columns, 128);
  EXPECT_FALSE(few.unaligned);
  EXPECT_TRUE(kernel_path("Cijk_MT256x112x64_MI16x16x16x1_AF0EM1_AF1EM1_AMAS3").unaligned);
  EXPECT_EQ(kernel_path("Cijk_MT99999x128x64_").tile_rows, 0);  // no tile is that large
}

TEST(KernelPath, KnowsLayoutChangesOfConvolutions) {
  EXPECT_TRUE(
      kernel_path("void cudnn::ops::nchwToNhwcKernel<__half, __half, float>").layout_change);
  EXPECT_TRUE(kernel_path("batched_transpose_32x32_half").layout_change);
  EXPECT_FALSE(kernel_path("reduce_wgrad_nchw_helper").layout_change);
}

TEST(KernelPath, KnowsNormsOfOneChannelToABlock) {
  const auto passes = [](const char* name) { return kernel_path(name).channel_passes; };
  EXPECT_EQ(passes("void at::native::batch_norm_collect_statistics_kernel<at::native::Var>"), 1);
  EXPECT_EQ(passes("void at::native::batch_norm_transform_input_kernel<float, float>"), 2);
  EXPECT_EQ(passes("void at::native::batch_norm_backward_kernel<float, float, float, int>"), 5);
  EXPECT_EQ(passes("void at::native::batch_norm_transform_input_channels_last_kernel<float>"), 0);
  EXPECT_EQ(passes("void at::native::batch_norm_backward_elemt_channels_last_kernel_impl<4>"), 0);
}

}  // namespace
}  // namespace rooflab::analysis
