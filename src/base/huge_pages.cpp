// SPDX-License-Identifier: Apache-2.0
#include "base/huge_pages.h"

#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <malloc.h>
#include <sys/mman.h>
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ROOFLAB_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define ROOFLAB_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE) && !defined(ROOFLAB_SANITIZED)
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;  // x86-64, and aarch64 with 4 KiB pages
constexpr std::size_t kLargest = ~std::size_t{0} - kHugePage;  // rounding up does not overflow

void* allocate(std::size_t size) {
  if (size < kHugePage || size > kLargest) return std::malloc(size == 0 ? 1 : size);
  const std::size_t rounded = (size + kHugePage - 1) / kHugePage * kHugePage;
  void* const block = std::aligned_alloc(kHugePage, rounded);
  if (block != nullptr) (void)::madvise(block, rounded, MADV_HUGEPAGE);  // advice only
  return block;
}

}  // namespace

// [new.delete.single]: on failure the new-handler is tried again and again, then bad_alloc.
void* operator new(std::size_t size) {
  while (true) {
    if (void* const block = allocate(size)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

// A fixed threshold gives every large block a mapping of its own. glibc's default grows with use
// and then serves them from the heap, where aligning each to 2 MiB leaves holes (measured: 5x the
// memory).
// Smaller blocks are kept for the next chunk instead of being given back and touched anew.
void rooflab::use_huge_pages() {
  ::mallopt(M_MMAP_THRESHOLD, static_cast<int>(kHugePage));
  ::mallopt(M_TRIM_THRESHOLD, 32 << 20);
}
#else
void rooflab::use_huge_pages() {}
#endif
