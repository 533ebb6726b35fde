#include "agents/schedulers/gradient.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/agents/schedulers/scheduled_search.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

constexpr double kReferenceSeconds = 10;

Measurement Success(double seconds) {
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  const double ratio = kReferenceSeconds / seconds;
  measurement.timing = Timing{.seconds = seconds, .ratio = {ratio, ratio, ratio}};
  return measurement;
}

Measurement Failure(Outcome outcome) {
  Measurement measurement;
  measurement.outcome = outcome;
  return measurement;
}

std::vector<Record> Known(const std::vector<double>& seconds) {
  std::vector<Record> records;
  for (double each : seconds) {
    records.emplace_back();
    records.back().measurement = Success(each);
  }
  return records;
}

std::unique_ptr<ScheduledSearch> Make(const std::string& spec, const SchedulerContext& context) {
  return std::make_unique<ScheduledSearch>(spec, context);
}

SchedulerContext Tasks(size_t count, int batch = 1) {
  return {.tasks = std::vector<ScheduledTask>(count), .batch = batch};
}

// Gives the next task one measurement, and returns its index.
int TakeTurn(ScheduledSearch& scheduler, const std::vector<Measurement>& by_task) {
  const int task = scheduler.Next().value();
  scheduler.Report(task, {&by_task[task], 1});
  return task;
}

std::vector<int> Turns(ScheduledSearch& scheduler, const std::vector<Measurement>& by_task,
                       int count) {
  std::vector<int> turns;
  while (static_cast<int>(turns.size()) < count) turns.push_back(TakeTurn(scheduler, by_task));
  return turns;
}

TEST(GradientTest, WarmsEachTaskUpInOrder) {
  const auto scheduler = Make("gradient", Tasks(4));
  EXPECT_THAT(Turns(*scheduler, {Success(1), Success(9), Success(2), Success(1)}, 4),
              ElementsAre(0, 1, 2, 3));
}

TEST(GradientTest, ChoosesTheMostNegativeGradient) {
  const auto scheduler = Make("gradient", Tasks(2));
  // After the warm-up -0.8 * 6 and -0.8 * 4. Then task 0 has -0.8 * 6 / 2: task 1. With -0.8 * 3
  // and -0.8 * 2: task 0, which falls to -0.8 * 2, equal to task 1.
  EXPECT_THAT(Turns(*scheduler, {Success(6), Success(4)}, 5), ElementsAre(0, 1, 0, 1, 0));
}

TEST(GradientTest, WhatGainedLatelyMayGainAgain) {
  // Four rounds each. Task 0: 0.2 * (4 - 10) / 3 - 0.8 * 4 / 4 = -1.2. Task 1: -0.8 * 4.8 / 4 =
  // -0.96. With alpha 0 the first has -1 and the second -1.2.
  const std::vector<Record> falling = Known({10, 8, 6, 4});
  const std::vector<Record> flat = Known({4.8, 4.8, 4.8, 4.8});
  for (const auto& [spec, expected] :
       {std::pair("gradient", 0), std::pair("gradient(alpha=0)", 1),
        std::pair("gradient(alpha=1)", 0), std::pair("gradient(window=4)", 1)}) {
    const auto scheduler = Make(spec, Tasks(2));
    scheduler->Resume(0, falling);
    scheduler->Resume(1, flat);
    EXPECT_EQ(scheduler->Next(), expected) << spec;
  }
}

TEST(GradientTest, CountsOfTheNetworksWeigh) {
  SchedulerContext context = Tasks(2);
  context.tasks[1].counts = {3};
  const auto scheduler = Make("gradient", context);
  // 3 * 4 > 10, 3 * 4 / 2 < 10.
  EXPECT_THAT(Turns(*scheduler, {Success(10), Success(4)}, 4), ElementsAre(0, 1, 1, 0));
}

