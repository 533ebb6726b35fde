#include "experiments/cli/repeat/repeated_programs.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace schedulegym {
namespace {

MeasuredProgram ProgramOf(int task, const std::string& trace, double ratio) {
  MeasuredProgram program;
  program.task = task;
  program.trace = trace;
  program.space = "ansor";
  program.part = "chance";
  program.outcome = ratio > 0 ? Outcome::kOk : Outcome::kRunTimeout;
  program.ratio = {ratio, ratio, ratio};
  return program;
}

Measurement MeasuredAs(double ratio) {
  Measurement measurement;
  measurement.outcome = ratio > 0 ? Outcome::kOk : Outcome::kRunTimeout;
  if (ratio > 0) {
    measurement.timing.emplace();
    measurement.timing->ratio = {ratio, ratio, ratio};
  }
  return measurement;
}

RepeatedProgram Repeated(double before, double now) {
  return {ProgramOf(0, "", before), MeasuredAs(now)};
}

ProgramSet SetOf(int tasks, int programs) {
  ProgramSet set;
  for (int i = 0; i < tasks; ++i) {
    set.tasks.push_back({{{}, "matmul(m=" + std::to_string(i) + ",n=2)", "", ""}, ""});
  }
  // Tasks alternate, as in a collection.
  for (int i = 0; i < programs; ++i) {
    set.programs.push_back(ProgramOf(i % tasks, std::to_string(i), 1));
  }
  return set;
}

TEST(RepeatedProgramsTest, DrawnProgramsDifferAndStandByTask) {
  const ProgramSet set = SetOf(3, 30);
  Rng rng(1);
  const std::vector<MeasuredProgram> drawn = DrawPrograms(set, 12, rng);
  ASSERT_EQ(drawn.size(), 12U);
  std::set<std::string> traces;
  for (size_t i = 0; i < drawn.size(); ++i) {
    traces.insert(drawn[i].trace);
    EXPECT_LE(drawn[i > 0 ? i - 1 : 0].task, drawn[i].task);
  }
  EXPECT_EQ(traces.size(), 12U);
  EXPECT_EQ(DrawPrograms(set, 100, rng).size(), 30U);
}

TEST(RepeatedProgramsTest, EachProgramIsDrawnAsOftenAsAnother) {
  const ProgramSet set = SetOf(2, 10);
  Rng rng(2);
  std::map<std::string, int> counts;
  constexpr int kDraws = 2000;
  for (int i = 0; i < kDraws; ++i) {
    for (const MeasuredProgram& program : DrawPrograms(set, 3, rng)) ++counts[program.trace];
  }
  ASSERT_EQ(counts.size(), 10U);
  // 0.3 of the draws; five standard deviations of sqrt(2000 * 0.3 * 0.7) = 20.5.
  for (const auto& [trace, count] : counts) EXPECT_NEAR(count, 600, 103) << trace;
}

TEST(RepeatedProgramsTest, ADeviationIsTheSameUpAndDown) {
  EXPECT_NEAR(DeviationOf(Repeated(2, 2.2)).value(), 0.1, 1e-12);
  EXPECT_NEAR(DeviationOf(Repeated(2.2, 2)).value(), 0.1, 1e-12);
  EXPECT_FALSE(DeviationOf(Repeated(0, 2)));
  EXPECT_FALSE(DeviationOf(Repeated(2, 0)));
  EXPECT_FALSE(DeviationOf({ProgramOf(0, "", 1), std::nullopt}));
}

TEST(RepeatedProgramsTest, ASummaryCountsOutcomesAndDeviations) {
  std::vector<RepeatedProgram> repeated;
  for (int i = 1; i <= 20; ++i) repeated.push_back(Repeated(1, 1 + 0.01 * i));
  repeated.push_back(Repeated(0, 0));
  repeated.push_back(Repeated(0, 1));
  repeated.push_back({ProgramOf(0, "", 1), std::nullopt});
  const RepeatSummary summary = SummaryOf(repeated);
  EXPECT_EQ(summary.measured, 22);
  EXPECT_EQ(summary.alike, 21);
  EXPECT_EQ(summary.successes, 20);
  EXPECT_NEAR(summary.median, 0.105, 1e-12);
  EXPECT_NEAR(summary.most, 0.19, 1e-12);  // 19 of 20 are at most this
  EXPECT_NEAR(summary.largest, 0.2, 1e-12);
}

TEST(RepeatedProgramsTest, NothingMeasuredIsNoDeviation) {
  const RepeatSummary summary = SummaryOf({});
  EXPECT_EQ(summary.measured, 0);
  EXPECT_EQ(summary.successes, 0);
}

TEST(RepeatedProgramsTest, RowsHaveBothSpeeds) {
  const ProgramSet set = SetOf(1, 1);
  const std::vector<RepeatedProgram> repeated = {
      Repeated(2.5, 4.5), Repeated(0, 4.5), {ProgramOf(0, "", 2.5), std::nullopt}};
  EXPECT_EQ(RepeatsToCsv(set, repeated),
            "workload,space,part,outcome,ratio,low,high,again,again_ratio,again_low,again_high\n"
            "\"matmul(m=0,n=2)\",ansor,chance,ok,2.5,2.5,2.5,ok,4.5,4.5,4.5\n"
            "\"matmul(m=0,n=2)\",ansor,chance,run_timeout,,,,ok,4.5,4.5,4.5\n"
            "\"matmul(m=0,n=2)\",ansor,chance,ok,2.5,2.5,2.5,,,,\n");
}

}  // namespace
}  // namespace schedulegym
