#include "agents/cost/staged_cost_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "env/base/fault.h"
#include "env/features/analytical_cost.h"
#include "env/schedule/loop_structure.h"
#include "spaces/ansor/sketch_space.h"
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

// A machine whose speeds are the reverse of the analytical model's.
std::vector<MeasuredState> Upside(const std::vector<ScheduleState>& states) {
  std::vector<MeasuredState> measured;
  for (const ScheduleState& state : states) {
    measured.push_back({state, StateKey(state), 1e-9 / EstimateCost(state).Seconds()});
  }
  return measured;
}

// Scores of states of one task.
std::vector<std::optional<double>> Scores(CostModel& model, std::span<const ScheduleState> states) {
  return ScoresOf(model.Predict(WithFeatures(states)));
}

std::vector<std::optional<double>> Seconds(CostModel& model,
                                           std::span<const ScheduleState> states) {
  std::vector<std::optional<double>> seconds;
  for (const auto& one : model.Predict(WithFeatures(states))) seconds.push_back(one->seconds);
  return seconds;
}

// Number of pairs that the scores order as the analytical model does, less the others.
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

// Without access to the analytical model it predicts no seconds before it has trees.
TEST(StagedCostModelTest, GuessesWhereTheEstimateIsNotToBeSeen) {
  StagedModelOptions options;
  options.features = ModelFeatures::kAnsor;
  options.trusted_from = 100;
  StagedCostModel model(options, Rng(1));
  const auto asked = Drawn(40, 2);
  const auto known = Drawn(160);
  EXPECT_NE(Scores(model, asked), Scores(model, asked));
  EXPECT_FALSE(Seconds(model, asked)[0]);
  EXPECT_LT(std::abs(Agreement(asked, Scores(model, asked))), 40 * 39 / 4);
  model.Learn(Upside(known));
  model.Era();
  EXPECT_EQ(Scores(model, asked), Scores(model, asked));
  EXPECT_TRUE(Seconds(model, asked)[0]);
  EXPECT_LT(Agreement(asked, Scores(model, asked)), 0);
}

TEST(StagedCostModelTest, WaitsWhereItGuessesAndWillKnow) {
  EXPECT_TRUE(StagedCostModel({.features = ModelFeatures::kAnsor}, Rng(1)).Waits());
  EXPECT_FALSE(StagedCostModel({}, Rng(1)).Waits()) << "the estimate tells";
  EXPECT_FALSE(StagedCostModel({Kind::kRandom}, Rng(1)).Waits()) << "it never knows";
  StagedCostModel model({.features = ModelFeatures::kAnsor, .trusted_from = 10}, Rng(1));
  model.Learn(Upside(Drawn(10)));
  EXPECT_TRUE(model.Waits());
  model.Learn(Upside(Drawn(1, 2)));
  EXPECT_FALSE(model.Waits());
}

TEST(StagedCostModelTest, BelievesTheEstimateUntilTreesHaveSeenEnough) {
  StagedModelOptions options;
  options.trusted_from = 100;
  StagedCostModel model(options, Rng(1));
  const auto asked = Drawn(40, 2);
  const auto known = Drawn(160);
  model.Learn(Upside({known.begin(), known.begin() + 100}));
  EXPECT_EQ(model.Era(), 0);
  const auto estimates = Scores(model, asked);
  EXPECT_NEAR(*estimates[0], 1 / EstimateCost(asked[0]).Seconds(), 1e-6 * *estimates[0]);
  EXPECT_NEAR(*Seconds(model, asked)[0], EstimateCost(asked[0]).Seconds(), 1e-12);
  model.Learn(Upside({known.begin() + 100, known.end()}));
  EXPECT_GT(model.Era(), 0);
  EXPECT_LT(Agreement(asked, Scores(model, asked)), 0);
}

TEST(StagedCostModelTest, TheEraChangesWithEachTraining) {
  StagedModelOptions options;
  options.trusted_from = 1;
  StagedCostModel model(options, Rng(1));
  const auto known = Drawn(60);
  model.Learn(Upside({known.begin(), known.begin() + 40}));
  const int first = model.Era();
  EXPECT_EQ(model.Era(), first);
  model.Learn(Upside({known.begin() + 40, known.begin() + 42}));  // less than a fifth
  EXPECT_EQ(model.Era(), first);
  model.Learn(Upside({known.begin() + 42, known.end()}));
  EXPECT_NE(model.Era(), first);
}

