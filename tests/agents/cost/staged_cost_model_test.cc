#include "agents/cost/staged_cost_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "env/base/fault.h"
#include "env/features/analytical_cost.h"
#include "env/schedule/loop_structure.h"
#include "spaces/sketches/sketch_space.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using Kind = StagedModelOptions::Kind;

std::vector<ScheduleState> Drawn(int count, uint64_t seed = 1) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  const auto task = WorkloadTask("matmul(m=64,n=64,k=64)", Avx2Target(2));
  Rng rng(seed);
  std::vector<ScheduleState> states;
  while (static_cast<int>(states.size()) < count) {
    Result<ScheduleState> state = space->Sample(task, rng);
    if (state) states.push_back(*std::move(state));
  }
  return states;
}

// On a machine on which all is as slow as its estimate is fast.
std::vector<MeasuredState> Upside(const std::vector<ScheduleState>& states) {
  std::vector<MeasuredState> measured;
  for (const ScheduleState& state : states) {
    measured.push_back({state, StateKey(state), 1e-9 / EstimateCost(state).Seconds()});
  }
  return measured;
}

// Pairs that the scores have in the estimate's order, less those in the other.
int Agreement(const std::vector<ScheduleState>& states,
              const std::vector<std::optional<double>>& scores) {
  int agreement = 0;
  for (size_t i = 0; i < states.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double by_estimate =
          EstimateCost(states[j]).Seconds() - EstimateCost(states[i]).Seconds();
      agreement += by_estimate * (*scores[i] - *scores[j]) > 0 ? 1 : -1;
    }
  }
  return agreement;
}

// Where it may not see the estimate, it says nothing of seconds before it has trees.
TEST(StagedCostModelTest, GuessesWhereTheEstimateIsNotToBeSeen) {
  StagedModelOptions options;
  options.features = ModelFeatures::kAnsor;
  options.trusted_from = 100;
  StagedCostModel model(options, Rng(1));
  const auto asked = Drawn(40, 2);
  const auto known = Drawn(160);
  const Key task = TaskKey(asked[0].task());
  EXPECT_NE(model.Predict(asked), model.Predict(asked));
  EXPECT_FALSE(model.SecondsOf(task, 0.5));
  EXPECT_LT(std::abs(Agreement(asked, model.Predict(asked))), 40 * 39 / 4);
  model.Learn(Upside(known));
  model.Era();
  EXPECT_EQ(model.Predict(asked), model.Predict(asked));
  EXPECT_TRUE(model.SecondsOf(task, 0.5));
  EXPECT_LT(Agreement(asked, model.Predict(asked)), 0);
}

TEST(StagedCostModelTest, BelievesTheEstimateUntilTreesHaveSeenEnough) {
  StagedModelOptions options;
  options.trusted_from = 100;
  StagedCostModel model(options, Rng(1));
  const auto asked = Drawn(40, 2);
  const auto known = Drawn(160);
  model.Learn(Upside({known.begin(), known.begin() + 100}));
  EXPECT_EQ(model.Era(), 0);
  const auto estimates = model.Predict(asked);
  EXPECT_NEAR(*estimates[0], 1 / EstimateCost(asked[0]).Seconds(), 1e-6 * *estimates[0]);
  EXPECT_NEAR(*model.SecondsOf(TaskKey(asked[0].task()), *estimates[0]),
              EstimateCost(asked[0]).Seconds(), 1e-12);
  model.Learn(Upside({known.begin() + 100, known.end()}));
  EXPECT_GT(model.Era(), 0);
  EXPECT_LT(Agreement(asked, model.Predict(asked)), 0);
  EXPECT_EQ(model.calls(), 80);
}

TEST(StagedCostModelTest, TheEraChangesWithEachTraining) {
  StagedModelOptions options;
  options.trusted_from = 1;
  StagedCostModel model(options, Rng(1));
  const auto known = Drawn(60);
  model.Learn(Upside({known.begin(), known.begin() + 40}));
  const int first = model.Era();
  EXPECT_EQ(model.Era(), first);
  model.Learn(Upside({known.begin() + 40, known.begin() + 42}));  // not a fifth
  EXPECT_EQ(model.Era(), first);
  model.Learn(Upside({known.begin() + 42, known.end()}));
  EXPECT_NE(model.Era(), first);
}

