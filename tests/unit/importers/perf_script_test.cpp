// SPDX-License-Identifier: Apache-2.0
// Four recordings of our own programs, each printed with other fields, and small texts for every
// variant of a line.
#include <gtest/gtest.h>

#include <set>

#include "importers/perf/frame_line.h"
#include "importers/perf/header_line.h"
#include "support/cases.h"
#include "support/cpu_text.h"
#include "support/profiles.h"

namespace rooflab::importers {
namespace {

using rooflab::testing::import_sniffed;
using rooflab::testing::stack_words;
using rooflab::testing::weight_of;

model::Profile recorded(const std::string& name) {
  return rooflab::testing::import_or_fail(
      rooflab::testing::test_data("cpu/perf_script_" + name + ".txt.gz"));
}

model::Profile read(std::string_view text) {
  auto p = import_sniffed(text);
  if (!p) {
    ADD_FAILURE() << p.error().message;
    return {};
  }
  EXPECT_EQ(p->provenance.importer, "perf_script");
  return std::move(*p);
}

std::int64_t weight_with(const model::Profile& p, std::string_view function) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < p.samples.size(); ++i) {
    for (model::StackId s = p.samples.stack[i]; s.valid(); s = p.stacks[s.row].caller) {
      if (p.text(p.stacks[s.row].frame) == function) {
        sum += p.samples.weight[i];
        break;
      }
    }
  }
  return sum;
}

TEST(PerfScript, EveryFieldSetOfOneRecordingIsTheSameSamples) {
  for (const char* name : {"default", "events", "full"}) {
    const model::Profile p = recorded(name);
    EXPECT_EQ(p.samples.size(), 190U) << name;
    EXPECT_EQ(weight_of(p, "cpu_time"), 380761520) << name;
    EXPECT_EQ(weight_with(p, "app::hot<double>"), 378757512) << name;
    EXPECT_EQ(weight_with(p, "app::Parser::parse"), 46092184) << name;
    EXPECT_EQ(weight_with(p, "__sin_fma"), 330661320 + 2004008) << name;
  }
}

TEST(PerfScript, ThreadsHaveTheirProcessWhereTheTextSaysIt) {
  const auto pids = [](const model::Profile& p) {
    std::set<std::int64_t> out;
    for (const model::TrackId track : p.samples.track) {
      out.insert(p.processes[p.tracks[track.row].process.row].pid);
    }
    return out;
  };
  EXPECT_EQ(pids(recorded("full")), (std::set<std::int64_t>{7024}));
  EXPECT_EQ(pids(recorded("events")), (std::set<std::int64_t>{7024}));  // by the records of forks
  const model::Profile bare = recorded("default");
  EXPECT_EQ(pids(bare), (std::set<std::int64_t>{-1}));
  EXPECT_EQ(bare.hygiene.count("samples_without_process"), 190);
}

TEST(PerfScript, SwitchRecordsAreStretchesOffTheCore) {
  const model::Profile p = recorded("full");
  std::int64_t waits = 0, preempted = 0;
  for (std::size_t i = 0; i < p.spans.size(); ++i) {
    ASSERT_EQ(p.spans.kind[i], model::SpanKind::kOffCpu);
    ++(p.text(p.spans.name[i]) == "off core: preempted" ? preempted : waits);
  }
  // The file's 199 OUT records, as grep counts them; 4 of its 203 IN records are threads' first.
  EXPECT_EQ(preempted, 158);
  EXPECT_EQ(waits, 41);
  EXPECT_EQ(p.hygiene.count("unpaired_switches"), 0);
}

TEST(PerfScript, ScriptFunctionsAreNamedWithTheirPlace) {
  const model::Profile p = recorded("node_jit");
  EXPECT_EQ(p.samples.size(), 245U);
  EXPECT_EQ(weight_of(p, "cpu_time"), 490981960);
  const StringId name = p.strings.find("hotLoop");
  ASSERT_TRUE(name.valid());
  for (const model::Stack& s : p.stacks) {
    if (s.frame != name) continue;
    EXPECT_EQ(p.text(s.location), "/opt/app/j.js:1");
    EXPECT_EQ(p.text(s.module), "perf-11622.map");
  }
  EXPECT_TRUE(p.strings.find("requireBuiltin").valid());
}

