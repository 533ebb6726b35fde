#include "agents/mcts/mcts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "env/gym/actions/construct_space.h"
#include "env/gym/actions/modify_space.h"
#include "tests/agents/decisions/two_sketch_space.h"

namespace schedulegym {
namespace {

using Place = std::shared_ptr<const TreePlace>;

class EpisodePlaceTest : public testing::Test {
 protected:
  Place Modify(int depth, bool completes_early = true) {
    return FirstStep(MakeModifySpace("modify", TwoSketchSpace(), {task_}, {ModifyStart::kOrigin}),
                     task_, {depth, completes_early}, rng_);
  }
  Place Construct(int depth) {
    return FirstStep(MakeConstructSpace({"construct", {}}), task_, {depth, false}, rng_);
  }

  // The choice with these words; nullopt if there is none.
  static std::optional<int> Find(const TreePlace& place, const std::string& words) {
    for (int choice = 0; choice < place.choices(); ++choice) {
      if (place.Word(choice).find(words) != std::string::npos) return choice;
    }
    return std::nullopt;
  }

  std::string OriginText() const {
    const auto knobs = TwoSketchSpace().Sketches(task_)[0].knobs;
    return knobs->At(knobs->Origin()).value().TraceText();
  }

  std::string Completed(const TreePlace& place) {
    const Result<ScheduleState> state = place.Complete(rng_);
    return state ? state->TraceText() : "none";
  }

  std::shared_ptr<const Task> task_ = TwoSketchSpace::SmallTask();
  Rng rng_ = Rng(1);
};

TEST_F(EpisodePlaceTest, WaysOnAreTheLegalActionsInWords) {
  const std::shared_ptr<const ActionSpace> actions =
      MakeModifySpace("modify", TwoSketchSpace(), {task_}, {ModifyStart::kOrigin});
  const auto episode = actions->Start(task_, rng_);
  const std::vector<int> legal = LegalActions(*actions, *episode);
  const Place root = Modify(3);
  ASSERT_EQ(root->choices(), std::ssize(legal));
  for (int i = 0; i < root->choices(); ++i) {
    EXPECT_EQ(root->Word(i),
              legal[i] == kStopAction ? "stop" : episode->Describe(legal[i]).value());
  }
}

TEST_F(EpisodePlaceTest, StoppingLeavesOneSchedule) {
  const Place root = Modify(3);
  const Place ended = root->After(Find(*root, "stop").value());
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->choices(), 0);
  EXPECT_NE(ended->key(), root->key());
  const std::string origin = OriginText();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(Completed(*ended), origin);
}

TEST_F(EpisodePlaceTest, EndsAtTheBound) {
  Place place = Modify(3);
  for (int step = 0; step < 3; ++step) {
    Place next;
    for (int choice = 0; choice < place->choices() && !next; ++choice) {
      if (place->Word(choice) != "stop") next = place->After(choice);
    }
    ASSERT_TRUE(next) << step;
    place = next;
  }
  EXPECT_EQ(place->choices(), 0);
  EXPECT_EQ(Completed(*place), Completed(*place));
}

TEST_F(EpisodePlaceTest, NeverStepsBackToWhereItWas) {
  const Place root = Modify(4);
  int back = 0;
  for (int first = 0; first < root->choices(); ++first) {
    const Place next = root->After(first);
    for (int second = 0; next && second < next->choices(); ++second) {
      if (next->Word(second) == "stop") continue;
      const Place after = next->After(second);
      if (!after) {
        ++back;
        continue;
      }
      const Place stop = after->After(Find(*after, "stop").value());
      EXPECT_NE(Completed(*stop), OriginText());
    }
  }
  EXPECT_GT(back, 0);
}

// Two moves in either order lead to one place after equal numbers of actions.
TEST_F(EpisodePlaceTest, APlaceReachedTwoWaysHasOneKey) {
  const Place root = Modify(4);
  std::vector<Key> keys;
  for (int first = 0; first < root->choices(); ++first) {
    const Place next = root->After(first);
    for (int second = 0; next && second < next->choices(); ++second) {
      if (const Place after = next->After(second)) keys.push_back(after->key());
    }
  }
  EXPECT_LT(std::set<Key>(keys.begin(), keys.end()).size(), keys.size());
  EXPECT_NE(Modify(4)->key(), Modify(5)->key());
  EXPECT_EQ(Modify(4)->key(), Modify(4)->key());
}

TEST_F(EpisodePlaceTest, CompletionsGoOnByChance) {
  const Place root = Modify(6);
  std::set<std::string> early, late;
  for (int i = 0; i < 60; ++i) {
    early.insert(Completed(*root));
    late.insert(Completed(*Modify(1, false)));
  }
  EXPECT_GT(early.size(), 10u);
  const std::string origin = OriginText();
  EXPECT_TRUE(early.contains(origin)) << "no action may be drawn, too";
  EXPECT_FALSE(late.contains(origin)) << "always as far as it may";
}

TEST_F(EpisodePlaceTest, WalksOfConstructAreCompletedToTheirEnd) {
  const Place root = Construct(100);
  EXPECT_TRUE(Find(*root, "stop"));
  EXPECT_GT(root->choices(), 2);
  const std::string naive = ScheduleState::Initial(task_).TraceText();
  for (int i = 0; i < 10; ++i) EXPECT_NE(Completed(*root), naive);
  EXPECT_EQ(Completed(*root->After(Find(*root, "stop").value())), naive);
}

TEST_F(EpisodePlaceTest, EqualChanceCompletesEqually) {
  const Place root = Construct(100);
  const auto completed = [&](uint64_t seed) {
    Rng rng(seed);
    return root->Complete(rng)->TraceText();
  };
  EXPECT_EQ(completed(1), completed(1));
  EXPECT_NE(completed(1), completed(2));
}

// Prefers actions with high numbers.
class HighPolicy : public ActionPolicy {
 public:
  std::vector<double> SharesOf(const EpisodeState&, std::span<const int> actions) const override {
    double sum = 0;
    std::vector<double> shares;
    for (const int action : actions) sum += action + 1;
    for (const int action : actions) shares.push_back((action + 1) / sum);
    return shares;
  }
};

TEST_F(EpisodePlaceTest, APolicysPriorIsOfTheWaysOn) {
  const std::shared_ptr<const ActionSpace> actions =
      MakeModifySpace("modify", TwoSketchSpace(), {task_}, {ModifyStart::kOrigin});
  const std::vector<int> legal = LegalActions(*actions, *actions->Start(task_, rng_));
  EXPECT_TRUE(Modify(3)->Prior().empty());
  const Place root = FirstStep(actions, task_, {3, true}, rng_, std::make_shared<HighPolicy>());
  const std::vector<double> shares = root->Prior();
  ASSERT_EQ(std::ssize(shares), root->choices());
  for (size_t i = 0; i < shares.size(); ++i) {
    EXPECT_DOUBLE_EQ(shares[i] * (legal[0] + 1), shares[0] * (legal[i] + 1));
  }
}

}  // namespace
}  // namespace schedulegym
