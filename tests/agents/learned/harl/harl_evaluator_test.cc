#include "agents/learned/harl/harl_evaluator.h"

#include <gtest/gtest.h>

#include "agents/learned/scorer/scorer_checkpoint.h"
#include "tests/agents/learned/scorer/known_rows.h"
#include "tests/env/gym/split_sketches.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

HarlOptions ReadEvaluation(const std::string& options) {
  return ReadHarlOptions(ParseSpec("harl(" + options + ")").value());
}

class HarlEvaluatorTest : public testing::Test {
 protected:
  HarlEvaluatorTest() {
    const Sketch sketch = SplitSketch(Loop24Task(), 3);
    for (KnobIndex i = 0; i < sketch.knobs->size(); ++i) {
      const Result<ScheduleState> state = sketch.knobs->At(sketch.knobs->PointOf(i));
      if (state) states_.push_back(*state);
    }
  }

  // Each with its own key.
  MeasuredState Measured(int number) const {
    const ScheduleState& state = states_[static_cast<size_t>(number) % states_.size()];
    return {state, {0, static_cast<uint64_t>(number)}, 1e-3 * (1 + number)};
  }
  void Teach(HarlEvaluator& evaluator, int samples) const {
    for (int i = 0; i < samples; ++i) evaluator.Learn(Measured(i));
    evaluator.TrainNow();
  }

  std::vector<ScheduleState> states_;
};

TEST_F(HarlEvaluatorTest, KnowsNothingUntilItsTreesAreBelieved) {
  const HarlEvaluator published(ReadEvaluation("mode=faithful"), {});
  const HarlEvaluator improved(ReadEvaluation("estimate_first=false"), {});
  EXPECT_FALSE(published.Knows());
  EXPECT_FALSE(improved.Knows());
  EXPECT_TRUE(HarlEvaluator(ReadEvaluation(""), {}).Knows()) << "the estimate";
  EXPECT_TRUE(HarlEvaluator(ReadEvaluation("mode=faithful,model=analytical"), {}).Knows());
}

TEST_F(HarlEvaluatorTest, GoesByTheEstimateAndThenByTrees) {
  HarlEvaluator evaluator(ReadEvaluation("features=ansor"), {}),
      alone(ReadEvaluation("model=analytical"), {});
  const std::vector<ScheduleState> states = {Measured(0).state, Measured(5).state};
  EXPECT_EQ(evaluator.OfStates()(states), alone.OfStates()(states));
  Teach(evaluator, 60);
  EXPECT_TRUE(evaluator.Knows());
  EXPECT_NE(evaluator.OfStates()(states), alone.OfStates()(states));
}

TEST_F(HarlEvaluatorTest, GoesByAnotherModelUntilTreesHaveEnough) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("n.model");
  const Spec spec = ModelSpec("mlp(features=ansor,task=none,width=4)");
  const ProgramRows rows = KnownRows(spec, 1, 3);
  Checkpoint checkpoint;
  PutScorer(checkpoint, NewScorerModel(spec, rows, std::vector<int>{0, 1, 2}, Rng(1)));
  WriteScorerFile(path, checkpoint);
  const std::vector<ScheduleState> states = {Measured(0).state, Measured(5).state};
  for (const std::string& model : {std::string("pretrained"), "\"" + path + "\""}) {
    HarlEvaluator evaluator(ReadEvaluation("mode=faithful,model=" + model), {});
    EXPECT_TRUE(evaluator.Knows());
    const auto before = evaluator.OfStates()(states);
    EXPECT_NE(before, HarlEvaluator(ReadEvaluation("model=analytical"), {}).OfStates()(states));
    Teach(evaluator, kReplacedFrom - 1);
    EXPECT_EQ(evaluator.OfStates()(states), before) << model;
    evaluator.Learn(Measured(kReplacedFrom));
    evaluator.TrainNow();
    EXPECT_NE(evaluator.OfStates()(states), before) << model;
  }
}

TEST_F(HarlEvaluatorTest, ToAskItForChanceIsABug) {
  HarlEvaluator evaluator(ReadEvaluation("estimate_first=false"), {});
  EXPECT_ANY_THROW(evaluator.Score({}));
  Teach(evaluator, 48);
  EXPECT_FALSE(evaluator.Knows());
}

}  // namespace
}  // namespace schedulegym
