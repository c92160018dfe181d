// SPDX-License-Identifier: Apache-2.0
// Names that must and must not be taken for a marker.
#include "analysis/markers.h"

#include <gtest/gtest.h>

#include "analysis/host_owner.h"

namespace rooflab::analysis {
namespace {

bool has(std::string_view name, NameUse use, Marker marker) {
  return (MarkerPatterns::shipped().match(name, use) & bit(marker)) != 0;
}

TEST(Markers, InputPipelinesOfManyKinds) {
  for (const char* name :
       {"load_batch", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
        "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", "fetch_next_batch",
        "decode_images", "parse_json_batch", "LoadBatch", "data_loading", "get_batch", "next_batch",
        "read data", "batch_fetch", "prefetch_data", "collate_samples", "IteratorGetNext",
        "Iterator::Prefetch::Map"}) {
    EXPECT_TRUE(has(name, NameUse::kRange, Marker::kInput)) << name;
  }
  for (const char* name :
       {"torch/utils/data/dataloader.py(701): __next__", "train.py(12): load_batch",
        "my_dataset.py(40): __getitem__", "PIL/Image.py(120): open"}) {
    EXPECT_TRUE(has(name, NameUse::kFrame, Marker::kInput)) << name;
  }
}

TEST(Markers, ModelCodeIsNoInputPipeline) {
  for (const char* name : {"forward",
                           "backward",
                           "step",
                           "h2d",
                           "slow_augment",
                           "Optimizer.step#AdamW.step",
                           "DistributedDataParallel.forward",
                           "nccl:all_reduce",
                           "load_state_dict",
                           "ProfilerStep#4",
                           "aten::native_batch_norm",
                           "aten::_cudnn_batch_norm",
                           "aten::embedding",
                           "aten::copy_",
                           "aten::sample_gumbel",
                           "threading",
                           "spread",
                           "download_weights",
                           "payload",
                           "DataParallel.forward",
                           "batch_norm",
                           "process_group"}) {
    EXPECT_FALSE(has(name, NameUse::kRange, Marker::kInput)) << name;
    EXPECT_FALSE(has(name, NameUse::kOp, Marker::kInput)) << name;
  }
}

TEST(Markers, CallsOfBothVendors) {
  EXPECT_TRUE(has("cudaStreamSynchronize", NameUse::kCall, Marker::kSync));
  EXPECT_TRUE(has("hipDeviceSynchronize", NameUse::kCall, Marker::kSync));
  EXPECT_TRUE(has("cuCtxSynchronize", NameUse::kCall, Marker::kSync));
  EXPECT_FALSE(has("cudaEventQuery", NameUse::kCall, Marker::kSync));
  EXPECT_TRUE(has("cudaMalloc", NameUse::kCall, Marker::kAlloc));
  EXPECT_TRUE(has("hipFree", NameUse::kCall, Marker::kAlloc));
  EXPECT_TRUE(has("cuMemAlloc_v2", NameUse::kCall, Marker::kAlloc));
  EXPECT_TRUE(has("cudaMemcpyAsync", NameUse::kCall, Marker::kCopyCall));
  EXPECT_TRUE(has("hipMemcpyWithStream", NameUse::kCall, Marker::kCopyCall));
  EXPECT_TRUE(has("cuModuleLoadData", NameUse::kCall, Marker::kCompile));
  EXPECT_TRUE(has("cuLibraryLoadData", NameUse::kCall, Marker::kCompile));
  for (const char* name : {"cudaLaunchKernel", "cuLaunchKernelEx", "hipLaunchKernel",
                           "cudaStreamIsCapturing", "cudaGraphLaunch", "cudaPeekAtLastError"}) {
    EXPECT_EQ(MarkerPatterns::shipped().match(name, NameUse::kCall), 0) << name;
  }
}

TEST(Markers, StepsAndRecorderWork) {
  EXPECT_TRUE(has("ProfilerStep#12", NameUse::kRange, Marker::kStep));
  EXPECT_TRUE(has("ProfilerStep#12", NameUse::kOp, Marker::kStep));  // recorders of 2021
  EXPECT_FALSE(has("step", NameUse::kRange, Marker::kStep));
  EXPECT_TRUE(has("Lazy Function Loading", NameUse::kOverhead, Marker::kCompile));
  EXPECT_FALSE(has("Activity Buffer Request", NameUse::kOverhead, Marker::kCompile));
}

TEST(Markers, OwnersAreShownByTheFunctionOfAFrame) {
  using model::SpanKind;
  EXPECT_EQ(owner_label("load_batch", SpanKind::kUserRange), "load_batch");
  EXPECT_EQ(owner_label("a/train.py(12): load_batch", SpanKind::kPython), "load_batch");
  EXPECT_EQ(owner_label("torch/utils/data/dataloader.py(701): __next__", SpanKind::kPython),
            "dataloader.py: __next__");
  EXPECT_EQ(owner_label("<built-in method next>", SpanKind::kPython), "<built-in method next>");
  EXPECT_EQ(owner_label("): __x__", SpanKind::kPython), "): __x__");
}

TEST(Markers, NumbersDoNotTellRangesApart) {
  EXPECT_EQ(without_numbers("iteration 12"), without_numbers("iteration 7"));
  EXPECT_EQ(without_numbers("ProfilerStep#12"), "ProfilerStep#");
  EXPECT_EQ(without_numbers(""), "");
}

}  // namespace
}  // namespace rooflab::analysis