TEST(PerfScript, HeadersAreReadFromTheTimeBackwards) {
  const auto h = perf::parse_header("my app 2  7024/7032 [003] 1866.667357001:      12 cycles:u: ");
  ASSERT_TRUE(h);
  EXPECT_EQ(h->command, "my app 2");
  EXPECT_EQ(h->pid, 7024);
  EXPECT_EQ(h->tid, 7032);
  EXPECT_EQ(h->cpu, 3);
  EXPECT_EQ(*h->time, 1866667357001);
  EXPECT_EQ(*h->period, 12);
  EXPECT_EQ(h->event, "cycles:u");
  const auto numbers = perf::parse_header("1 2 3.5: 4 77 5.000001: page-faults: ");
  ASSERT_TRUE(numbers);
  EXPECT_EQ(*numbers->time, 5000001000);
  EXPECT_EQ(numbers->command, "1 2 3.5: 4");
  EXPECT_FALSE(numbers->period);
  const auto record = perf::parse_header("x 0/0  1.000000: PERF_RECORD_SWITCH OUT preempt");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->record, "PERF_RECORD_SWITCH OUT preempt");
  const auto timeless = perf::parse_header("app 7024 12 faults:");
  ASSERT_TRUE(timeless);
  EXPECT_FALSE(timeless->time);
  EXPECT_EQ(*timeless->period, 12);
  EXPECT_EQ(timeless->tid, 7024);
  EXPECT_FALSE(perf::parse_header("a b c"));
  EXPECT_FALSE(perf::parse_header("app 1 99999999999999.000000: 1 cycles:"));
}

TEST(PerfScript, FramesOfEveryForm) {
  const auto frame =
      perf::parse_frame("\t    55d4a1 app::f(int) const+0x1a (/opt/my (old)/lib app.so (deleted))");
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->function, "app::f(int) const");
  EXPECT_EQ(frame->module, "lib app.so");
  EXPECT_TRUE(perf::parse_frame("\t 1234 helper (inlined)")->inlined);
  EXPECT_EQ(perf::parse_frame("\t 1234 _ZN3app3runEv+0x2 (/x/y)")->function, "app::run()");
  EXPECT_FALSE(perf::parse_frame("\t 1234 [unknown] ([unknown])")->known);
  EXPECT_EQ(perf::parse_frame("\t 1234 py::load:/o/d.py+0x9 (/tmp/perf-9.map)")->location,
            "/o/d.py");
  EXPECT_EQ(perf::parse_frame("\t 1234 operator() (/x/y)")->function, "operator()");
  EXPECT_EQ(*perf::parse_source_line("  hot.cpp:12"), "hot.cpp:12");
  EXPECT_EQ(*perf::parse_source_line("  ??:0"), "");
  EXPECT_FALSE(perf::parse_source_line("\t 12 f (a:12)"));
}

TEST(PerfScript, LinesAndInlinedFramesBelongToTheirStack) {
  const model::Profile p = read(
      "app 5/6 1.000000:  100 cpu-clock: \n"
      "\t    10 small (inlined)\n  a.h:3\n\t    10 big+0x4 (/opt/app)\n  a.cpp:44\n"
      "\t    20 main+0x4 (/opt/app)\n\n");
  ASSERT_EQ(p.samples.size(), 1U);
  EXPECT_EQ(stack_words(p, 0), "small < big < main");
  const model::Stack& leaf = p.stacks[p.samples.stack[0].row];
  EXPECT_EQ(p.text(leaf.module), "app");
  EXPECT_EQ(p.text(leaf.location), "a.h:3");
  EXPECT_EQ(p.text(p.stacks[leaf.caller.row].location), "a.cpp:44");
}

TEST(PerfScript, EventsHaveTheModelsNamesAndUnits) {
  const model::Profile p = read(
      "a 5 1.000000: 7 cycles:ppp: \n\n"
      "a 5 1.000000: 9 instructions:u: \n\n"
      "a 5 1.000000: cpu-clock: \n\n"
      "a 5 1.000000: 3 cpu_core/cache-misses/: ffff1234 f+0x1 (/x)\n");
  EXPECT_EQ(weight_of(p, "cycles"), 7);
  EXPECT_EQ(weight_of(p, "instructions"), 9);
  EXPECT_EQ(weight_of(p, "cache_misses"), 3);
  EXPECT_EQ(weight_of(p, "samples"), 1);  // time without a period is no time
  EXPECT_EQ(weight_of(p, "cpu_time"), 0);
  EXPECT_EQ(p.hygiene.count("samples_without_weight"), 1);
}