// The best state has a score of about 1.
TEST(StagedCostModelTest, TreesTellSecondsByTheBestMeasured) {
  StagedModelOptions options;
  options.trusted_from = 1;
  StagedCostModel model(options, Rng(1));
  const auto known = Drawn(60);
  std::vector<MeasuredState> measured = Upside(known);
  measured[0].seconds = 0.25;
  measured[1].seconds.reset();
  for (size_t i = 2; i < measured.size(); ++i) measured[i].seconds = 0.5;
  model.Learn(measured);
  const auto scores = Scores(model, known), seconds = Seconds(model, known);
  for (size_t i = 0; i < known.size(); ++i) {
    // The smallest score used is a thousandth.
    EXPECT_DOUBLE_EQ(*seconds[i], 0.25 / std::max(*scores[i], 1e-3)) << i;
  }
  const auto other = WorkloadTask("matmul(m=32,n=64,k=64)", Avx2Target(2));
  EXPECT_FALSE(Seconds(model, std::vector{ScheduleState::Initial(other)})[0]);
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
  EXPECT_EQ(Scores(led, asked), Scores(misled, asked));
  EXPECT_EQ(Seconds(led, asked), Seconds(misled, asked));
}

TEST(StagedCostModelTest, TheEstimateStaysWhereItIsAskedFor) {
  StagedModelOptions options;
  options.kind = Kind::kAnalytical;
  options.trusted_from = 1;
  StagedCostModel model(options, Rng(1));
  model.Learn(Upside(Drawn(60)));
  const auto asked = Drawn(20, 2);
  const auto scores = Scores(model, asked);
  for (size_t i = 0; i < asked.size(); ++i) {
    EXPECT_DOUBLE_EQ(*scores[i], 1 / EstimateCost(asked[i]).Seconds());
  }
  EXPECT_EQ(model.Era(), 0);
  EXPECT_EQ(model.memory(), nullptr);
}

TEST(StagedCostModelTest, WithoutTheEstimateChanceRanksUntilTheTrees) {
  StagedModelOptions options;
  options.trusted_from = 1;
  options.estimates = false;
  StagedCostModel one(options, Rng(1)), other(options, Rng(2));
  EXPECT_TRUE(one.Waits());
  const auto asked = Drawn(20);
  EXPECT_NE(Scores(one, asked), Scores(other, asked));
  for (StagedCostModel* model : {&one, &other}) model->Learn(Upside(Drawn(60)));
  EXPECT_FALSE(one.Waits());
  EXPECT_EQ(Scores(one, asked), Scores(other, asked));
}

TEST(StagedCostModelTest, ChanceKnowsNothing) {
  StagedModelOptions options;
  options.kind = Kind::kRandom;
  StagedCostModel one(options, Rng(1)), same(options, Rng(1)), other(options, Rng(2));
  const auto asked = Drawn(20);
  const auto scores = Scores(one, asked);
  EXPECT_EQ(scores, Scores(same, asked));
  EXPECT_NE(scores, Scores(other, asked));
  for (const auto& score : scores) {
    EXPECT_GE(*score, 0);
    EXPECT_LT(*score, 1);
  }
  EXPECT_FALSE(Seconds(one, asked)[0]);
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
  EXPECT_LT(Agreement(asked, Scores(second, asked)), 0);
  StagedCostModel third({}, Rng(1));
  third.memory()->Load(text);
  EXPECT_EQ(Scores(third, asked), Scores(second, asked));
  from_file.file = folder.Path("none");
  EXPECT_THROW(StagedCostModel(from_file, Rng(1)), InputError);
}

TEST(StagedCostModelTest, BeginsWithTheNetworkOfAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("network.model");
  std::ofstream(path, std::ios::binary) << ToBytes(SavedModelState{"scorer 1", "text"});
  const std::vector<ScheduleState> states = Drawn(4);
  const NetworkReader upside_down = [](const std::string&, auto, auto) {
    class Slowest : public CostModel {
     public:
      std::vector<std::optional<Prediction>> Predict(
          std::span<const StateFeatures> asked) override {
        std::vector<std::optional<Prediction>> predictions;
        for (const StateFeatures& one : asked) {
          predictions.emplace_back(Prediction{EstimateCost(one.state()).Seconds()});
        }
        return predictions;
      }
      void Learn(std::span<const MeasuredState> measured) override { (void)measured; }
    };
    return std::make_unique<Slowest>();
  };
  StagedCostModel model({.file = path, .network = upside_down}, Rng(1));
  const std::vector<std::optional<double>> scores = Scores(model, states);
  for (size_t i = 0; i < states.size(); ++i) {
    EXPECT_EQ(scores[i], EstimateCost(states[i]).Seconds());
  }
  EXPECT_NE(model.memory(), nullptr);
  EXPECT_THROW(StagedCostModel({.file = path}, Rng(1)), InputError);
}

}  // namespace
}  // namespace schedulegym