// The best has a score of about 1.
TEST(StagedCostModelTest, TreesTellSecondsByTheBestMeasured) {
  StagedModelOptions options;
  options.trusted_from = 1;
  StagedCostModel model(options, Rng(1));
  const auto known = Drawn(60);
  const Key task = TaskKey(known[0].task());
  std::vector<MeasuredState> measured = Upside(known);
  measured[0].seconds = 0.25;
  measured[1].seconds.reset();
  for (size_t i = 2; i < measured.size(); ++i) measured[i].seconds = 0.5;
  model.Learn(measured);
  EXPECT_DOUBLE_EQ(*model.SecondsOf(task, 0.5), 0.5);
  EXPECT_DOUBLE_EQ(*model.SecondsOf(task, 1), 0.25);
  EXPECT_EQ(*model.SecondsOf(task, -3), *model.SecondsOf(task, 0));  // the slowest it tells
  EXPECT_FALSE(model.SecondsOf(Key{1, 2}, 0.5));
}

TEST(StagedCostModelTest, WhatIsLearnedAgainTakesThePlaceOfWhatWas) {
  StagedModelOptions options;
  options.trusted_from = 1;
  StagedCostModel led(options, Rng(1)), misled(options, Rng(1));
  const std::vector<MeasuredState> truth = Upside(Drawn(60));
  led.Learn(truth);
  std::vector<MeasuredState> wrong = truth;
  for (MeasuredState& one : wrong) one.seconds = 1e-9;
  misled.Learn(wrong);
  misled.Learn(truth);
  const auto asked = Drawn(20, 2);
  EXPECT_EQ(led.Predict(asked), misled.Predict(asked));
  const Key task = TaskKey(asked[0].task());
  EXPECT_EQ(led.SecondsOf(task, 0.5), misled.SecondsOf(task, 0.5));
}

TEST(StagedCostModelTest, TheEstimateStaysWhereItIsAskedFor) {
  StagedModelOptions options;
  options.kind = Kind::kAnalytical;
  options.trusted_from = 1;
  StagedCostModel model(options, Rng(1));
  model.Learn(Upside(Drawn(60)));
  const auto asked = Drawn(20, 2);
  const auto scores = model.Predict(asked);
  for (size_t i = 0; i < asked.size(); ++i) {
    EXPECT_DOUBLE_EQ(*scores[i], 1 / EstimateCost(asked[i]).Seconds());
  }
  EXPECT_EQ(model.Era(), 0);
  EXPECT_EQ(model.memory(), nullptr);
}

TEST(StagedCostModelTest, ChanceKnowsNothing) {
  StagedModelOptions options;
  options.kind = Kind::kRandom;
  StagedCostModel one(options, Rng(1)), same(options, Rng(1)), other(options, Rng(2));
  const auto asked = Drawn(20);
  const auto scores = one.Predict(asked);
  EXPECT_EQ(scores, same.Predict(asked));
  EXPECT_NE(scores, other.Predict(asked));
  for (const auto& score : scores) {
    EXPECT_GE(*score, 0);
    EXPECT_LT(*score, 1);
  }
  EXPECT_FALSE(one.SecondsOf(TaskKey(asked[0].task()), 0.5));
}

TEST(StagedCostModelTest, TreesOfAFileAreBelievedFromTheFirst) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("trees.json");
  StagedModelOptions options;
  options.trusted_from = 1;
  StagedCostModel first(options, Rng(1));
  first.Learn(Upside(Drawn(150)));
  const std::string text = first.memory()->Save().value();
  std::ofstream(path) << text;
  StagedModelOptions from_file;
  from_file.file = path;
  StagedCostModel second(from_file, Rng(1));
  const auto asked = Drawn(40, 2);
  EXPECT_GT(second.Era(), 0);
  EXPECT_LT(Agreement(asked, second.Predict(asked)), 0);
  StagedCostModel third({}, Rng(1));
  third.memory()->Load(text);
  EXPECT_EQ(third.Predict(asked), second.Predict(asked));
  from_file.file = folder.Path("none");
  EXPECT_THROW(StagedCostModel(from_file, Rng(1)), InputError);
}

}  // namespace
}  // namespace schedulegym
