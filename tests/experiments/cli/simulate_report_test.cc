#include "experiments/cli/simulate_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kSchedulers = {"linear", "gradient"};

// Of a horizon of 10 seconds; the first is as slow as the last time, the second halves it.
SimulatedRow RowOf(int64_t problem, double area, std::optional<double> to_95,
                   std::optional<double> gradient_to_linears_end) {
  SimulatedRow row = {.problem = problem, .tasks = 7};
  row.comparison.horizon = 10;
  row.comparison.oracle.points = {{0, 2}};
  ComparedRun linear, gradient;
  linear.trajectory.points = {{0, 4}};
  gradient.trajectory.points = {{0, 3}};
  linear.trajectory.seconds = gradient.trajectory.seconds = 9;
  gradient.trajectory.order = {1, 0};
  linear.to_final = {8, std::nullopt};
  gradient.to_final = {gradient_to_linears_end, 6};
  gradient.area = area;
  gradient.to_95 = to_95;
  gradient.deciding = 0.5;
  row.comparison.runs = {linear, gradient};
  return row;
}

TEST(SimulateReportTest, MeansAreOverProblemsOfTheMeansOverSeeds) {
  const std::vector<SimulatedRow> rows = {RowOf(0, 0.1, 5, 4), RowOf(0, 0.3, 5, 4),
                                          RowOf(1, 0.6, std::nullopt, 4)};
  const SchedulerSummary gradient = Summarize(rows, kSchedulers)[1];
  EXPECT_EQ(gradient.runs, 3);
  EXPECT_DOUBLE_EQ(gradient.area.mean, 0.4) << "of 0.2 and 0.6";
  // The standard deviation of two is their difference over the square root of two.
  EXPECT_NEAR(gradient.area.high - 0.4, 1.959964 * 0.4 / 2, 1e-9);
  EXPECT_DOUBLE_EQ(gradient.share_to_95.mean, 0.75) << "never is the whole horizon";
  EXPECT_EQ(gradient.reached_95, 2);
  EXPECT_EQ(gradient.reached_98, 0);
  EXPECT_EQ(gradient.deciding, 1.5);
  EXPECT_EQ(gradient.simulated, 27);
}

TEST(SimulateReportTest, SpeedUpsAreOverTheOthersLastLatency) {
  const std::vector<SimulatedRow> rows = {RowOf(0, 0, 5, 4), RowOf(1, 0, 5, 1)};
  const std::vector<SchedulerSummary> summaries = Summarize(rows, kSchedulers);
  ASSERT_EQ(summaries[1].speed_ups.size(), 1u);
  const SpeedUp& gradient = summaries[1].speed_ups[0];
  EXPECT_EQ(gradient.over, "linear");
  EXPECT_DOUBLE_EQ(gradient.times.value().mean, 4) << "the geometric mean of 8 / 4 and 8 / 1";
  EXPECT_EQ(gradient.unreached, 0);
  const SpeedUp& linear = summaries[0].speed_ups[0];
  EXPECT_DOUBLE_EQ(linear.times.value().mean, 0.6) << "6 s over the horizon";
  EXPECT_EQ(linear.unreached, 2);
}

TEST(SimulateReportTest, WhatWasThereAtOnceIsLeftOut) {
  const std::vector<SimulatedRow> rows = {RowOf(0, 0, 5, 0), RowOf(1, 0, 5, 2)};
  EXPECT_DOUBLE_EQ(Summarize(rows, kSchedulers)[1].speed_ups[0].times.value().mean, 4);
}

TEST(SimulateReportTest, OverNothingNobodyIsSooner) {
  const std::vector<SchedulerSummary> summaries =
      Summarize(std::vector{RowOf(0, 0, 5, 0), RowOf(1, 0, 5, 0)}, kSchedulers);
  EXPECT_FALSE(summaries[1].speed_ups[0].times);
  EXPECT_THAT(ToJson(SchedulerSummaryFields(summaries[1])),
              HasSubstr(R"("speed_up":{"linear":{"times":null,"unreached":0}})"));
}

TEST(SimulateReportTest, RowsSayWhatBecameOfEach) {
  SimulatedRow row = RowOf(3, 0.25, 5, std::nullopt);
  const std::string json = ToJson(SimulatedRowFields(row, kSchedulers, 1));
  for (const char* part :
       {R"("problem":3)", R"("tasks":7)", R"("scheduler":"gradient")", R"("area":0.25)",
        R"("seconds_to_95":5.0)", R"("seconds_to_98":null)", R"("latency":3.0)",
        R"("oracle_latency":2.0)", R"("horizon":10.0)",
        R"("seconds_to_final":{"linear":null,"gradient":6.0})", R"("turns":2)"}) {
    EXPECT_THAT(json, HasSubstr(part));
  }
  EXPECT_THAT(json, testing::Not(HasSubstr("order")));
  row.curves.resize(2);
  row.curves[0].task = "a";
  EXPECT_THAT(ToJson(SimulatedRowFields(row, kSchedulers, 1)),
              HasSubstr(R"("task_names":["a",""],"order":[1,0])"));
}

TEST(SimulateReportTest, SummariesAreEventsAndATable) {
  const std::vector<SimulatedRow> rows = {RowOf(0, 0.25, 5, 4)};
  const std::vector<SchedulerSummary> summaries = Summarize(rows, kSchedulers);
  const std::string json = ToJson(SchedulerSummaryFields(summaries[1]));
  for (const char* part :
       {R"("scheduler":"gradient")", R"("area":{"mean":0.25,"low":0.25,"high":0.25})",
        R"("speed_up":{"linear":{"times":{"mean":2.0)", R"("reached_95":1)"}) {
    EXPECT_THAT(json, HasSubstr(part));
  }
  const std::string text = SimulationText(summaries);
  EXPECT_THAT(text, HasSubstr("scheduler  area"));
  EXPECT_THAT(text, HasSubstr("gradient   0.2500 +- 0.0000"));
  EXPECT_THAT(text, HasSubstr("1 and 0 of 1\n"));
}

TEST(SimulateReportTest, FitsAreCountedWhereThereAreAny) {
  std::vector<SimulatedRow> rows = {RowOf(0, 0.25, 5, 4), RowOf(1, 0.25, 5, 4)};
  rows[0].comparison.runs[1].fits = FitCounts{5, 1};
  rows[1].comparison.runs[1].fits = FitCounts{7, 0};
  EXPECT_THAT(ToJson(SimulatedRowFields(rows[0], kSchedulers, 1)),
              HasSubstr(R"("fits":5,"fallbacks":1})"));
  const std::vector<SchedulerSummary> summaries = Summarize(rows, kSchedulers);
  EXPECT_THAT(ToJson(SchedulerSummaryFields(summaries[1])),
              HasSubstr(R"("fits":12,"fallbacks":1})"));
  EXPECT_THAT(ToJson(SchedulerSummaryFields(summaries[0])), testing::Not(HasSubstr("fits")));
  EXPECT_THAT(SimulationText(summaries),
              testing::EndsWith("2\ngradient: 12 curves fitted, 1 of them in vain\n"));
}

}  // namespace
}  // namespace schedulegym
