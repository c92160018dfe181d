// SPDX-License-Identifier: Apache-2.0
// Large allocations on 2 MiB pages, for programs that fill hundreds of megabytes of columns once.
//
// A program opts in by calling use_huge_pages() first thing in main: that links in replacements of
// the global operator new and delete, which ask the kernel for huge pages (madvise) from 2 MiB on.
// Where the kernel has none, or under sanitizers, allocation is as usual. First touch of 4 KiB
// pages was a third of the CPU time of reading a run file and a quarter of importing a trace.
#pragma once

namespace rooflab {
void use_huge_pages();
}  // namespace rooflab
