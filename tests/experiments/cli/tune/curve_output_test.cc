#include "experiments/cli/tune/curve_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "agents/builtin_agents.h"
#include "agents/schedulers/simulation/simulation.h"
#include "env/measure/timing/clocks.h"
#include "tests/agents/scripted_measurer.h"
#include "tests/agents/split_space.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

// Records the task of each turn.
class TurnWitness : public TuneObserver {
 public:
  void OnTurn(const TurnEvent& event) override { turns.push_back(event.task); }
  std::vector<int> turns;
};

// A live search of three tasks; the last one never succeeds, and the second has only three
// schedules.
class CurveOutputTest : public testing::Test {
 protected:
  FinishedSearch Run(const std::string& scheduler, const std::vector<int>& extents) {
    Begin(extents);
    const auto made = MakeTaskScheduler(ParseSpec(scheduler).value(), context_);
    const auto store = MakeMemoryStore();
    const CalendarClock calendar;
    const auto agent = AgentOf(tasks_);
    done_ =
        Tune(tasks_, {*agent}, options_, {measurer_, *store, *made, witness_, clock_, calendar});
    return {done_, tasks_, witness_.turns, "random", scheduler, "host", 5, "name"};
  }

  void Begin(const std::vector<int>& extents) {
    witness_.turns.clear();
    tasks_.clear();
    context_ = {.batch = options_.batch};
    for (int extent : extents) {
      TunerTask& task = tasks_.emplace_back(TunerTask{VectorTask(extent)});
      task.scheduled.counts = {static_cast<double>(extent % 5 + 1)};
      context_.tasks.push_back(task.scheduled);
    }
    measurer_.script = [this](int number) {
      clock_.Advance(0.25);
      return witness_.turns.back() == 2 ? Failure(Outcome::kWrongOutput)
                                        : Success(1 + 0.5 * (number % 7) + 0.01 * number);
    };
  }

  std::unique_ptr<Agent> AgentOf(const std::vector<TunerTask>& tasks) const {
    std::vector<std::shared_ptr<const Task>> all;
    for (const TunerTask& task : tasks) all.push_back(task.task);
    return std::make_unique<SingleTaskAgent>(Spec{"random", {}}, space_, all, Rng(1));
  }

  SplitSpace space_;
  FakeClock clock_;
  ScriptedMeasurer measurer_{clock_};
  TurnWitness witness_;
  TunerOptions options_{.request = {.trials = 50, .resume = false}, .batch = 4};
  SchedulerContext context_;
  std::vector<TunerTask> tasks_;
  std::vector<DoneEvent> done_;
};

TEST_F(CurveOutputTest, TellsOfEachTaskThatWasTried) {
  const std::vector<RecordedCurve> curves = CurvesOf(Run("round_robin", {97, 3, 89}));
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[0].task, "vector97");
  EXPECT_EQ(curves[0].agent, "random");
  EXPECT_EQ(curves[0].scheduler, "round_robin");
  EXPECT_EQ(curves[0].search, "name");
  EXPECT_EQ(curves[0].seed, 5u);
  EXPECT_EQ(curves[0].facts.counts[0], 3);
  EXPECT_NEAR(*curves[0].reference, 1e-6, 1e-15);
  EXPECT_EQ(curves[0].trials(), done_[0].trials);
  EXPECT_EQ(curves[0].seconds(), 1.25 * static_cast<double>(done_[0].trials));
  EXPECT_EQ(curves[1].trials(), 3);
  EXPECT_EQ(curves[1].whole.turns.size(), 1u) << "that nothing is left is no turn";
  EXPECT_THAT(curves[1].places, ElementsAre(1));
  EXPECT_EQ(curves[0].places[1], 3);
  EXPECT_TRUE(curves[0].has_latency());
  EXPECT_EQ(curves[2].trials(), done_[2].trials) << "all of them failed";
  EXPECT_FALSE(curves[2].has_latency());
  options_.request.trials = 8;
  EXPECT_EQ(CurvesOf(Run("round_robin", {97, 96, 89})).size(), 2u) << "two turns for three tasks";
}

// The tasks of all turns, in order.
std::vector<int> OrderOf(const std::vector<RecordedCurve>& curves) {
  std::vector<std::pair<int64_t, int>> turns;
  for (size_t i = 0; i < curves.size(); ++i) {
    for (int64_t place : curves[i].places) turns.emplace_back(place, static_cast<int>(i));
  }
  std::sort(turns.begin(), turns.end());
  std::vector<int> order;
  for (const auto& [place, task] : turns) order.push_back(task);
  return order;
}

TEST_F(CurveOutputTest, ItsOwnSchedulerLeadsTheSameWayAgain) {
  for (const char* scheduler :
       {"gradient", "linear", "round_robin", "swucb", "dynamic_round_robin",
        "dynamic_round_robin(slot=seconds(s=6))", "dynatune(slot=trials(n=8))"}) {
    const std::vector<RecordedCurve> curves = CurvesOf(Run(scheduler, {97, 3, 89}));
    const auto made = MakeTaskScheduler(ParseSpec(scheduler).value(), context_);
    const Trajectory trajectory = Simulate(curves, {.trials = options_.request.trials}, *made);
    EXPECT_EQ(trajectory.order, OrderOf(curves)) << scheduler;
    EXPECT_EQ(trajectory.trials, 50) << scheduler;
    ASSERT_FALSE(done_[2].best) << "and has no latency";
    double latency = 0;
    for (size_t i = 0; i < 2; ++i) {
      latency += tasks_[i].scheduled.weight() * done_[i].best->measurement.timing->seconds;
    }
    EXPECT_DOUBLE_EQ(trajectory.latency(), latency) << scheduler;
  }
}

}  // namespace
}  // namespace schedulegym
