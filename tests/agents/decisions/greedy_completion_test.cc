#include "agents/decisions/state_rollout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "agents/decisions/decision_place.h"
#include "tests/agents/decisions/two_sketch_space.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;

class GreedyCompletionTest : public testing::Test {
 protected:
  GreedyCompletionTest()
      : root_(FirstDecision(space_.Sketches(TwoSketchSpace::SmallTask()),
                            DecisionOrder::kOutputsFirst)) {}

  // The faster, the better; records the number of states of each call.
  StateEvaluator BySpeed() {
    return [this](const std::vector<ScheduleState>& states) {
      batches_.push_back(static_cast<int>(states.size()));
      std::vector<std::optional<double>> values;
      for (const ScheduleState& state : states) values.emplace_back(1 / TwoSketchSeconds(state));
      return values;
    };
  }

  TwoSketchSpace space_;
  std::shared_ptr<const TreePlace> root_;
  std::vector<int> batches_;
};

// The second sketch has two knobs: B's unrolling, of 3, and its tile, of 8.
TEST_F(GreedyCompletionTest, TakesTheBestOfEachDecisionUntilAllAreMade) {
  std::vector<GreedyCompletion> one = {{root_->After(1), Rng(1)}};
  CompleteGreedily(one, BySpeed(), 1);
  EXPECT_EQ(one[0].place->choices(), 0);
  EXPECT_EQ(one[0].evaluated, 3 + 8);
  ASSERT_EQ(batches_.size(), 3u);
  EXPECT_EQ(batches_[0] + batches_[1], 3 + 8);
  EXPECT_EQ(batches_[2], 0);
  // Unrolling by 64 gains more than any tile, so no draw of the tile hides it.
  EXPECT_DOUBLE_EQ(TwoSketchSeconds(*one[0].state), 100 - 6.4 - 5);
}

TEST_F(GreedyCompletionTest, AllAdvanceInLockStep) {
  const std::shared_ptr<const TreePlace> whole = root_->After(1)->After(0)->After(0);
  std::vector<GreedyCompletion> some = {
      {root_->After(1), Rng(1)}, {whole, Rng(2)}, {root_->After(1)->After(0), Rng(3)}};
  CompleteGreedily(some, BySpeed(), 1);
  EXPECT_EQ(some[1].evaluated, 0);
  EXPECT_TRUE(some[1].state);
  ASSERT_EQ(batches_.size(), 3u);
  EXPECT_EQ(batches_[0], some[2].evaluated + 11 - batches_[1]);
  EXPECT_EQ(std::accumulate(batches_.begin(), batches_.end(), 0), 11 + some[2].evaluated);
}

TEST_F(GreedyCompletionTest, IsTheSameTogetherAndOnAnyNumberOfThreads) {
  const auto traces = [&](int threads, int together) {
    std::string all;
    for (uint64_t begin = 0; begin < 6; begin += together) {
      std::vector<GreedyCompletion> some;
      for (int i = 0; i < together; ++i) some.push_back({root_, Rng(begin + i)});
      CompleteGreedily(some, BySpeed(), threads);
      for (const GreedyCompletion& one : some) all += one.state->TraceText();
    }
    return all;
  };
  EXPECT_EQ(traces(1, 1), traces(3, 6));
}

TEST_F(GreedyCompletionTest, WhereNothingHasAValueADrawIsLeft) {
  const StateEvaluator evaluator = [](const std::vector<ScheduleState>& states) {
    return std::vector<std::optional<double>>(states.size());
  };
  std::vector<GreedyCompletion> one = {{root_, Rng(1)}};
  CompleteGreedily(one, evaluator, 1);
  EXPECT_TRUE(one[0].state);
  EXPECT_EQ(one[0].place, root_);
  EXPECT_EQ(one[0].evaluated, 2);
}

TEST_F(GreedyCompletionTest, NoneAreCompletedWhereNoneAreGiven) {
  std::vector<GreedyCompletion> none;
  CompleteGreedily(none, BySpeed(), 2);
  EXPECT_THAT(batches_, ElementsAre());
}

TEST_F(GreedyCompletionTest, CanBeStopped) {
  const std::atomic<bool> stop = true;
  std::vector<GreedyCompletion> one = {{root_, Rng(1)}};
  EXPECT_THROW(CompleteGreedily(one, BySpeed(), 1, StopToken(&stop)), Interrupted);
}

}  // namespace
}  // namespace schedulegym
