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
  row.peers = {{"openblas", "gemm", 25e-6, 2, 0.0}};
  row.ratio = RatioInterval{1.25, 1.2, 1.3};
  row.peak_gflops = 250;
  row.peak_fraction = 0.8;
  return row;
}

TEST(BenchTextTest, ARowHoldsBothSides) {
  EXPECT_THAT(BenchRowText(FullRow()),
              AllOf(HasSubstr("matmul(m=2,n=3,k=4)"), HasSubstr(" 20.0"), HasSubstr(" 200.0"),
                    HasSubstr(" 0.80"), HasSubstr("1.250 [1.200, 1.300]"),
                    HasSubstr("openblas 25.0 us = 160.0 GFLOP/s (gemm)"),
                    HasSubstr("peak 250 GFLOP/s"), Not(HasSubstr("failed"))));
}

TEST(BenchTextTest, WhatIsUnknownIsADash) {
  BenchRow row;
  row.workload = "attention(heads=2,t=8,d=4)";
  const std::string text = BenchRowText(row);
  EXPECT_THAT(text, AllOf(HasSubstr(" - "), HasSubstr("none"), Not(HasSubstr("0.0"))));
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
  EXPECT_EQ(header.find("ratio"), row.find("1.250"));
}

TEST(BenchTextTest, SummaryWithAndWithoutRatios) {
  EXPECT_EQ(BenchSummaryText({.rows = 3, .failures = 1, .elapsed = 2.5}),
            "3 rows, 1 failed, 2.5 s");
  EXPECT_THAT(BenchSummaryText({.rows = 3, .geomean_ratio = 0.98765}),
              HasSubstr("geometric mean of the ratios 0.988"));
}

}  // namespace
}  // namespace schedulegym