TEST(PerfScript, LossThrottlingAndTheIdleTaskAreCounted) {
  const model::Profile p = read(
      "a 5 1.000000: PERF_RECORD_LOST lost 41\n"
      "a 5 1.000000: PERF_RECORD_LOST_SAMPLES lost 2\n"
      "a 5 1.000000: PERF_RECORD_THROTTLE\n"
      "a 5 1.000000: PERF_RECORD_SOMETHING_NEW\n"
      "swapper 0 [001] 1.000000: 7 cycles: \n\t 12 intel_idle ([kernel.kallsyms])\n\n"
      "a 5 1.000000: 7 cycles: \n\t 1234 [unknown] ([unknown])\n\nthis is no line of perf\n");
  EXPECT_EQ(p.hygiene.count("samples_lost"), 43);
  EXPECT_EQ(p.hygiene.count("sampling_throttled"), 1);
  EXPECT_EQ(p.hygiene.count("unknown_records"), 1);
  EXPECT_EQ(p.hygiene.count("idle_samples"), 1);
  EXPECT_EQ(p.hygiene.count("unresolved_samples"), 1);
  EXPECT_EQ(p.hygiene.count("unreadable_lines"), 1);
  EXPECT_EQ(p.samples.size(), 1U);
}

TEST(PerfScript, SchedulerTracepointsAreSwitchesWithStacks) {
  const model::Profile p = read(
      "app 5/6 1.000000: 1 sched:sched_switch: prev_comm=app prev_pid=6 prev_prio=120 "
      "prev_state=S ==> next_comm=b next_pid=9 next_prio=120\n\t 1234 futex_wait+0x1 "
      "([kernel.kallsyms])\n\n"
      "b 9/9 1.000500: 1 sched:sched_switch: prev_comm=b prev_pid=9 prev_prio=120 prev_state=R+ "
      "==> next_comm=app next_pid=6 next_prio=120\n\n");
  ASSERT_EQ(p.spans.size(), 1U);
  EXPECT_EQ(p.spans.duration[0], 500000);
  EXPECT_EQ(p.text(p.spans.name[0]), "off core: waiting");
  EXPECT_EQ(p.samples.size(), 2U);
}

TEST(PerfScript, TheHeaderTiesTheClockToTheTimeOfDay) {
  const model::Profile p = read(
      "# ========\n# clockid: monotonic (1)\n"
      "# reference time: 2026-11-29 08:00:00.500000 = 1795939200.500000 (TOD) = 1866.250000000 "
      "(monotonic)\n# ========\n#\na 5 1866.500000: 7 cycles: \n");
  EXPECT_EQ(p.provenance.epoch_ns, 1795939200500000000 - 1866250000000);
  EXPECT_EQ(p.samples.time[0], 1866500000000);
}

TEST(PerfScript, OtherTextIsRefused) {
  EXPECT_FALSE(import_sniffed("hello\nworld 12: what\n"));
  EXPECT_FALSE(import_sniffed("2026-11-29 08:00:00.000: started\n"));
  const auto binary = import_sniffed(std::string("PERFILE2") + std::string(100, '\0'));
  ASSERT_FALSE(binary);
  EXPECT_NE(binary.error().hint.find("perf script"), std::string::npos);
}

TEST(PerfScript, DamageIsReadOrRefused) {
  for (const char* name : {"full", "node_jit"}) {
    const std::string original = rooflab::testing::text_of_file(
        rooflab::testing::test_data(std::string("cpu/perf_script_") + name + ".txt.gz"));
    const std::string start = original.substr(0, 30000);
    for (unsigned seed = 0; seed < 150; ++seed) {
      const std::string text = rooflab::testing::mutated_text(start, seed, "\n\t :[]()/+.-0x1e ");
      rooflab::testing::expect_read_or_refused(import_sniffed(text), seed);
    }
  }
}

}  // namespace
}  // namespace rooflab::importers