TEST(GradientTest, ASlowTaskMayReachWhatItsGroupReaches) {
  SchedulerContext context = Tasks(3);
  for (ScheduledTask& task : context.tasks) task.flops = 100;
  const auto first = [&] {
    const auto scheduler = Make("gradient", context);
    scheduler->Resume(0, Known({10, 10}));
    scheduler->Resume(1, Known({1, 1}));
    scheduler->Resume(2, Known({14, 14}));
    return scheduler->Next();
  };
  // Without a group -10 / 2 against -14 / 2.
  EXPECT_EQ(first(), 2);
  // Task 1 runs at 100 FLOP/s: 2 * 100 / 100 = 2 is possible, -8 against -7.
  context.tasks[0].tag = context.tasks[1].tag = "alike";
  EXPECT_EQ(first(), 0);
}

TEST(GradientTest, ATaskUnlikeItsGroupLeavesIt) {
  SchedulerContext context = Tasks(3);
  for (ScheduledTask& task : context.tasks) task.flops = 100;
  context.tasks[0].tag = context.tasks[1].tag = "alike";
  const auto scheduler = Make("gradient", context);
  // Task 0 stays at 10 s, and its group predicts 2: -0.8 * 8 while it is a member, against -0.8 * 5
  // for task 2. It may have 5 rounds more than task 1, which has 2.
  scheduler->Resume(1, Known({1, 1}));
  const std::vector<Measurement> flat = {Success(10), Success(1), Success(5)};
  EXPECT_THAT(Turns(*scheduler, flat, 9), ElementsAre(0, 2, 0, 0, 0, 0, 0, 0, 0));
  // It left with its eighth round: -10 / 8 against -5 / 1.
  EXPECT_EQ(scheduler->Next(), 2);
}

TEST(GradientTest, ATaskWithoutAResultIsDead) {
  const auto scheduler = Make("gradient", Tasks(3));
  const std::vector<Measurement> results = {Success(1), Failure(Outcome::kCompileError),
                                            Success(1)};
  std::vector<int> turns = Turns(*scheduler, results, 40);
  EXPECT_EQ(std::count(turns.begin(), turns.end(), 1), 1);
}

TEST(GradientTest, WithoutALiveTaskThereIsNoNext) {
  const auto scheduler = Make("gradient", Tasks(2));
  Turns(*scheduler, {Failure(Outcome::kRunSignal), Failure(Outcome::kWrongOutput)}, 2);
  EXPECT_EQ(scheduler->Next(), std::nullopt);
  EXPECT_EQ(Make("gradient", Tasks(0))->Next(), std::nullopt);
}

TEST(GradientTest, WhatIsNotTheTasksFaultKillsItOnlyInTheEnd) {
  const auto scheduler = Make("gradient", Tasks(2));
  const std::vector<Measurement> results = {Failure(Outcome::kNoisy), Success(1)};
  EXPECT_THAT(Turns(*scheduler, results, 8), ElementsAre(0, 1, 0, 0, 1, 1, 1, 1));
}

TEST(GradientTest, FinishedTasksAreNotChosen) {
  const auto scheduler = Make("gradient", Tasks(3));
  const std::vector<Measurement> results(3, Success(1));
  TakeTurn(*scheduler, results);
  scheduler->Finish(1);
  EXPECT_EQ(TakeTurn(*scheduler, results), 2);
  const std::vector<int> turns = Turns(*scheduler, results, 20);
  EXPECT_EQ(std::count(turns.begin(), turns.end(), 1), 0);
  scheduler->Finish(0);
  EXPECT_EQ(scheduler->Next(), 2);
  scheduler->Finish(2);
  EXPECT_EQ(scheduler->Next(), std::nullopt);
}

// Number of times each task is first after a warm-up with these results, over 300 seeds.
std::vector<int> FirstChoices(const std::string& spec, const std::vector<Measurement>& results) {
  std::vector<int> chosen(results.size());
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SchedulerContext context = Tasks(results.size());
    context.rng = Rng(seed);
    const auto scheduler = Make(spec, context);
    Turns(*scheduler, results, static_cast<int>(results.size()));
    ++chosen[scheduler->Next().value()];
  }
  return chosen;
}

TEST(GradientTest, TiesAreBrokenByChance) {
  const auto chosen = FirstChoices("gradient", {Success(4), Success(1), Success(4)});
  EXPECT_EQ(chosen[1], 0);
  // Expected 150; the standard deviation is sqrt(300 / 4) = 8.7.
  EXPECT_NEAR(chosen[0], 150, 40);
}

