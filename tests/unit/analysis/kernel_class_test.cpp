// SPDX-License-Identifier: Apache-2.0
// Names are as recorded (H200, H100, V100, MI300X) or, where marked, as the project's sources write
// them.
#include "analysis/kernel_class.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "hw/data.h"
#include "hw/kernel_markers.h"
#include "model/builder.h"

namespace rooflab::analysis {
namespace {

std::string class_of(std::string_view name) {
  return std::string(to_string(classify_kernel_name(name).kernel_class));
}

// "bf16 matrix", "fp32 vector", "matrix" (operand type not named) or "?" (the name does not say).
std::string math_of(std::string_view name) {
  const KernelMath math = classify_kernel_name(name).math;
  if (!math.known) return "?";
  const std::string precision(to_string(math.precision));
  return (precision.empty() ? "" : precision + " ") + (math.tensor_path ? "matrix" : "vector");
}

TEST(KernelClass, MatrixProductsOfEveryLibrary) {
  EXPECT_EQ(class_of("nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_bias_TNT"), "gemm");
  EXPECT_EQ(class_of("volta_sgemm_64x64_nt"), "gemm");
  EXPECT_EQ(
      class_of("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize256x128x8_stage3_warpsize4x2x1_ffma"),
      "gemm");
  EXPECT_EQ(
      class_of(
          "void cutlass::Kernel2<cutlass_75_tensorop_f16_s1688gemm_f16_256x128_nn_align1>(...)"),
      "gemm");
  EXPECT_EQ(class_of("Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT16x16x128_MI16x16x1_SN"),
            "gemm");
  EXPECT_EQ(class_of("Cijk_B_PostGSU2"), "gemm");
  EXPECT_EQ(class_of("void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16>(...)"),
            "gemm");
  EXPECT_EQ(
      class_of(
          "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, __nv_bfloat16>"),
      "gemm");
  EXPECT_EQ(class_of("triton_tem_fused_addmm_relu_1"), "gemm");    // inductor sources
  EXPECT_EQ(class_of("_ZN2ck16kernel_gemm_xdlops_v2r3"), "gemm");  // mangled, CK sources
}

TEST(KernelClass, ConvolutionsBeforeTheGemmTheyAreMadeOf) {
  EXPECT_EQ(class_of("volta_scudnn_128x64_relu_medium_nn_v1"), "conv");
  EXPECT_EQ(class_of("void implicit_convolve_sgemm<float, float, 1024, 6, 7, 3, 3, 5, 1, false>"),
            "conv");
  EXPECT_EQ(class_of("void cudnn::detail::dgrad_engine<float, 512, 6, 5, 3, 3, 3, false>(int)"),
            "conv");
  EXPECT_EQ(
      class_of("void cutlass__5x_cudnn::Kernel<cutlass_tensorop_bf16_s16816fprop_optimized_bf16>"),
      "conv");
  EXPECT_EQ(class_of("igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt64x64x16_wt16x16x4"), "conv");
  EXPECT_EQ(class_of("cask_cudnn::computeOffsetsKernel(cask_cudnn::ComputeOffsetsParams)"), "conv");
  EXPECT_EQ(class_of("void cudnn::ops::nchwToNhwcKernel<float, float, float, false, true>"),
            "layout");
  EXPECT_EQ(class_of("batched_transpose_256x4_half"), "layout");
  EXPECT_EQ(class_of("SubTensorOpWithScalar1d"), "elementwise");
}

TEST(KernelClass, AttentionOfEveryLibrary) {
  EXPECT_EQ(
      class_of(
          "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x128_4x1x1"),
      "attention");
  EXPECT_EQ(
      class_of(
          "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<64, 128>>"),
      "attention");
  EXPECT_EQ(class_of("attn_fwd"), "attention");
  EXPECT_EQ(class_of("void cudnn::fusion::compute_dot_do_o_specialized<true, 64>(void const*)"),
            "attention");
  EXPECT_EQ(
      class_of("fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel)"),
      "attention");  // PyTorch sources
  EXPECT_EQ(class_of("void flashinfer::norm::FusedAddRMSNormKernel<8>"),
            "norm");  // FlashInfer sources
}

TEST(KernelClass, FrameworkKernels) {
  EXPECT_EQ(class_of("void at::native::(anonymous "
                     "namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>"),
            "norm");
  EXPECT_EQ(
      class_of("void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true>"),
      "norm");
  EXPECT_EQ(class_of("void cudnn::bn_bw_1C11_kernel_new<float, float, float2, 512, true, 1>"),
            "norm");
  EXPECT_EQ(class_of("void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, "
                     "at::native::NormTwoOps>>"),
            "reduction");
  EXPECT_EQ(
      class_of("void at::native::(anonymous namespace)::max_pool_backward_nchw<float, float>"),
      "reduction");
  EXPECT_EQ(
      class_of("void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>"),
      "elementwise");
  EXPECT_EQ(
      class_of(
          "void at::native::elementwise_kernel_manual_unroll<128, 8, at::native::CUDAFunctor_add>"),
      "elementwise");
  EXPECT_EQ(
      class_of(
          "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(...)>"),
      "layout");
  EXPECT_EQ(class_of("void at::native::(anonymous namespace)::CatArrayBatchedCopy<OpaqueType<2u>>"),
            "layout");
  EXPECT_EQ(
      class_of(
          "void at::native::(anonymous namespace)::indexSelectLargeIndex<c10::BFloat16, long>"),
      "embedding");
  EXPECT_EQ(class_of("void at::native::(anonymous "
                     "namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor>"),
            "optimizer");
  EXPECT_EQ(class_of("void at_cuda_detail::cub::DeviceRadixSortOnesweepKernel<Policy>"),
            "sort_scan");
}

TEST(KernelClass, FusionsKeepTheirClassWhateverTheyFused) {
  EXPECT_EQ(class_of("triton_poi_fused_add_native_layer_norm_0"), "fused");
  EXPECT_EQ(class_of("triton_red_fused__softmax_2"), "fused");
  EXPECT_EQ(class_of("input_reduce_fusion"), "fused");
}

TEST(KernelClass, CommunicationAndBlitKernelsAreNoCompute) {
  EXPECT_EQ(class_of("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
            "comm");
  EXPECT_EQ(class_of("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)"), "comm");
  EXPECT_EQ(class_of("void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>"), "comm");
  EXPECT_EQ(class_of("__amd_rocclr_copyBufferAligned"), "copy");
  EXPECT_EQ(class_of("__amd_rocclr_fillBufferAligned"), "memset");
}

TEST(KernelClass, UnknownAndOddNamesAreOther) {
  EXPECT_EQ(class_of("app::step_simulation(float*)"), "other");
  EXPECT_EQ(class_of(""), "other");
  EXPECT_EQ(class_of(std::string(3U << 20U, 'x')), "other");
  EXPECT_EQ(class_of(std::string("\xff\xfe gemm", 7)), "gemm");  // broken text is matched as bytes
}

TEST(KernelMath, OperandTypeAndUnitsFromTheName) {
  EXPECT_EQ(math_of("nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT"), "bf16 matrix");
  EXPECT_EQ(math_of("nvjet_sm90_hsh_192x192_64x4_1x2_h_bz_coopB_bias_TNN"), "fp16 matrix");
  EXPECT_EQ(math_of("sm90_xmma_gemm_f32f32_tf32f32_f32_nn_n_tilesize128x256x32_warpgroupsize2x1x1"),
            "tf32 matrix");
  EXPECT_EQ(math_of("sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize256x128x8_stage3_ffma_aligna4"),
            "fp32 vector");
  EXPECT_EQ(math_of("volta_scudnn_128x64_relu_medium_nn_v1"), "fp32 vector");
  EXPECT_EQ(
      math_of(
          "void "
          "cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>"),
      "bf16 matrix");
  EXPECT_EQ(math_of("Cijk_Ailk_Bljk_BBS_BH_MT256x128x64_MI16x16x16x1_SN"), "bf16 matrix");
  EXPECT_EQ(math_of("Cijk_Alik_Bljk_B_BS_BH_Bias_HA_S_SAV_UserArgs_MT16x16x128_MI16x16x1_SN"),
            "bf16 matrix");
  EXPECT_EQ(math_of("Cijk_Alik_Bljk_HHS_BH_MT128x128x32_MI32x32x8x1_SN"), "fp16 matrix");
  EXPECT_EQ(math_of("Cijk_Ailk_Bjlk_SB_MT128x128x16_MI32x32x2x1_SN"), "fp32 matrix");
  EXPECT_EQ(math_of("attn_fwd"), "matrix");
  EXPECT_EQ(math_of("void cublasLt::splitKreduce_kernel<32, 16, int, float, __nv_bfloat16>"), "?");
  EXPECT_EQ(
      math_of("void at::native::vectorized_elementwise_kernel<8, CUDAFunctor_add<c10::BFloat16>>"),
      "?");
}

TEST(KernelClasses, ClassifiesKernelRowsAndNothingElse) {
  model::Builder builder("test");
  const model::TrackId stream = builder.stream_track(0, 7);
  const StringId gemm = builder.intern("volta_sgemm_64x64_nt");
  const StringId copy = builder.intern("Memcpy HtoD (gemm)");
  model::WorkRow row;
  row.track = stream;
  row.name = gemm;
  builder.add(row);
  row.name = copy;
  row.kind = model::WorkKind::kCopy;
  builder.add(row);
  const model::Profile profile = std::move(builder).build();
  const KernelClasses classes = classify_kernels(profile);
  EXPECT_EQ(classes.of(gemm), KernelClass::kGemm);
  EXPECT_EQ(classes.of(copy), KernelClass::kOther);
  EXPECT_EQ(classes.math(gemm).precision, Precision::kFp32);
  EXPECT_EQ(classes.of(StringId()), KernelClass::kOther);
  EXPECT_FALSE(classes.math(StringId(999999U)).known);
}

TEST(KernelMarkers, EveryClassButOtherHasAPattern) {
  const auto markers = hw::parse_kernel_markers(hw::shipped_text("markers/kernels.json"));
  ASSERT_TRUE(markers.has_value()) << markers.error().message;
  std::set<std::string> named;
  for (const auto& marker : markers->classes) named.insert(marker.kernel_class);
  for (int c = 0; c <= static_cast<int>(KernelClass::kMemset); ++c) {
    const auto name = std::string(to_string(static_cast<KernelClass>(c)));
    EXPECT_EQ(named.count(name), name == "other" ? 0U : 1U) << name;
  }
}

TEST(KernelMarkers, RefusesWhatIsNotTheSchema) {
  EXPECT_FALSE(hw::parse_kernel_markers("").has_value());
  EXPECT_FALSE(hw::parse_kernel_markers("[1]").has_value());
  EXPECT_FALSE(hw::parse_kernel_markers(R"({"classes":[]})").has_value());
  const auto bad =
      hw::parse_kernel_markers(R"({"classes":[{"class":"gemm","pattern":"x"}],"math":[]})");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error().where, "classes[0]");
}

}  // namespace
}  // namespace rooflab::analysis
