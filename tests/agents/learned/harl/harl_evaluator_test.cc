#include "agents/learned/harl/harl_evaluator.h"

#include <gtest/gtest.h>

#include "tests/env/gym/split_sketches.h"

namespace schedulegym {
namespace {

HarlOptions Read(const std::string& options) {
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

  // Each under a key of its own.
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
  const HarlEvaluator published(Read("mode=faithful"), {});
  const HarlEvaluator improved(Read("estimate_first=false"), {});
  EXPECT_FALSE(published.Knows());
  EXPECT_FALSE(improved.Knows());
  EXPECT_TRUE(HarlEvaluator(Read(""), {}).Knows()) << "the estimate";
  EXPECT_TRUE(HarlEvaluator(Read("mode=faithful,model=analytical"), {}).Knows());
}

TEST_F(HarlEvaluatorTest, GoesByTheEstimateAndThenByTrees) {
  HarlEvaluator evaluator(Read("features=ansor"), {}), alone(Read("model=analytical"), {});
  const std::vector<ScheduleState> states = {Measured(0).state, Measured(5).state};
  EXPECT_EQ(evaluator.OfStates()(states), alone.OfStates()(states));
  Teach(evaluator, 60);
  EXPECT_TRUE(evaluator.Knows());
  EXPECT_NE(evaluator.OfStates()(states), alone.OfStates()(states));
}

TEST_F(HarlEvaluatorTest, ToAskItForChanceIsABug) {
  HarlEvaluator evaluator(Read("estimate_first=false"), {});
  EXPECT_ANY_THROW(evaluator.Score({}));
  Teach(evaluator, 48);
  EXPECT_FALSE(evaluator.Knows());
}

}  // namespace
}  // namespace schedulegym