TEST(GradientTest, WhereNothingIsToBeGainedChanceChoosesAmongTheLiving) {
  const auto chosen =
      FirstChoices("gradient(objective=requirement,requirement=100)",
                   {Success(4), Failure(Outcome::kCompileError), Success(9), Success(1)});
  EXPECT_EQ(chosen[1], 0);
  for (int task : {0, 2, 3}) EXPECT_NEAR(chosen[task], 100, 40) << task;
}

TEST(GradientTest, EpsilonLeavesSomeTurnsToChance) {
  const std::vector<Measurement> results = {Success(9), Success(1), Success(1)};
  EXPECT_THAT(FirstChoices("gradient", results), ElementsAre(300, 0, 0));
  // 30 % of the turns, a third of these for each.
  const auto chosen = FirstChoices("gradient(epsilon=0.3)", results);
  EXPECT_NEAR(chosen[1], 30, 20);
  EXPECT_NEAR(chosen[2], 30, 20);
}

TEST(GradientTest, KnownTasksNeedNoWarmUp) {
  const auto scheduler = Make("gradient", Tasks(3, 4));
  scheduler->Resume(0, Known({5, 5, 5, 5, 5, 5}));  // 6 / 4, rounded: 2
  scheduler->Resume(2, Known({7}));                 // 1 / 4, rounded: 0
  EXPECT_THAT(Turns(*scheduler, {Success(5), Success(4), Success(7)}, 2), ElementsAre(1, 2));
  // -5 / 2, -4 / 1, -7 / 1.
  EXPECT_EQ(scheduler->Next(), 2);
}

TEST(GradientTest, AKnownTaskWithoutASuccessIsWarmedUpAgain) {
  const auto scheduler = Make("gradient", Tasks(2));
  std::vector<Record> failed(3);
  for (Record& record : failed) record.measurement = Failure(Outcome::kCompileError);
  scheduler->Resume(1, failed);
  EXPECT_THAT(Turns(*scheduler, {Success(5), Success(9)}, 2), ElementsAre(0, 1));
}

TEST(GradientTest, TheWholeHistoryIsKnownOrOneEntryOfIt) {
  // As in WhatGainedLatelyMayGainAgain, two records a round: bests 10, 8, 6, 4.
  const std::vector<Record> falling = Known({10, 20, 8, 9, 6, 6, 5, 4});
  const std::vector<Record> flat = Known(std::vector<double>(8, 4.8));
  for (const auto& [spec, expected] :
       {std::pair("gradient(history=all)", 0), std::pair("gradient(history=one)", 1)}) {
    const auto scheduler = Make(spec, Tasks(2, 2));
    scheduler->Resume(0, falling);
    scheduler->Resume(1, flat);
    EXPECT_EQ(scheduler->Next(), expected) << spec;
  }
}

TEST(GradientTest, ResultsOfSlowerDaysAreComparedByTheirRatios) {
  // Everything took twice as long in the earlier session: its 8 s are 4 s now.
  std::vector<Record> yesterday = Known({4, 4});
  for (Record& record : yesterday) record.measurement.timing->seconds *= 2;
  const auto scheduler = Make("gradient(patience=3)", Tasks(1));
  scheduler->Resume(0, yesterday);
  // No gain, so that patience ends the search although the seconds are lower.
  Turns(*scheduler, {Success(4.5)}, 3);
  EXPECT_EQ(scheduler->Next(), std::nullopt);
}

TEST(GradientTest, WhatDidNotStandIsForgotten) {
  const auto scheduler = Make("gradient", Tasks(2));
  Turns(*scheduler, {Success(1), Success(6)}, 2);
  EXPECT_EQ(scheduler->Next(), 1);
  // 1 s was a noisy measurement: -8 against -6.
  scheduler->Revise(0, Known({8})[0]);
  EXPECT_EQ(scheduler->Next(), 0);
  // No result is left: the task is warmed up again.
  scheduler->Revise(1, std::nullopt);
  EXPECT_EQ(scheduler->Next(), 1);
}

