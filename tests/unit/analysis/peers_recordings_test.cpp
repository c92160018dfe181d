// SPDX-License-Identifier: Apache-2.0
// The peers' own golden figures, on the files they come from, to the printed digit.
//
// TensorBoard's and TraceLens' are the goldens of those tools' repositories; HTA's are its rule
// computed apart from this code. On our own recordings the figures come from a separate script that
// reads the raw JSON.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "importers/importer.h"
#include "support/cases.h"
#include "unit/analysis/peers_support.h"

namespace rooflab::analysis {
namespace {

using rooflab::testing::test_data;
using testing::figure;

PeerReport figures(const Peer& peer, const std::string& path) {
  const auto profile = importers::import_file(path);
  if (!profile) {
    ADD_FAILURE() << profile.error().message;
    return {};
  }
  auto report = peer.figures(*profile);
  if (!report) {
    ADD_FAILURE() << report.error().message;
    return {};
  }
  return *report;
}

// All figures of a row as the peer would print them.
std::string printed(const PeerReport& report, const std::string& label) {
  std::string line;
  for (const PeerRow& row : report.rows) {
    if (row.label != label) continue;
    for (const PeerFigure& f : row.figures)
      line += fmt::format("{}{:.{}f}", line.empty() ? "" : " ", f.value, f.decimals);
  }
  return line;
}

struct Timeline {
  const char* file;
  double computation, exposed_memcpy, idle, total;
};

class TracelensFiles : public ::testing::TestWithParam<Timeline> {};

TEST_P(TracelensFiles, Timeline) {
  const Timeline& t = GetParam();
  ROOFLAB_CASE(path, std::string("public/tracelens/") + t.file);
  const PeerReport report = figures(peer_tracelens(), path);
  for (const char* label : {"linked events (its default)", "all events"}) {
    EXPECT_NEAR(figure(report, label, "computation_ms"), t.computation, 5e-6);
    EXPECT_NEAR(figure(report, label, "exposed_comm_ms"), 0, 1e-9);
    EXPECT_NEAR(figure(report, label, "exposed_memcpy_ms"), t.exposed_memcpy, 5e-6);
    EXPECT_NEAR(figure(report, label, "idle_ms"), t.idle, 5e-6);
    EXPECT_NEAR(figure(report, label, "total_ms"), t.total, 5e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Goldens, TracelensFiles,
    ::testing::Values(Timeline{"h100_bert.json.gz", 0.307198, 0.002240, 3.598387, 3.907825},
                      Timeline{"h100_falconsai.json.gz", 1.225309, 0, 6.334535, 7.559844},
                      Timeline{"h100_timesformer.json.gz", 154.969031, 3.464142, 1.559254,
                               159.992427},
                      Timeline{"mi300_bert.json.gz", 0.388345, 0.002404, 3.105228, 3.495976},
                      Timeline{"mi300_falconsai.json.gz", 1.716299, 0, 5.152550, 6.868849}));

TEST(HtaFiles, NsResolution) {
  ROOFLAB_CASE(path, "public/hta/ns_resolution.json.gz");
  EXPECT_EQ(printed(figures(peer_hta(), path), "rank 0"),
            "4876 10113 372150 2371 384634 2.63 96.75 0.62");
}

struct HtaFigures {
  const char* file;
  const char* label;
  const char* line;
};

class HtaRecordings : public ::testing::TestWithParam<HtaFigures> {};

TEST_P(HtaRecordings, TemporalBreakdown) {
  const HtaFigures& f = GetParam();
  const std::string line = printed(figures(peer_hta(), test_data(f.file)), f.label);
  EXPECT_EQ(line.substr(0, std::string(f.line).size()), f.line);
}

INSTANTIATE_TEST_SUITE_P(
    Ours, HtaRecordings,
    ::testing::Values(
        HtaFigures{"h200/loader_steady_w0.json.gz", "file", "232 546691 6012 57 552760 "},
        HtaFigures{"h200/transformer_healthy.json.gz", "file", "1182 12420 60223 49 72692 "},
        HtaFigures{"h200/ddp/balanced.rank1.json.gz", "rank 1", "355 10163 13771 7394 31328 "},
        HtaFigures{"h200/launch_bound.json.gz", "file", "1920 28387 -137 0 28250 "}));

TEST(TensorboardFiles, NoWorkers) {
  ROOFLAB_CASE(path, "public/tensorboard/resnet50_num_workers_0.json.gz");
  const PeerReport report = figures(peer_tensorboard(), path);
  EXPECT_EQ(printed(report, "average"),
            "177592 98589 1915 89 0 2908 59262 13674 1156 "
            "55.51 1.08 0.05 0.00 1.64 33.37 7.70 0.65 1");
  EXPECT_EQ(printed(report, "step 5"), "187948 98598 1941 90 0 2796 69317 14091 1115");
  EXPECT_EQ(printed(report, "step 6"), "175153 98570 1947 89 0 2762 57669 12968 1148");
  EXPECT_EQ(printed(report, "step 7"), "179733 98596 1931 91 0 2877 61257 13768 1213");
  EXPECT_EQ(printed(report, "step 8"), "174564 98623 1938 89 0 2841 56453 13420 1200");
  EXPECT_EQ(printed(report, "step 9"), "182172 98504 1937 87 0 2788 62690 15025 1141");
  EXPECT_EQ(printed(report, "step 10"), "165983 98641 1798 88 0 3381 48185 12773 1117");
  EXPECT_EQ(printed(report, "device 0"), "55.51 54.68 49.13");
}

TEST(TensorboardFiles, FourWorkers) {
  ROOFLAB_CASE(path, "public/tensorboard/resnet50_num_workers_4.json.gz");
  const PeerReport report = figures(peer_tensorboard(), path);
  EXPECT_EQ(printed(report, "average"),
            "141068 99145 3160 98 0 10564 1186 22665 4251 "
            "70.28 2.24 0.07 0.00 7.49 0.84 16.07 3.01 0");
  EXPECT_EQ(printed(report, "step 5"), "182306 99778 3606 98 0 41028 4341 27460 5995");
  EXPECT_EQ(printed(report, "step 6"), "126183 99208 2948 98 0 3406 0 16404 4119");
  EXPECT_EQ(printed(report, "step 7"), "127181 99114 2949 98 0 3417 6 19521 2076");
  EXPECT_EQ(printed(report, "step 8"), "123079 99021 2975 97 0 3544 0 15464 1978");
  EXPECT_EQ(printed(report, "step 9"), "163461 98791 3596 97 0 8275 1370 43905 7427");
  EXPECT_EQ(printed(report, "step 10"), "124198 98956 2885 98 0 3714 1400 13235 3910");
  EXPECT_EQ(printed(report, "device 0"), "70.27 69.22 48.91");
}

}  // namespace
}  // namespace rooflab::analysis
