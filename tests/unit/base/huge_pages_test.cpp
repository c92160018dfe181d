// SPDX-License-Identifier: Apache-2.0
#include "base/huge_pages.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <vector>

namespace rooflab {
namespace {

// Blocks below, at and above a huge page keep their contents while they grow and are given back.
TEST(HugePages, AllocationStaysCorrect) {
  use_huge_pages();
  std::vector<std::uint32_t> growing;
  for (std::uint32_t i = 0; i < 3000000; ++i) growing.push_back(i);
  for (std::uint32_t i = 0; i < 3000000; ++i) ASSERT_EQ(growing[i], i);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, (std::size_t{2} << 20U) - 1,
                                  std::size_t{2} << 20U, (std::size_t{2} << 20U) + 1}) {
    char* const block = static_cast<char*>(::operator new(bytes));
    ASSERT_NE(block, nullptr);
    if (bytes > 0) block[bytes - 1] = 'x';
    ::operator delete(block);
  }
}

TEST(HugePages, AnImpossibleSizeIsRefusedAsUsual) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer ends the process here";
#else
  use_huge_pages();
  volatile std::size_t size = ~std::size_t{0} / 2;
  EXPECT_EQ(::operator new(size, std::nothrow), nullptr);
#endif
}

}  // namespace
}  // namespace rooflab