TEST(GradientTest, ATaskWhoseOnlySuccessDidNotStandIsTriedOnceMore) {
  const auto scheduler = Make("gradient", Tasks(2));
  Turns(*scheduler, {Success(9), Success(1)}, 2);
  scheduler->Report(0, std::vector{Failure(Outcome::kCompileError)});
  scheduler->Revise(0, std::nullopt);
  EXPECT_EQ(scheduler->Next(), 0);
  scheduler->Report(0, std::vector{Failure(Outcome::kCompileError)});
  EXPECT_EQ(scheduler->Next(), 1) << "it fails always";
}

TEST(GradientTest, WhatDidNotStandIsNoGain) {
  // Four rounds of 10, then 4, which is revised to 9. With alpha 1 only gains count: 10 - 9 over 3
  // rounds, against 10 - 8 over 3 rounds of task 1; before the revision it was 10 - 4.
  const auto scheduler = Make("gradient(alpha=1)", Tasks(2));
  scheduler->Resume(0, Known({10, 10, 10}));
  scheduler->Resume(1, Known({10, 10, 10, 8}));
  const std::vector<Measurement> lucky = {Success(4)};
  scheduler->Report(0, lucky);
  EXPECT_EQ(scheduler->Next(), 0);
  scheduler->Revise(0, Known({9})[0]);
  EXPECT_EQ(scheduler->Next(), 1);
}

TEST(GradientTest, PatienceEndsASearchThatStagnates) {
  const auto scheduler = Make("gradient(patience=3)", Tasks(1));
  Turns(*scheduler, {Success(4)}, 3);  // the first is the warm-up
  Turns(*scheduler, {Success(3)}, 1);  // a gain
  Turns(*scheduler, {Success(3)}, 3);
  EXPECT_EQ(scheduler->Next(), std::nullopt);
}

TEST(GradientTest, ATaskWithoutAGainRests) {
  const auto scheduler = Make("gradient(task_patience=2)", Tasks(2));
  const std::vector<Measurement> flat = {Success(100), Success(1)};
  // Each task gains in its first turn, and not in the next two.
  EXPECT_THAT(Turns(*scheduler, flat, 6), ElementsAre(0, 1, 0, 0, 1, 1));
  EXPECT_EQ(scheduler->Next(), std::nullopt);
}

TEST(GradientTest, ANetworkThatIsFastEnoughWaits) {
  SchedulerContext context = Tasks(2);
  context.tasks[0].counts = {1, 0};
  context.tasks[1].counts = {0, 1};
  const auto scheduler = Make("gradient(objective=requirement,requirement=\"9.5 1\")", context);
  EXPECT_THAT(Turns(*scheduler, {Success(9), Success(2)}, 6), ElementsAre(0, 1, 1, 1, 1, 1));
}

TEST(GradientTest, SpeedupLooksAtSharesOfTheNetwork) {
  // Networks of 100 s and of 1 s count equally: after one round each may gain its whole share.
  SchedulerContext context = Tasks(3);
  context.tasks[0].counts = {1, 0};
  context.tasks[1].counts = {1, 0};
  context.tasks[2].counts = {0, 1};
  const std::vector<Measurement> results = {Success(60), Success(40), Success(1)};
  const auto speedup = Make("gradient(objective=speedup)", context);
  EXPECT_THAT(Turns(*speedup, results, 4), ElementsAre(0, 1, 2, 2));
  const auto latency = Make("gradient", context);
  EXPECT_THAT(Turns(*latency, results, 4), ElementsAre(0, 1, 2, 0));
}

TEST(GradientTest, SaysWhatItExpects) {
  const auto scheduler = Make("gradient", Tasks(2));
  EXPECT_EQ(scheduler->Next(), 0);
  EXPECT_EQ(scheduler->scheduler->Why(0), "") << "it is warmed up";
  Turns(*scheduler, {Success(5), Success(2.5)}, 2);
  scheduler->Next();
  EXPECT_EQ(scheduler->scheduler->Why(0), "gains 4 a turn");  // 0.8 * 5
  EXPECT_EQ(scheduler->scheduler->Why(1), "gains 2 a turn");
}

// A plain version of Ansor's rule for one network of dissimilar tasks that never fail, where no two
// gradients are equal.
struct PlainGradient {
  std::vector<double> weights;
  std::vector<std::vector<double>> bests = std::vector<std::vector<double>>(weights.size());

