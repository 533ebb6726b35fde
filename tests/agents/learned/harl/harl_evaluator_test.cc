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
    for (int i = 0; i < samples; ++i) evaluator.Learn(0, Measured(i));
    evaluator.TrainNow(0);
  }

  std::vector<ScheduleState> states_;
};

TEST_F(HarlEvaluatorTest, KnowsNothingUntilItsTreesAreBelieved) {
  const HarlEvaluator published(Read("mode=faithful"), 1, {});
  const HarlEvaluator improved(Read("estimate_first=false"), 1, {});
  EXPECT_FALSE(published.Knows(0));
  EXPECT_FALSE(improved.Knows(0));
  EXPECT_TRUE(HarlEvaluator(Read(""), 1, {}).Knows(0)) << "the estimate";
  EXPECT_TRUE(HarlEvaluator(Read("mode=faithful,model=analytical"), 1, {}).Knows(0));
}

TEST_F(HarlEvaluatorTest, GoesByTheEstimateAndThenByTrees) {
  HarlEvaluator evaluator(Read("features=ansor"), 1, {}), alone(Read("model=analytical"), 1, {});
  const std::vector<ScheduleState> states = {Measured(0).state, Measured(5).state};
  EXPECT_EQ(evaluator.Of(0)(states), alone.Of(0)(states));
  Teach(evaluator, 60);
  EXPECT_TRUE(evaluator.Knows(0));
  EXPECT_NE(evaluator.Of(0)(states), alone.Of(0)(states));
}

TEST_F(HarlEvaluatorTest, ToAskItForChanceIsABug) {
  HarlEvaluator evaluator(Read("estimate_first=false"), 1, {});
  EXPECT_ANY_THROW(evaluator.Score(0, {}));
  Teach(evaluator, 48);
  EXPECT_FALSE(evaluator.Knows(0));
}

}  // namespace
}  // namespace schedulegym
