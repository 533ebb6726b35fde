#include "agents/schedulers/simulation/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/agents/schedulers/simulation/made_curves.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// Two curves for each task, of 4 and of 8 seconds.
std::vector<RecordedCurve> Curves(int tasks) {
  std::vector<RecordedCurve> curves;
  for (int i = 0; i < tasks; ++i) {
    curves.push_back(MadeCurve("task" + std::to_string(i), 3, {{1, 2}, {3, 4}}));
    curves.push_back(MadeCurve("task" + std::to_string(i), 3, {{8, 2}}));
  }
  return curves;
}

std::vector<std::string> NamesOf(const std::vector<RecordedCurve>& curves) {
  std::vector<std::string> names;
  for (const RecordedCurve& curve : curves) names.push_back(curve.task);
  return names;
}

TEST(ProblemTest, TheWholeIsTheFirstCurveOfEachTask) {
  const Problem problem = WholeProblem(Curves(2), {});
  EXPECT_THAT(NamesOf(problem.curves), ElementsAre("task0", "task1"));
  EXPECT_EQ(problem.curves[1].trials(), 2);
  EXPECT_EQ(problem.curves[1].facts.counts[0], 3);
  EXPECT_EQ(problem.budget.seconds, 4) << "half of what they took";
  EXPECT_EQ(problem.budget.trials, 4) << "all that is recorded";
  EXPECT_EQ(problem.batch, 1);
  const SchedulerContext context = problem.Context(5);
  EXPECT_EQ(context.tasks.size(), 2u);
  EXPECT_EQ(context.batch, 1);
}

TEST(ProblemTest, AGivenBudgetStands) {
  EXPECT_EQ(WholeProblem(Curves(2), {.trials = 3}).budget.seconds, std::nullopt);
  EXPECT_EQ(WholeProblem(Curves(2), {.trials = 3}).budget.trials, 3);
  EXPECT_EQ(WholeProblem(Curves(2), {.seconds = 7}).budget.seconds, 7);
}

TEST(ProblemTest, DrawnOnesHaveSomeOfTheTasks) {
  const std::vector<RecordedCurve> curves = Curves(40);
  std::set<size_t> sizes;
  std::set<double> counts, seconds;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Problem problem = DrawProblem(curves, {}, Rng(seed));
    sizes.insert(problem.curves.size());
    const std::vector<std::string> names = NamesOf(problem.curves);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (const RecordedCurve& curve : problem.curves) {
      counts.insert(curve.facts.weight());
      seconds.insert(curve.seconds());
    }
  }
  EXPECT_EQ(*sizes.begin(), 6u);
  EXPECT_EQ(*sizes.rbegin(), 20u);
  EXPECT_EQ(sizes.size(), 15u);
  EXPECT_EQ(*counts.begin(), 1);
  EXPECT_EQ(*counts.rbegin(), 15) << "below 2^4";
  EXPECT_THAT(seconds, ElementsAre(4, 8)) << "either curve of a task";
}

TEST(ProblemTest, OfFewTasksAllAreTaken) {
  EXPECT_EQ(DrawProblem(Curves(3), {}, Rng(1)).curves.size(), 3u);
}

TEST(ProblemTest, CurvesAreDrawnToo) {
  const Problem problem = DrawProblem(DrawnCurveOptions{.trials = 30}, {}, Rng(1));
  EXPECT_GE(problem.curves.size(), 6u);
  EXPECT_EQ(problem.batch, 16);
  EXPECT_EQ(problem.budget.trials, 30 * std::ssize(problem.curves));
  const Problem same = DrawProblem(DrawnCurveOptions{.trials = 30}, {}, Rng(1));
  EXPECT_EQ(same.budget.seconds, problem.budget.seconds);
}

TEST(ProblemTest, WhereNothingSucceededThereIsNoLatency) {
  std::vector<RecordedCurve> curves = Curves(2);
  curves[0].reference = curves[3].reference = std::nullopt;
  EXPECT_THAT(NamesOf(WithLatency(curves)), ElementsAre("task0", "task1"));
  EXPECT_EQ(WithLatency(curves)[0].seconds(), 8) << "the second of its curves";
}

TEST(ProblemTest, HalvesAreOfTasks) {
  const std::vector<RecordedCurve> curves = Curves(100);
  const auto development = HalfOf(curves, CurveHalf::kDevelopment);
  const auto held_out = HalfOf(curves, CurveHalf::kHeldOut);
  EXPECT_EQ(development.size() + held_out.size(), curves.size());
  // Split by a hash of the names: expected 100 of 200, in pairs; the standard deviation is 10.
  EXPECT_NEAR(static_cast<double>(development.size()), 100, 40);
  std::set<std::string> names;
  for (const RecordedCurve& curve : development) names.insert(curve.task);
  for (const RecordedCurve& curve : held_out) EXPECT_FALSE(names.contains(curve.task));
  EXPECT_EQ(HalfOf(curves, CurveHalf::kAll).size(), curves.size());
  EXPECT_EQ(ParseCurveHalf("heldout"), CurveHalf::kHeldOut);
  EXPECT_EQ(ParseCurveHalf("development"), CurveHalf::kDevelopment);
  EXPECT_EQ(ParseCurveHalf("all"), CurveHalf::kAll);
  EXPECT_EQ(ParseCurveHalf("both"), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
