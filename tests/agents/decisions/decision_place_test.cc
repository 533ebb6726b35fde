#include "agents/decisions/decision_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/agents/decisions/two_sketch_space.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using Place = std::shared_ptr<const TreePlace>;

class DecisionPlaceTest : public testing::Test {
 protected:
  static Place Root(DecisionOrder order) { return FirstDecision(Sketches(), order); }
  static std::vector<Sketch> Sketches() {
    return TwoSketchSpace().Sketches(TwoSketchSpace::SmallTask());
  }

  // The words of the first choices, to the end.
  static std::vector<std::string> FirstWords(Place place) {
    std::vector<std::string> words;
    while (place->choices() > 0) {
      words.push_back(place->Word(0));
      place = place->After(0);
    }
    return words;
  }

  static Place After(Place place, const std::vector<int>& choices) {
    for (int choice : choices) place = place->After(choice);
    return place;
  }

  // Adds the schedules of all complete places below.
  static void AddEnds(const Place& place, std::set<std::string>& traces) {
    Rng rng(1);
    if (place->choices() == 0) traces.insert(place->Complete(rng)->TraceText());
    for (int i = 0; i < place->choices(); ++i) {
      if (const Place next = place->After(i)) AddEnds(next, traces);
    }
  }
};

TEST_F(DecisionPlaceTest, DecidesTheSketchThenTheOutputsFirst) {
  EXPECT_THAT(FirstWords(Root(DecisionOrder::kOutputsFirst)),
              ElementsAre("sketch 0: A: tile", "B: unroll, 0", "B: parallel, 0", "A, length 0, 1",
                          "A, length 1, 1", "A: unroll, 0"));
}

TEST_F(DecisionPlaceTest, OrStructureBeforeNumbers) {
  EXPECT_THAT(FirstWords(Root(DecisionOrder::kStructureFirst)),
              ElementsAre("sketch 0: A: tile", "B: parallel, 0", "B: unroll, 0", "A, length 0, 1",
                          "A, length 1, 1", "A: unroll, 0"));
}

TEST_F(DecisionPlaceTest, WordsSayWhatAValueMeans) {
  const Place root = Root(DecisionOrder::kOutputsFirst);
  EXPECT_EQ(root->Word(1), "sketch 1: B: tile");
  EXPECT_EQ(root->After(0)->Word(2), "B: unroll, 64");
  EXPECT_EQ(After(root, {0, 0, 0})->Word(5), "A, length 0, 8");
}

TEST_F(DecisionPlaceTest, EndsAreTheSchedulesOfTheGrid) {
  for (const auto order : {DecisionOrder::kOutputsFirst, DecisionOrder::kStructureFirst}) {
    std::set<std::string> traces;
    AddEnds(Root(order), traces);
    EXPECT_EQ(static_cast<int>(traces.size()), TwoSketchSpace::kSchedules);
  }
}

TEST_F(DecisionPlaceTest, LengthsThatFitNoOthersLeadNowhere) {
  const Place tiled = After(Root(DecisionOrder::kOutputsFirst), {0, 0, 0, 5});  // 8 of 24
  ASSERT_EQ(tiled->choices(), 8);
  // 1, 2, 3, 4, 6, 8, 12 and 24 for the other level.
  std::vector<bool> leads;
  for (int i = 0; i < 8; ++i) leads.push_back(tiled->After(i) != nullptr);
  EXPECT_THAT(leads, ElementsAre(true, false, true, false, false, false, false, false));
}

TEST_F(DecisionPlaceTest, CompletesWhatIsOpenAsTheSpaceDoes) {
  Rng rng(1);
  const Place place = After(Root(DecisionOrder::kOutputsFirst), {0, 2, 1, 5});
  std::set<std::string> completed;
  for (int i = 0; i < 200; ++i) {
    const std::string trace = place->Complete(rng)->TraceText();
    EXPECT_THAT(trace, testing::HasSubstr("lengths=[8, "));
    EXPECT_THAT(trace, testing::HasSubstr("parallel"));
    EXPECT_THAT(trace, testing::HasSubstr("stage=B, name=auto_unroll_max_step, value=64"));
    completed.insert(trace);
  }
  EXPECT_EQ(completed.size(), 2u * 3u);
}

TEST_F(DecisionPlaceTest, AtTheRootTheSketchIsDrawn) {
  Rng rng(1);
  const Place root = Root(DecisionOrder::kOutputsFirst);
  int of_b = 0;
  for (int i = 0; i < 400; ++i) {
    of_b += root->Complete(rng)->TraceText().find("split(stage=B") != std::string::npos;
  }
  EXPECT_NEAR(of_b, 200, 50);
}

TEST_F(DecisionPlaceTest, KeysAreOfWhatIsDecided) {
  const Place root = Root(DecisionOrder::kOutputsFirst);
  EXPECT_EQ(After(root, {0, 1, 1})->key(), After(root, {0, 1, 1})->key());
  std::set<Key> keys;
  for (const std::vector<int>& choices :
       {std::vector<int>{}, {0}, {1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0, 0}, {0, 0, 1}}) {
    keys.insert(After(root, choices)->key());
  }
  EXPECT_EQ(keys.size(), 9u);
}

TEST_F(DecisionPlaceTest, CountsDecisions) {
  EXPECT_EQ(MostDecisions(Sketches()), 6);
  EXPECT_EQ(MostDecisions({Sketches()[1]}), 3);
}

}  // namespace
}  // namespace schedulegym
