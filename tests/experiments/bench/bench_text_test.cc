#include "experiments/bench/bench_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

BenchRow FullRow() {
  BenchRow row;
  row.workload = "matmul(m=2,n=3,k=4)";
  row.cores = 2;
  row.flops = 4e6;
  row.seconds = 20e-6;
  row.gflops = 200;
  row.any = {{{"onednn", "blocked", 25e-6, 2, 0.0}}, RatioInterval{1.25, 1.2, 1.3}, "onednn"};
  row.plain = {{{"onednn", "as it lies", 40e-6, 2, 0.0}}, RatioInterval{2, 1.9, 2.1}, "onednn"};
  row.peak_gflops = 250;
  row.peak_fraction = 0.8;
  return row;
}

TEST(BenchTextTest, ARowHoldsBothSides) {
  EXPECT_THAT(BenchRowText(FullRow()),
              AllOf(HasSubstr("matmul(m=2,n=3,k=4)"), HasSubstr(" 20.0"), HasSubstr(" 200.0"),
                    HasSubstr(" 0.80"), HasSubstr("1.250 [1.200, 1.300]"),
                    HasSubstr("onednn 25.0 us = 160.0 GFLOP/s (blocked)"),
                    HasSubstr("2.000 [1.900, 2.100]"),
                    HasSubstr("onednn, plain 40.0 us = 100.0 GFLOP/s (as it lies)"),
                    HasSubstr("peak 250 GFLOP/s"), Not(HasSubstr("failed"))));
}

TEST(BenchTextTest, WhatIsUnknownIsADash) {
  BenchRow row;
  row.workload = "attention(heads=2,t=8,d=4)";
  const std::string text = BenchRowText(row);
  EXPECT_THAT(text, AllOf(HasSubstr(" - "), HasSubstr("no peer"), Not(HasSubstr("0.0"))));
}

TEST(BenchTextTest, SaysWhatWasSpentOnIt) {
  BenchRow row = FullRow();
  EXPECT_THAT(BenchRowText(row), Not(HasSubstr("trials")));
  row.effort = SearchEffort{1000, 83.4};
  EXPECT_THAT(BenchRowText(row), HasSubstr("  1000 trials in 83 s"));
  row.effort = SearchEffort{1000, 0};
  EXPECT_THAT(BenchRowText(row), AllOf(HasSubstr("  1000 trials"), Not(HasSubstr(" in "))));
}

TEST(BenchTextTest, MarksASearchThatWasCutShort) {
  BenchRow row = FullRow();
  row.effort = SearchEffort{412, 60, "seconds"};
  EXPECT_THAT(BenchRowText(row), HasSubstr("  412 trials in 60 s (cut short)"));
  row.effort->stopped = "trials";
  EXPECT_THAT(BenchRowText(row), Not(HasSubstr("cut short")));
}

TEST(BenchTextTest, OneLayoutIsSaidOnce) {
  BenchRow row = FullRow();
  row.plain = row.any;
  EXPECT_THAT(BenchRowText(row), Not(HasSubstr("plain")));
}

TEST(BenchTextTest, AFailureStandsBelow) {
  BenchRow row = FullRow();
  row.failure = "line 3: no such stage";
  EXPECT_THAT(BenchRowText(row), HasSubstr("\n  failed: line 3: no such stage"));
}

TEST(BenchTextTest, SaysWhenCoresWereMissing) {
  BenchRow row = FullRow();
  EXPECT_THAT(BenchRowText(row), Not(HasSubstr("busy")));
  row.short_of_cores = true;
  EXPECT_THAT(BenchRowText(row), HasSubstr("cores were busy"));
}

TEST(BenchTextTest, ColumnsStandBelowTheirNames) {
  const std::string header = BenchHeaderText(), row = BenchRowText(FullRow());
  const auto end = [](const std::string& text, const std::string& word) {
    return text.find(word) + word.size();
  };
  EXPECT_EQ(end(header, "cores"), end(row, "    2"));
  EXPECT_EQ(end(header, "GFLOP/s"), end(row, "200.0"));
  EXPECT_EQ(header.find("ratio to best"), row.find("1.250"));
  EXPECT_EQ(header.find("ratio to plain"), row.find("2.000"));
}

TEST(BenchTextTest, SummaryWithoutRatios) {
  EXPECT_EQ(BenchSummaryText({.all = {.rows = 3}, .failures = 1, .elapsed = 2.5}),
            "3 rows, 1 failed, 2.5 s\n");
}

TEST(BenchTextTest, ANetworkHasBothSums) {
  BenchSummary summary;
  summary.network = NetworkSums{2e-3, 4e-3, 7, {"max_pool2d(h=3)"}};
  EXPECT_THAT(BenchSummaryText(summary),
              HasSubstr("  network, by count: ours 2000.0 us, the best peers 4000.0 us, ours over "
                        "theirs 0.500; 7 tasks\n"
                        "  in neither sum, without a peer or a kernel: max_pool2d(h=3)\n"));
}

TEST(BenchTextTest, SummaryWithBothMeansTheGroupsAndTheWorst) {
  BenchSummary summary;
  summary.all = {"", 3, {0.98765, 0.5, "conv2d(h=3)"}, {1.25, 0.75, "conv2d(h=4)"}};
  summary.groups = {{"GMM", 1, {1.5, 1.5, "x"}, {1.5, 1.5, "x"}}, {"ATT", 2, {}, {}}};
  summary.trials_per_second = 12.345;
  summary.left_out = {"conv3d(d=9)"};
  EXPECT_EQ(BenchSummaryText(summary),
            "3 rows, 0 failed, 0.0 s, geometric mean of the ratios 0.988, to plain layouts 1.250, "
            "trials a second in the median 12.35\n"
            "  left out: conv3d(d=9)\n"
            "  GMM            1 rows   1.500   1.500\n"
            "  ATT            2 rows       -       -\n"
            "  worst: 0.500, conv2d(h=3)\n"
            "  worst beside plain layouts: 0.750, conv2d(h=4)\n");
}

}  // namespace
}  // namespace schedulegym
