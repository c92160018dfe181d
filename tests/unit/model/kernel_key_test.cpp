// SPDX-License-Identifier: Apache-2.0
#include "model/kernel_key.h"

#include <gtest/gtest.h>

namespace rooflab::model {
namespace {

TEST(KernelKey, OneSpellingForAllRecorders) {
  EXPECT_EQ(kernel_key("void mm_tiled<(int)32>(const float *, float *)"), "mm_tiled<32>");
  EXPECT_EQ(kernel_key("void mm_tiled<32>(float const*, float*)"), "mm_tiled<32>");
  EXPECT_EQ(kernel_key("k"), "k");
  EXPECT_EQ(kernel_key("_Z1kPf"), "_Z1kPf");
  EXPECT_EQ(kernel_key("gemm_kernel.kd"), "gemm_kernel");
  EXPECT_EQ(kernel_key("void k<a, b>(int) [clone .0]"), "k<a,b>");
  EXPECT_EQ(kernel_key("void (anonymous namespace)::k<float, (int)-1>(int)"),
            "(anonymousnamespace)::k<float,-1>");
  EXPECT_EQ(kernel_key("void f<void (*)(int)>(int)"), "f<void(*)(int)>");
  EXPECT_EQ(kernel_key("unsigned int g(int)"), "g");
  EXPECT_EQ(kernel_key(""), "");
  EXPECT_EQ(kernel_key("(((("), "(");  // what is no name comes back short, not broken
  EXPECT_EQ(kernel_key(">>>> <<<<("), "<<<<(");
}

TEST(KernelKey, TheFunctionsOwnName) {
  EXPECT_EQ(kernel_base("void at::native::k<at::Tensor, 4>(int)"), "k");
  EXPECT_EQ(kernel_base("void mm_tiled<(int)32>(const float *)"), "mm_tiled");
  EXPECT_EQ(kernel_base("(anonymous namespace)::softmax<float>(int)"), "softmax");
  EXPECT_EQ(kernel_base("unnamed>::saxpy_kernel(float, const float *)"), "saxpy_kernel");
}

}  // namespace
}  // namespace rooflab::model