  double Gradient(size_t i) const {
    const std::vector<double>& g = bests[i];
    const size_t n = g.size();
    const double backward = n > 3 ? (g[n - 1] - g[n - 4]) / 3 : 0;
    const double forward = -g[n - 1] / static_cast<double>(n);
    return weights[i] * (0.2 * backward + 0.8 * forward);
  }

  int Next() const {
    for (size_t i = 0; i < bests.size(); ++i) {
      if (bests[i].empty()) return static_cast<int>(i);
    }
    size_t next = 0;
    for (size_t i = 1; i < bests.size(); ++i) {
      if (Gradient(i) < Gradient(next)) next = i;
    }
    return static_cast<int>(next);
  }

  void Report(int task, double seconds) {
    std::vector<double>& g = bests[static_cast<size_t>(task)];
    g.push_back(g.empty() ? seconds : std::min(g.back(), seconds));
  }
};

TEST(GradientTest, ChoosesOnDrawnCurvesAsTheRuleSays) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    SchedulerContext context = Tasks(6);
    PlainGradient plain = {std::vector<double>(6)};
    for (size_t i = 0; i < 6; ++i) {
      plain.weights[i] = static_cast<double>(1 + rng.Below(5));
      context.tasks[i].counts = {plain.weights[i]};
    }
    ScheduledSearch search("gradient", context);
    for (int turn = 0; turn < 200; ++turn) {
      const int task = plain.Next();
      ASSERT_EQ(search.Next(), task) << "seed " << seed << " turn " << turn;
      const double floor = 1.0 + task;
      const double seconds = floor + 9 * rng.Uniform() / (1.0 + turn / 10.0);
      plain.Report(task, seconds);
      search.Report(task, std::vector{Success(seconds)});
    }
  }
}

// Latencies a + b / n after n rounds: gains decrease, so that giving each round to the task with
// the largest gain is the best allocation.
struct Simulation {
  std::vector<double> weights, a, b;

  double Seconds(size_t task, int rounds) const { return a[task] + b[task] / rounds; }

  double Objective(const std::vector<int>& rounds) const {
    double sum = 0;
    for (size_t i = 0; i < rounds.size(); ++i) sum += weights[i] * Seconds(i, rounds[i]);
    return sum;
  }

  double Best(int budget) const {
    std::vector<int> rounds(weights.size(), 1);
    const auto gain = [&](size_t i) {
      return weights[i] * (Seconds(i, rounds[i]) - Seconds(i, rounds[i] + 1));
    };
    for (int spent = static_cast<int>(rounds.size()); spent < budget; ++spent) {
      size_t best = 0;
      for (size_t i = 1; i < rounds.size(); ++i) best = gain(i) > gain(best) ? i : best;
      ++rounds[best];
    }
    return Objective(rounds);
  }

  double Run(const std::string& scheduler, int budget) const {
    SchedulerContext context = Tasks(weights.size());
    for (size_t i = 0; i < weights.size(); ++i) context.tasks[i].counts = {weights[i]};
    const auto made = Make(scheduler, context);
    std::vector<int> rounds(weights.size());
    for (int spent = 0; spent < budget; ++spent) {
      const int task = made->Next().value();
      const Measurement measurement = Success(Seconds(task, ++rounds[task]));
      made->Report(task, {&measurement, 1});
    }
    return Objective(rounds);
  }
};

TEST(GradientTest, ComesNearToTheBestAllocation) {
  // A network of ten layers; one takes most of the time, and two occur often.
  const Simulation network = {.weights = {1, 12, 6, 2, 1, 1, 1, 1, 1, 1},
                              .a = {2, 0.1, 0.1, 0.1, 0.1, 0.05, 0.05, 0.02, 0.02, 0.01},
                              .b = {80, 2, 2, 2, 1, 1, 0.5, 0.5, 0.2, 0.1}};
  for (int budget : {40, 100, 300}) {
    const double best = network.Best(budget);
    const double gradient = network.Run("gradient", budget);
    const double round_robin = network.Run("round_robin", budget);
    EXPECT_LT(gradient, 1.03 * best) << budget;
    EXPECT_GE(gradient, best) << budget;
    EXPECT_LT(gradient - best, (round_robin - best) / 4) << budget;
  }
}

