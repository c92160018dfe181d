// SPDX-License-Identifier: Apache-2.0
// `rooflab diff` on pairs of recordings whose change was measured.
#include <gmock/gmock.h>

#include "e2e/run_rooflab.h"

namespace rooflab::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string call(const std::string& before, const std::string& after) {
  return "diff " + recording(before) + " " + recording(after);
}

SchemaJson diff(const std::string& before, const std::string& after, int status,
                const std::string& more = "") {
  const Outcome run = rooflab(call(before, after) + " --json " + more);
  EXPECT_EQ(run.status, status) << run.err << run.out;
  SchemaJson json = parsed(run.out);
  EXPECT_EQ(schema_fault(json, schema("diff")), "") << before;
  return json.is_object() && json.contains("data") ? json["data"] : SchemaJson::object();
}

TEST(Diff, AFasterRun) {
  const SchemaJson data = diff("gemm_misaligned", "gemm_aligned", 0);
  EXPECT_EQ(data["class"], "faster");
  EXPECT_NEAR(data["deflated"]["speed_up"].get<double>(), 4.7, 0.7);
}

TEST(Diff, ASlowerRunByBusyTimeNamesTheKernels) {
  const SchemaJson data = diff("aa/a1", "aa/b1", 0, "--least 2");
  EXPECT_EQ(data["class"], "slower");
  EXPECT_EQ(data["basis"], "device busy");
  EXPECT_THAT(data["kernels"][0]["name"].get<std::string>(), HasSubstr("nvjet"));
  EXPECT_THAT(rooflab(call("aa/a1", "aa/b1") + " --least 2").out,
              HasSubstr("the recorder limits the step"));
}

TEST(Diff, TheSameLoopTwice) {
  EXPECT_EQ(diff("aa/a1", "aa/a2", 0, "--least 2")["class"], "no difference");
}

TEST(Diff, RefusesWhatIsNotInSteadyState) {
  EXPECT_EQ(diff("dataloader_workers0", "dataloader_workers8", 5)["class"], "refused");
  const std::string text = rooflab(call("dataloader_workers0", "dataloader_workers8")).out;
  EXPECT_THAT(text, HasSubstr("no speed-up may be claimed"));
  EXPECT_THAT(text, Not(HasSubstr(": faster")));
}

int gate(const std::string& after, const std::string& condition) {
  const Outcome run = rooflab("gate " + recording("aa/a1") + " " + recording(after) +
                              " --json --fail-if '" + condition + "'");
  EXPECT_EQ(schema_fault(parsed(run.out), schema("gate")), "") << condition;
  return run.status;
}

TEST(Gate, PassesFailsOrCannotTell) {
  EXPECT_EQ(gate("aa/a2", "device_busy_per_unit>+5%"), 0);
  EXPECT_EQ(gate("aa/b1", "device_busy_per_unit>+5%"), 1);
  EXPECT_EQ(gate("aa/b1", "device_busy_per_unit>+8%"), 5);  // 8.2 %, and noise on both sides
  EXPECT_EQ(gate("aa/b1", "step_time>+5%"), 5);             // the recorder limits the step
  EXPECT_EQ(rooflab("gate a b --fail-if nonsense").status, 2);
}

TEST(Diff, NeedsTwoReadableRuns) {
  EXPECT_EQ(rooflab("diff " + recording("gemm_aligned")).status, 2);
  EXPECT_EQ(rooflab("diff " + recording("gemm_aligned") + " /nowhere.json").status, 3);
}

}  // namespace
}  // namespace rooflab::testing
