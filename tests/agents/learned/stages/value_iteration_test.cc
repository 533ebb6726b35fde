#include "agents/learned/stages/value_iteration.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "agents/learned/scorer/scorer_training.h"
#include "agents/learned/stages/stage_beam.h"
#include "env/measure/record.h"
#include "tests/agents/decisions/two_sketch_space.h"
#include "tests/agents/learned/scorer/program_samples.h"

namespace schedulegym {
namespace {

// Predicts each schedule's true seconds in another unit.
class KnowingModel : public CostModel {
 public:
  explicit KnowingModel(bool knows_seconds = true) : knows_seconds_(knows_seconds) {}

  std::vector<std::optional<Prediction>> Predict(std::span<const StateFeatures> states) override {
    std::vector<std::optional<Prediction>> predictions;
    for (const StateFeatures& state : states) {
      const double seconds = 3 * TwoSketchSeconds(state.state());
      predictions.push_back(Prediction{.score = 1 / seconds});
      if (knows_seconds_) predictions.back()->seconds = seconds;
    }
    return predictions;
  }
  void Learn(std::span<const MeasuredState> measured) override { (void)measured; }

 private:
  bool knows_seconds_;
};

// Starts from a few random schedules, with which alone a network learns little.
class ValueIterationTest : public testing::Test {
 protected:
  static constexpr int kMeasured = 24, kWidth = 8;

  ValueIterationTest()
      : spec_(RequireSpec("model",
                          "stages(task=none,width=32,prefixes=6,epochs=40,patience=40,held_out=0,"
                          "rate=0.003)")),
        options_(ReadScorerOptions(spec_)),
        description_(Programs(), options_, 1,
                     [](const Spec&) { return std::make_unique<TwoSketchSpace>(); }) {
    description_.Describe(description_.total());
  }

  ProgramSet Programs() const {
    ProgramSet set;
    set.tasks.push_back({*DescribeTask(*task_), ""});
    set.tasks.back().info.target = SampleTargetText(2);
    Rng rng(5);
    while (std::ssize(set.programs) < kMeasured) {
      const Result<ScheduleState> state = space_.Sample(task_, rng);
      if (!state) continue;
      MeasuredProgram program;
      program.trace = state->TraceText();
      program.space = "two_sketches";
      program.seconds = TwoSketchSeconds(*state);
      set.programs.push_back(program);
    }
    return set;
  }
  // Trains on all described programs, from the current weights.
  void Train() {
    ScorerTraining training(spec_, description_.Rows(), {.seed = 1});
    if (model_) training.BeginFrom(*model_);
    while (!training.is_over()) training.Step();
    model_ = ReadScorer(training.State());
  }
  // Seconds of the result of a greedy search.
  double GreedySeconds() {
    StageBeam beam(*model_, space_, description_.task(0));
    Rng rng(4);
    const StagePrefix best = beam.Search(1, kStageDraws, rng, 1).front().prefix;
    return TwoSketchSeconds(beam.prefixes().StateAt(best).value());
  }
  int Add(CostModel& evaluator) {
    return AddCompletions({0, "two_sketches"}, kWidth, *model_, evaluator, space_, 1,
                          &description_);
  }

  const TwoSketchSpace space_;
  const std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
  Spec spec_;
  ScorerOptions options_;
  ProgramDescription description_;
  std::optional<ScorerModel> model_;
};

TEST_F(ValueIterationTest, AddsTheBestOfABeamAsProgramsByTheScaledJudge) {
  Train();
  const ProgramRows before = description_.Rows();
  KnowingModel evaluator;
  EXPECT_EQ(Add(evaluator), kWidth);
  const ProgramRows after = description_.Rows();
  EXPECT_GT(after.size(), before.size());
  EXPECT_EQ(after.tasks.back(), 0);
  EXPECT_LE(*std::ranges::max_element(after.labels), 1);
  for (int i = 0; i < before.size(); ++i) {
    EXPECT_GE(after.labels[static_cast<size_t>(i)], before.labels[static_cast<size_t>(i)])
        << "a partial schedule's best completion only gets better";
  }
  KnowingModel scores(/*knows_seconds=*/false);
  EXPECT_EQ(Add(scores), 0);
}

TEST_F(ValueIterationTest, WithATruthfulJudgeGreedyGetsBetter) {
  Train();
  const double first = GreedySeconds();
  KnowingModel evaluator;
  for (int iteration = 0; iteration < 3; ++iteration) {
    Add(evaluator);
    Train();
  }
  EXPECT_LE(GreedySeconds(), first);
  EXPECT_LE(GreedySeconds(), 1.5 * kBestTwoSketchSeconds);
}

TEST(DrawPlacesTest, AreDifferentOnesOfTheSet) {
  ProgramSet set;
  for (int i = 0; i < 12; ++i) {
    MeasuredProgram program;
    program.task = i % 3;
    program.space = i % 2 == 0 ? "a" : "b";
    set.programs.push_back(program);
  }
  Rng rng(1), again(1);
  std::vector<StagePlace> places = DrawPlaces(set, 100, rng);
  EXPECT_EQ(DrawPlaces(set, 100, again), places) << "by the seed";
  std::ranges::sort(places);
  const std::vector<StagePlace> all = {{0, "a"}, {0, "b"}, {1, "a"}, {1, "b"}, {2, "a"}, {2, "b"}};
  EXPECT_EQ(places, all);
  EXPECT_EQ(DrawPlaces(set, 4, rng).size(), 4U);
}

}  // namespace
}  // namespace schedulegym
