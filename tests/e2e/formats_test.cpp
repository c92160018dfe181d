// SPDX-License-Identifier: Apache-2.0
// `rooflab why FILE --json` on the formats beside PyTorch's trace: the figures that other tools or
// the recorders themselves give, to the digit, and the limits that are known.
#include <gmock/gmock.h>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SchemaJson why_data(const std::string& path, int status = 0) {
  const Outcome run = rooflab("why " + quoted(path) + " --json");
  EXPECT_EQ(run.status, status) << path << ": " << run.err;
  SchemaJson json = parsed(run.out);
  EXPECT_EQ(schema_fault(json, schema("why")), "") << path;
  return json.is_object() && json.contains("data") ? json["data"] : SchemaJson::object();
}

TEST(Formats, BothFilesOfAJaxRunSayThatTheHostLimitsAndNotTheInput) {
  for (const char* name : {"h200/jax/vm.xplane.pb", "h200/jax/vm.trace.json.gz"}) {
    const SchemaJson data = why_data(test_data(name));
    EXPECT_EQ(data["metrics"]["device_busy_ns"], 1633176) << name;
    EXPECT_EQ(data["metrics"]["kernel_sum_ns"], 1654201) << name;
    EXPECT_EQ(data["verdict"]["limit"], "host") << name;
    EXPECT_EQ(data["verdict"]["state"], "improvable") << name;
    EXPECT_EQ(data["window"]["units"], 4) << name;
    EXPECT_THAT(data.dump(), Not(HasSubstr("starved.input"))) << name;
  }
}

TEST(Formats, JaxOnMi300x) {
  ROOFLAB_CASE(path, "public/xplane/jax_legacy_mi300_conv.xplane.pb");
  const SchemaJson devices = why_data(path)["metrics"]["devices"];
  ASSERT_EQ(devices.size(), 2U);
  EXPECT_EQ(devices[0]["device_busy_ns"], 889028);
  EXPECT_EQ(devices[0]["device_span_ns"], 27867728);
  EXPECT_EQ(devices[1]["device_busy_ns"], 3586493);
  EXPECT_EQ(devices[1]["device_span_ns"], 15761301);
}

TEST(Formats, JaxWithFusedAttention) {
  ROOFLAB_CASE(path, "public/xplane/jax_te_fused_attn.xplane.pb");
  const SchemaJson data = why_data(path);
  EXPECT_EQ(data["metrics"]["device_busy_ns"], 12133127);
  EXPECT_EQ(data["metrics"]["device_span_ns"], 12956751);
  EXPECT_EQ(data["verdict"]["state"], "healthy");
}

TEST(Formats, KernelsOfATrainingRunWithoutTheirCalls) {
  ROOFLAB_CASE(path, "public/rocprofv3/908_results.json.gz");
  const SchemaJson data = why_data(path, 5);  // what the host did in the gaps is not in the file
  EXPECT_EQ(data["metrics"]["device_work_count"], 43915);
  EXPECT_EQ(data["metrics"]["kernel_sum_ns"], 4441741378);
  EXPECT_EQ(data["metrics"]["device_busy_ns"], 4233112334);
  EXPECT_EQ(data["metrics"]["device_span_ns"], 15122023494);
  EXPECT_EQ(data["verdict"]["state"], "inconclusive");
  EXPECT_THAT(data["hygiene"].dump(), HasSubstr("no launch calls"));
}

TEST(Formats, TablesWithOnePrefixAreAnsweredAsOne) {
  const Folder folder;
  folder.write("5_kernel_trace.csv",
               "Kind,Agent_Id,Queue_Id,Dispatch_Id,Kernel_Name,Correlation_Id,Start_Timestamp,"
               "End_Timestamp\nKERNEL_DISPATCH,1,1,1,f,11,1000,2000\n");
  folder.write("5_hip_api_trace.csv",
               "Domain,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,"
               "End_Timestamp\nHIP_RUNTIME_API,hipLaunchKernel,5,7,11,900,950\n");
  folder.write("5_hip_api_stats.csv", "Name,Calls,TotalDurationNs\nhipLaunchKernel,1,50\n");
  const SchemaJson data = why_data(folder.path());
  EXPECT_EQ(data["metrics"]["kernel_count"], 1);
  EXPECT_EQ(data["metrics"]["unlinked_count"], 0);
  const Outcome import =
      rooflab("import " + quoted(folder.path()) + " -o " + quoted(folder.file("all.rlab")));
  EXPECT_EQ(import.status, 0) << import.err;
  EXPECT_EQ(why_data(folder.file("all.rlab"))["metrics"]["unlinked_count"], 0);
}

}  // namespace
}  // namespace rooflab::testing
