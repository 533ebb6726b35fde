#include "agents/beam/beam_visitor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/decisions/decision_place.h"
#include "tests/agents/decisions/made_places.h"
#include "tests/agents/decisions/two_sketch_space.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Places = std::vector<std::shared_ptr<const TreePlace>>;

std::vector<std::string> TextsOf(const Places& places) {
  std::vector<std::string> texts;
  for (const auto& place : places) {
    texts.emplace_back();
    for (int letter : WordOf(*place)) texts.back() += static_cast<char>('a' + letter);
  }
  return texts;
}

std::shared_ptr<const TreePlace> Word(const std::vector<int>& word) {
  return std::make_shared<WordPlace>(2, 2, word);
}

TEST(BeamVisitorTest, PlacesAreLeftInAllWaysAndEachStandsOnce) {
  EXPECT_THAT(TextsOf(Expanded({Word({1}), Word({0}), Word({1}), Word({0, 1})})),
              ElementsAre("ba", "bb", "aa", "ab"));
  EXPECT_FALSE(AreComplete({Word({1, 1}), Word({0})}));
  EXPECT_TRUE(AreComplete({Word({1, 1})}));
}

TEST(BeamVisitorTest, KeepsTheBestThatHaveAValue) {
  const Places places = {Word({0}), Word({1}), Word({0, 0}), Word({1, 1})};
  EXPECT_THAT(TextsOf(BestPlaces(places, {1, std::nullopt, 3, 1}, 2)), ElementsAre("aa", "a"));
  EXPECT_THAT(TextsOf(BestPlaces(places, {1, std::nullopt, 3, 1}, 9)),
              ElementsAre("aa", "a", "bb"));
  EXPECT_THAT(BestPlaces(places, std::vector<std::optional<double>>(4), 2), IsEmpty());
}

class BeamRoundTest : public testing::Test {
 protected:
  // Returns the seconds of the best state of a round, and the number of evaluated states.
  std::pair<double, int64_t> Visit(const BeamWidth& options) {
    const StateEvaluator evaluator = [](const std::vector<ScheduleState>& states) {
      std::vector<std::optional<double>> values;
      for (const ScheduleState& state : states) values.emplace_back(-TwoSketchSeconds(state));
      return values;
    };
    StateRollout rollout(space_, evaluator, 1);
    const std::set<Key> none;
    rollout.Collect(1, none);
    auto root =
        FirstDecision(space_.Sketches(TwoSketchSpace::SmallTask()), DecisionOrder::kOutputsFirst);
    BeamVisitor(std::move(root), options, Rng(1)).Visit(rollout);
    return {-rollout.best()[0].score, rollout.evaluated()};
  }

  TwoSketchSpace space_;
};

TEST_F(BeamRoundTest, AWideBeamSeesTheWholeSpace) {
  EXPECT_DOUBLE_EQ(Visit({1000, 1}).first, kBestTwoSketchSeconds);
  EXPECT_GT(Visit({1000, 1}).second, TwoSketchSpace::kSchedules);
}

// With a width of one: the two sketches, 3 ways to unroll B, 2 in parallel or not, 8 lengths, those
// that go with the chosen one, and 3 ways to unroll A.
TEST_F(BeamRoundTest, ABeamOfOneJudgesTheWaysOnFromOne) {
  const int64_t evaluated = Visit({1, 1}).second;
  EXPECT_GE(evaluated, 2 + 3 + 2 + 8 + 1 + 3);
  EXPECT_LE(evaluated, 2 + 3 + 2 + 8 + 8 + 3);
  EXPECT_GT(Visit({1, 3}).second, 2 * evaluated);
}

}  // namespace
}  // namespace schedulegym