// Tasks 0 and 2 are of one family with different sizes; task 1 is alone.
SchedulerContext Families() {
  SchedulerContext context = Tasks(3, 4);
  context.tasks[0].tag = "sum f32 2 1 *_30";
  context.tasks[1].tag = "max f32 1 1 x_12";
  context.tasks[2].tag = "sum f32 2 1 *_41";
  return context;
}

TEST(GradientForeseeTest, AnotherOfTheFamilyHasAShortTurnAfterEach) {
  const auto search = Make("gradient(foresee=2)", Families());
  const std::vector<Measurement> by_task = {Success(8), Success(1), Success(4)};
  EXPECT_THAT(Turns(*search, by_task, 3), ElementsAre(0, 1, 2)) << "the warm-up";
  EXPECT_EQ(search->scheduler->MostTrials(), std::nullopt);
  // Task 0 has -0.8 * 8; then 2 is foreseen, with -0.8 * 4.
  EXPECT_EQ(TakeTurn(*search, by_task), 0);
  EXPECT_EQ(search->scheduler->MostTrials(), std::nullopt);
  EXPECT_EQ(TakeTurn(*search, by_task), 2);
  EXPECT_EQ(search->scheduler->MostTrials(), 2);
  EXPECT_THAT(search->scheduler->Why(2), testing::HasSubstr("foreseen"));
}

TEST(GradientForeseeTest, ForeseenTurnsAreNoRounds) {
  // Task 0 has two rounds: -0.8 * 8 / 2 = -3.2. Task 2 has one round and a foreseen turn: still
  // -0.8 * 4.2 / 1 = -3.36. Counted as a round it would have -1.68.
  const std::vector<Measurement> by_task = {Success(8), Success(0.1), Success(4.2)};
  const auto foreseeing = Make("gradient(foresee=2)", Families());
  EXPECT_THAT(Turns(*foreseeing, by_task, 6), ElementsAre(0, 1, 2, 0, 2, 2));
}

TEST(GradientForeseeTest, SaysOnceWhoseFamilyHasNoOther) {
  std::vector<std::string> lines;
  SchedulerContext context = Families();
  context.say = [&](const std::string& line) { lines.push_back(line); };
  const auto search = Make("gradient(foresee=2)", context);
  Turns(*search, {Success(1), Success(50), Success(1)}, 6);
  EXPECT_THAT(lines, ElementsAre("scheduler gradient: foresee has no effect after turns of 1 of 3 "
                                 "tasks, which are alone in their families"));
  lines.clear();
  Make("gradient", context);
  context.tasks.erase(context.tasks.begin() + 1);
  Make("gradient(foresee=2)", context);
  EXPECT_THAT(lines, ElementsAre()) << "nothing is foreseen, or both tasks are of one family";
}

// Published: 16 trials after turns of 64. TVM shortens turns for a small budget.
TEST(GradientForeseeTest, TurnsAreAsLongAsAskedFor) {
  const std::vector<Measurement> by_task = {Success(8), Success(1), Success(4)};
  for (const auto& [budget, turn] : {std::pair{1000, 64}, {192, 64}, {100, 33}, {2, 1}}) {
    const auto search = Make("gradient(foresee=16,turn=64)", Families());
    search->trials_left = budget;
    EXPECT_THAT(Turns(*search, by_task, 4), ElementsAre(0, 1, 2, 0));
    EXPECT_EQ(search->scheduler->MostTrials(), turn) << budget;
    EXPECT_EQ(TakeTurn(*search, by_task), 2);
    EXPECT_EQ(search->scheduler->MostTrials(), 16) << "foreseen";
  }
}

TEST(GradientForeseeTest, AFamilyOfOneHasNothingToForesee) {
  const auto search = Make("gradient(foresee=2)", Families());
  const std::vector<Measurement> by_task = {Success(1), Success(50), Success(1)};
  EXPECT_THAT(Turns(*search, by_task, 5), ElementsAre(0, 1, 2, 1, 1));
  EXPECT_EQ(search->scheduler->MostTrials(), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
