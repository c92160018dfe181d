// SPDX-License-Identifier: Apache-2.0
// Shapes are recorded ones (H200, H100, V100, MI300X); the expected figures are written out as
// products.
#include "analysis/work_model.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "hw/data.h"
#include "hw/operator_markers.h"

namespace rooflab::analysis {
namespace {

struct Call {
  std::string_view op, dims, types;
  std::string_view concrete = {};
  std::string_view strides = {};
};

std::optional<OpWork> work(const Call& call) {
  return work_of_op(call.op,
                    parse_op_arguments(call.dims, call.types, call.strides, call.concrete));
}

void expect_work(const Call& call, double flops, double bytes, Precision precision) {
  const std::optional<OpWork> got = work(call);
  ASSERT_TRUE(got.has_value()) << call.op << " " << call.dims;
  EXPECT_DOUBLE_EQ(got->flops, flops) << call.op;
  EXPECT_DOUBLE_EQ(got->bytes, bytes) << call.op;
  EXPECT_EQ(got->precision, precision) << call.op;
}

TEST(WorkModel, MatrixProducts) {
  expect_work({"aten::mm", "[[4096,4095],[4095,4093]]", R"(["c10::Half","c10::Half"])"},
              2.0 * 4096 * 4095 * 4093, 2.0 * (4096.0 * 4095 + 4095.0 * 4093 + 4096.0 * 4093),
              Precision::kFp16);
  expect_work({"aten::addmm", "[[2048],[8192,2048],[2048,2048],[],[]]",
               R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","Scalar","Scalar"])"},
              2.0 * 8192 * 2048 * 2048, 2.0 * (2048 + 2 * 8192.0 * 2048 + 2048.0 * 2048),
              Precision::kBf16);
  expect_work({"aten::bmm", "[[96,3137,64],[96,64,3137]]", R"(["c10::BFloat16","c10::BFloat16"])"},
              2.0 * 96 * 3137 * 3137 * 64, 2.0 * 96 * (2 * 3137.0 * 64 + 3137.0 * 3137),
              Precision::kBf16);
  expect_work({"aten::linear", "[[4,10,512],[256,512],[256]]", R"(["float","float","float"])"},
              2.0 * 40 * 512 * 256, 4.0 * (40 * 512 + 256 * 512 + 256 + 40 * 256),
              Precision::kFp32);
  expect_work({"aten::mv", "[[100,200],[200]]", R"(["double","double"])"}, 2.0 * 100 * 200,
              8.0 * (100 * 200 + 200 + 100), Precision::kFp64);
  expect_work(
      {"aten::_scaled_mm", "[[64,128],[128,32]]", R"(["c10::Float8_e4m3fn","c10::Float8_e4m3fn"])"},
      2.0 * 64 * 128 * 32, 64 * 128 + 128 * 32 + 2.0 * 64 * 32, Precision::kFp8);
}

TEST(WorkModel, ABiasThatIsBroadcastIsReadOnce) {
  expect_work({"aten::addmm", "[[512,256],[512,64],[64,256]]", R"(["float","float","float"])", "",
               "[[0,1],[64,1],[256,1]]"},
              2.0 * 512 * 64 * 256, 4.0 * (256 + 512 * 64 + 64 * 256 + 512 * 256),
              Precision::kFp32);
}

TEST(WorkModel, AttentionForwardByLayoutAndMask) {
  const double s = 512;
  // cuDNN: [batch, heads, sequence, head], causal.
  expect_work(
      {"aten::_cudnn_attention_forward",
       "[[32,16,512,128],[32,16,512,128],[32,16,512,128],[],[],[],[],[],[],[],[],[],[]]",
       R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","","","","Scalar","Scalar","Scalar","Scalar","Scalar","Scalar",""])",
       R"(["","","","","","","512","512","False","0.","True","False",""])"},
      4.0 * 32 * 16 * (s * (s + 1) / 2) * 128, 4.0 * 2 * 32 * 16 * s * 128, Precision::kBf16);
  // Flash: [batch, sequence, heads, head], no mask.
  expect_work(
      {"aten::_flash_attention_forward",
       "[[1,141,8,64],[1,141,8,64],[1,141,8,64],[],[],[],[],[],[],[],[],[],[],[],[]]",
       R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","","","Scalar","Scalar","Scalar","Scalar","Scalar","Scalar","","","",""])",
       R"(["","","","","","141","141","0.","False","False","0.125","","","",""])"},
      4.0 * 8 * 141 * 141 * 64, 4.0 * 2 * 141 * 8 * 64, Precision::kBf16);
}

TEST(WorkModel, AttentionBackwardIsFiveProducts) {
  expect_work(
      {"aten::_cudnn_attention_backward",
       "[[16,16,1024,64],[16,16,1024,64],[16,16,1024,64],[16,16,1024,64],[16,16,1024,64],[16,16,"
       "1024,1],[],[],"
       "[],[],[],[],[],[],[],[]]",
       R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","c10::BFloat16","float","long int","long int","","","","Scalar","Scalar","Scalar","Scalar",""])",
       R"(["","","","","","","","","","","","1024","1024","0.","False",""])"},
      10.0 * 16 * 16 * 1024 * 1024 * 64, 8.0 * 2 * 16 * 16 * 1024 * 64, Precision::kBf16);
}

TEST(WorkModel, AttentionOnPackedBatchesIsRefused) {
  EXPECT_FALSE(
      work({"aten::_flash_attention_forward", "[[1,141,8,64],[1,141,8,64],[1,141,8,64],[3],[3]]",
            R"(["c10::Half","c10::Half","c10::Half","int","int"])"})
          .has_value());
  EXPECT_FALSE(work({"aten::_flash_attention_forward", "[[141,8,64],[141,8,64],[141,8,64],[],[]]",
                     R"(["c10::Half","c10::Half","c10::Half","",""])"})
                   .has_value());
}

TEST(WorkModel, Convolutions) {
  // 224/16 = 14 places a side; the vendor's operators differ in the order of their arguments.
  const double flops = 2.0 * 4 * 768 * 14 * 14 * 3 * 16 * 16;
  const double bytes = 2.0 * (4 * 3 * 224 * 224 + 768 * 3 * 16 * 16 + 4 * 768 * 14 * 14);
  expect_work(
      {"aten::cudnn_convolution", "[[4,3,224,224],[768,3,16,16],[],[],[],[],[],[],[]]",
       R"(["c10::BFloat16","c10::BFloat16","ScalarList","ScalarList","ScalarList","Scalar","Scalar","Scalar","Scalar"])",
       R"(["","","[0, 0]","[16, 16]","[1, 1]","1","False","False","True"])"},
      flops, bytes, Precision::kBf16);
  expect_work(
      {"aten::miopen_convolution", "[[4,3,224,224],[768,3,16,16],[768],[],[],[],[],[],[]]",
       R"(["c10::BFloat16","c10::BFloat16","c10::BFloat16","ScalarList","ScalarList","ScalarList","Scalar","Scalar","Scalar"])",
       R"(["","","","[0, 0]","[16, 16]","[1, 1]","1","False","False"])"},
      flops, bytes, Precision::kBf16);
  // stride 2, padding 3, kernel 7: (224 + 6 - 6 - 1) / 2 + 1 = 112
  expect_work(
      {"aten::convolution", "[[32,3,224,224],[64,3,7,7],[],[],[],[],[],[],[]]",
       R"(["float","float","","ScalarList","ScalarList","ScalarList","Scalar","ScalarList","Scalar"])",
       R"(["","","","[2, 2]","[3, 3]","[1, 1]","False","[0, 0]","1"])"},
      2.0 * 32 * 64 * 112 * 112 * 3 * 7 * 7,
      4.0 * (32.0 * 3 * 224 * 224 + 64 * 3 * 7 * 7 + 32.0 * 64 * 112 * 112), Precision::kFp32);
}

TEST(WorkModel, ConvolutionBackwardCountsThePassesOfItsMask) {
  const auto call = [](std::string_view mask) {
    return Call{
        "aten::convolution_backward",
        "[[32,64,56,56],[32,64,56,56],[64,64,3,3],[],[],[],[],[],[],[],[]]",
        R"(["float","float","float","ScalarList","ScalarList","ScalarList","ScalarList","Scalar","ScalarList","Scalar","ScalarList"])",
        mask};
  };
  const double pass = 2.0 * 32 * 64 * 56 * 56 * 64 * 3 * 3;
  const auto both = work(call(
      R"(["","","","[0]","[1, 1]","[1, 1]","[1, 1]","False","[0, 0]","1","[True, True, False]"])"));
  const auto one = work(call(
      R"(["","","","[0]","[1, 1]","[1, 1]","[1, 1]","False","[0, 0]","1","[False, True, False]"])"));
  ASSERT_TRUE(both && one);
  EXPECT_DOUBLE_EQ(both->flops, 2 * pass);
  EXPECT_DOUBLE_EQ(one->flops, pass);
  EXPECT_FALSE(work(call("")).has_value());
}

TEST(WorkModel, PointwiseWithBroadcastingAndTypes) {
  const double n = 134217728;
  expect_work({"aten::tanh", "[[134217728]]", R"(["float"])"}, n, 8 * n, Precision::kFp32);
  expect_work({"aten::add", "[[134217728],[],[]]", R"(["float","long int","Scalar"])"}, n,
              8 * n + 8, Precision::kFp32);
  const double m = 16.0 * 1024 * 1024;  // float + bf16 -> float
  expect_work(
      {"aten::add", "[[16,1024,1024],[16,1024,1024],[]]", R"(["float","c10::BFloat16","Scalar"])"},
      m, m * (4 + 2 + 4), Precision::kFp32);
  expect_work({"aten::add_", "[[4,768,14,14],[1,768,1,1],[]]",
               R"(["c10::BFloat16","c10::BFloat16","Scalar"])"},
              4.0 * 768 * 14 * 14, 2.0 * (2 * 4 * 768 * 14 * 14 + 768), Precision::kFp32);
  expect_work({"aten::eq", "[[1,141],[]]", R"(["long int","Scalar"])"}, 141, 141 * 9,
              Precision::kFp32);
  // A gradient that is one number seen as a matrix: read once.
  expect_work({"aten::div", "[[8192,2048],[]]", R"(["float","long int"])", "", "[[0,0],[]]"},
              8192.0 * 2048, 4 + 8 + 4.0 * 8192 * 2048, Precision::kFp32);
  // The third tensor is where an out variant writes.
  expect_work(
      {"aten::clamp_min", "[[32,64,112,112],[],[32,64,112,112]]", R"(["float","Int","float"])"},
      32.0 * 64 * 112 * 112, 8.0 * 32 * 64 * 112 * 112, Precision::kFp32);
  EXPECT_FALSE(
      work({"aten::add", "[[3,4],[5,4],[]]", R"(["float","float","Scalar"])"}).has_value());
}

TEST(WorkModel, Streams) {
  const double n = 8192.0 * 2048;
  expect_work(
      {"aten::copy_", "[[8192,2048],[8192,2048],[]]", R"(["float","c10::BFloat16","Scalar"])"}, 0,
      n * 6, Precision::kFp32);
  expect_work({"aten::fill_", "[[8192,2048],[]]", R"(["float","Scalar"])"}, 0, n * 4,
              Precision::kFp32);
  expect_work({"aten::native_layer_norm", "[[8192,2048],[],[2048],[2048],[]]",
               R"(["c10::BFloat16","ScalarList","c10::BFloat16","c10::BFloat16","Scalar"])"},
              8 * n, 2 * (2 * n + 2 * 2048), Precision::kFp32);
  expect_work(
      {"aten::native_layer_norm_backward",
       "[[8192,2048],[8192,2048],[],[8192,1],[8192,1],[2048],[2048],[]]",
       R"(["c10::BFloat16","c10::BFloat16","ScalarList","float","float","c10::BFloat16","c10::BFloat16","ScalarList"])"},
      14 * n, 2 * 3 * n + 2 * 4 * 8192 + 2 * 2048, Precision::kFp32);
  expect_work({"aten::_softmax", "[[8,12,3137,3137],[],[]]",
               R"(["c10::BFloat16","Scalar","Scalar"])", R"(["","-1","False"])"},
              5 * 8.0 * 12 * 3137 * 3137, 4 * 8.0 * 12 * 3137 * 3137, Precision::kFp32);
  expect_work({"aten::_log_softmax", "[[32,1000],[],[]]", R"(["c10::Half","Scalar","Scalar"])",
               R"(["","1","True"])"},
              5 * 32000.0, 6 * 32000.0, Precision::kFp32);
}

TEST(WorkModel, ReductionsKeepWhatTheirAxesLeave) {
  const double n = 8192.0 * 2048;
  expect_work({"aten::sum", "[[8192,2048],[],[],[]]",
               R"(["c10::BFloat16","ScalarList","Scalar",""])", R"(["","[0]","True",""])"},
              n, 2 * (n + 2048), Precision::kFp32);
  expect_work({"aten::mean", "[[8192,2048],[],[],[]]", R"(["float","ScalarList","Scalar",""])",
               R"(["","[]","False",""])"},
              n, 4 * (n + 1), Precision::kFp32);
  EXPECT_FALSE(work({"aten::sum", "[[8,2],[],[]]", R"(["float","ScalarList","Scalar"])",
                     R"(["","[5]","True"])"})
                   .has_value());
}

TEST(WorkModel, GathersReadRowsNotTables) {
  expect_work({"aten::index_select", "[[30522,512],[],[141]]",
               R"(["c10::BFloat16","Scalar","long int"])", R"(["","0",""])"},
              0, 141 * 8 + 2.0 * 2 * 141 * 512, Precision::kFp32);
}

TEST(WorkModel, RefusesWhatItDoesNotKnow) {
  EXPECT_FALSE(work({"aten::mystery", "[[8],[8]]", R"(["float","float"])"}).has_value());
  EXPECT_FALSE(work({"aten::mm", "", ""}).has_value());
  EXPECT_FALSE(work({"aten::mm", "[[8,8]]", R"(["float"])"}).has_value());
  EXPECT_FALSE(work({"aten::mm", "[[8,8],[9,8]]", R"(["float","float"])"}).has_value());
  EXPECT_FALSE(work({"aten::mm", "[[0,8],[8,0]]", R"(["float","float"])"}).has_value());
  EXPECT_FALSE(
      work({"aten::cat", "[[[1,768],[4,768]],[]]", R"(["TensorList","Scalar"])"}).has_value());
  EXPECT_FALSE(
      work({"aten::_fused_adamw_", "[[],[]]", R"(["TensorList","TensorList"])"}).has_value());
}

TEST(WorkModel, EveryListedFormIsImplemented) {
  const auto markers = hw::parse_operator_markers(hw::shipped_text("markers/operators.json"));
  ASSERT_TRUE(markers.has_value()) << markers.error().where << " " << markers.error().message;
  EXPECT_GE(markers->form_of_op.size(), 150U);
  const std::vector<std::string> known = {
      "matmul", "attention", "convolution", "convolution_backward", "pointwise",
      "stream", "reduction", "gather",      "gather_each"};
  for (const auto& form : markers->forms) {
    EXPECT_NE(std::find(known.begin(), known.end(), form.form), known.end()) << form.form;
  }
}

// Whatever a file says, a figure is finite and positive or there is none.
RC_GTEST_PROP(WorkModel, HostileShapesGiveFiniteFiguresOrNone,
              (std::vector<std::vector<std::int64_t>> shapes)) {
  const auto markers = hw::parse_operator_markers(hw::shipped_text("markers/operators.json"));
  std::string dims = "[";
  std::string types = "[";
  for (const auto& shape : shapes) {
    dims += dims.size() > 1 ? ",[" : "[";
    types += types.size() > 1 ? ",\"float\"" : "\"float\"";
    for (std::size_t i = 0; i < shape.size(); ++i)
      dims += (i > 0 ? "," : "") + std::to_string(shape[i]);
    dims += "]";
  }
  const OpArguments args =
      parse_op_arguments(dims + "]", types + "]", dims + "]", "[\"[1]\",\"True\",\"-1\",\"0\"]");
  for (const auto& [op, form] : markers->form_of_op) {
    const auto got = work_of_op(op, args);
    RC_ASSERT(!got ||
              (got->bytes > 0 && got->flops >= 0 && got->flops < 1e21 && got->bytes < 1e21));
  }
}

}  // namespace
}  // namespace rooflab::analysis
