#include "experiments/bench/bench_summary.h"

#include <gtest/gtest.h>

#include <vector>

namespace schedulegym {
namespace {

BenchRow Row(const std::string& group, const std::string& workload, std::optional<double> any,
             std::optional<double> plain) {
  BenchRow row;
  row.group = group;
  row.workload = workload;
  if (any) row.any.ratio = RatioInterval{*any, *any / 2, *any * 2};
  if (plain) row.plain.ratio = RatioInterval{*plain, *plain / 2, *plain * 2};
  return row;
}

TEST(BenchSummaryTest, GroupsAndAllHaveTheirMeans) {
  const std::vector<BenchRow> rows = {Row("GMM", "a", 0.5, 1), Row("NRM", "b", 2, 2),
                                      Row("GMM", "c", 2, 16)};
  const BenchSummary summary = Summarize(rows, 1.5);
  EXPECT_EQ(summary.elapsed, 1.5);
  EXPECT_EQ(summary.all.rows, 3);
  EXPECT_NEAR(*summary.all.any.geomean, 1.2599210498948732, 1e-12);    // the cube root of 2
  EXPECT_NEAR(*summary.all.plain.geomean, 3.1748021039363987, 1e-12);  // and of 32
  ASSERT_EQ(summary.groups.size(), 2);
  EXPECT_EQ(summary.groups[0].name, "GMM");
  EXPECT_EQ(summary.groups[0].rows, 2);
  EXPECT_NEAR(*summary.groups[0].any.geomean, 1, 1e-12);
  EXPECT_NEAR(*summary.groups[0].plain.geomean, 4, 1e-12);
  EXPECT_EQ(summary.groups[1].name, "NRM");
  EXPECT_NEAR(*summary.groups[1].any.geomean, 2, 1e-12);
}

TEST(BenchSummaryTest, TheWorstOfEachSideIsNamed) {
  const std::vector<BenchRow> rows = {Row("GMM", "a", 0.9, 0.8), Row("GMM", "b", 0.7, 0.95),
                                      Row("GMM", "c", 0.7, {})};
  const BenchSummary summary = Summarize(rows, 0);
  EXPECT_EQ(*summary.all.any.worst, 0.7);
  EXPECT_EQ(summary.all.any.worst_workload, "b") << "the first of equals";
  EXPECT_EQ(*summary.all.plain.worst, 0.8);
  EXPECT_EQ(summary.all.plain.worst_workload, "a");
}

TEST(BenchSummaryTest, RowsWithoutARatioCountAsRowsAlone) {
  std::vector<BenchRow> rows = {Row("ATT", "a", {}, {})};
  rows[0].failure = "no such stage";
  const BenchSummary summary = Summarize(rows, 0);
  EXPECT_EQ(summary.all.rows, 1);
  EXPECT_EQ(summary.failures, 1);
  EXPECT_FALSE(summary.all.any.geomean.has_value());
  EXPECT_FALSE(summary.groups[0].any.worst.has_value());
}

TEST(BenchSummaryTest, ANetworksSumsAreOfTheTasksThatHaveBoth) {
  std::vector<BenchRow> rows = {Row("conv2d", "a", {}, {}), Row("linear", "b", {}, {}),
                                Row("linear", "c", {}, {}), Row("GMM", "d", {}, {})};
  EXPECT_FALSE(Summarize(rows, 0).network.has_value());
  for (size_t i = 0; i < 3; ++i) rows[i].count = 1 + static_cast<double>(i);
  rows[0].seconds = rows[1].seconds = rows[3].seconds = 2;
  rows[0].any.peers = {{.name = "onednn", .seconds = 4}, {.name = "openblas", .seconds = 3}};
  rows[1].any.peers = {{.name = "onednn", .seconds = 1}};
  rows[2].any.peers = rows[3].any.peers = rows[1].any.peers;
  const NetworkSums sums = *Summarize(rows, 0).network;
  EXPECT_EQ(sums.seconds, 2 + 2 * 2);
  EXPECT_EQ(sums.peer_seconds, 3 + 2 * 1);
  EXPECT_EQ(sums.tasks, 2);
  EXPECT_EQ(sums.left_out, std::vector<std::string>{"c"}) << "ours has no time";
}

TEST(BenchSummaryTest, TheSpeedOfSearchIsTheMedianOfTheRowsThatKnowIt) {
  std::vector<BenchRow> rows(5);
  rows[0].effort = SearchEffort{100, 10};
  rows[1].effort = SearchEffort{100, 0};  // seconds unknown
  rows[2].effort = SearchEffort{100, 50};
  rows[4].effort = SearchEffort{100, 1};
  EXPECT_EQ(Summarize(rows, 0).trials_per_second, 10);
  rows[4].effort.reset();
  EXPECT_EQ(Summarize(rows, 0).trials_per_second, 6);
  rows.resize(2);
  rows[0].effort.reset();
  EXPECT_FALSE(Summarize(rows, 0).trials_per_second.has_value());
}

TEST(BenchSummaryTest, NoRowsNoGroups) {
  const BenchSummary summary = Summarize({}, 0);
  EXPECT_EQ(summary.all.rows, 0);
  EXPECT_TRUE(summary.groups.empty());
}

}  // namespace
}  // namespace schedulegym
