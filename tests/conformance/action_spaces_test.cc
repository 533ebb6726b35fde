// What holds for every action space: masks say what is legal, forks go their own way, texts lead
// back, the same seed leads the same way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "env/schedule/loop_structure.h"
#include "tests/conformance/action_walks.h"

namespace schedulegym {
namespace {

constexpr int kWalks = 6;
constexpr int kSteps = 24;

class ActionSpacesTest : public testing::TestWithParam<ActionCase> {
 protected:
  const ActionSpace& space() const { return *GetParam().space; }
  std::unique_ptr<Walk> Start(Rng& rng) const { return space().Start(GetParam().task, rng); }

  std::vector<int8_t> MaskOf(const Walk& walk) const {
    std::vector<int8_t> mask(space().size(), 2);
    walk.WriteMask(mask);
    return mask;
  }

  // A legal action but stop; none at the end.
  std::optional<int> Draw(const Walk& walk, Rng& rng) const {
    const std::vector<int> legal = LegalActions(space(), walk);
    if (legal.size() < 2) return std::nullopt;
    return legal[1 + rng.Below(static_cast<int64_t>(legal.size()) - 1)];
  }

  // Calls `visit` at each place of some random walks.
  template <typename Visit>
  void Wander(const Visit& visit) const {
    Rng rng(7);
    for (int i = 0; i < kWalks; ++i) {
      auto walk = Start(rng);
      for (int step = 0; step < kSteps; ++step) {
        visit(*walk);
        const std::optional<int> action = Draw(*walk, rng);
        if (!action || testing::Test::HasFatalFailure()) break;
        const Result<void> done = walk->Act(*action);
        ASSERT_TRUE(done.ok()) << *action << ": " << done.error().message;
      }
    }
  }

  static std::string TextOf(const Walk& walk) {
    const Result<ScheduleState>& state = walk.state();
    return state ? state->TraceText() : state.error().message;
  }
};

TEST_P(ActionSpacesTest, MasksSayWhatIsLegal) {
  Wander([&](const Walk& walk) {
    const std::vector<int8_t> mask = MaskOf(walk);
    const std::string before = walk.ToText();
    EXPECT_EQ(mask[kStopAction], 1);
    for (int action = 1; action < space().size(); ++action) {
      const auto fork = walk.Fork();
      const Result<void> done = fork->Act(action);
      ASSERT_EQ(static_cast<int>(mask[action]), done.ok() ? 1 : 0)
          << action << " at\n"
          << walk.ToText() << (done ? "" : done.error().message);
      if (!done) {
        EXPECT_FALSE(done.error().message.empty());
        EXPECT_EQ(fork->ToText(), before);
      }
    }
  });
}

TEST_P(ActionSpacesTest, EveryPlaceIsASchedule) {
  Wander([&](const Walk& walk) {
    const Result<ScheduleState>& state = walk.state();
    if (!GetParam().has_schedules) {
      ASSERT_FALSE(state.ok());
      return;
    }
    ASSERT_TRUE(state.ok()) << state.error().message << " at\n" << walk.ToText();
    const auto again = ReplayText(GetParam().task, state->TraceText());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(StateKey(*again), StateKey(*state));
  });
}

TEST_P(ActionSpacesTest, ForksGoTheirOwnWay) {
  Rng rng(3);
  auto walk = Start(rng);
  for (int step = 0; step < kSteps; ++step) {
    const std::optional<int> action = Draw(*walk, rng);
    if (!action) break;
    const auto fork = walk->Fork();
    const std::string before = TextOf(*walk);
    ASSERT_TRUE(fork->Act(*action).ok());
    EXPECT_EQ(TextOf(*walk), before);
    ASSERT_TRUE(walk->Act(*action).ok());
    EXPECT_EQ(fork->ToText(), walk->ToText());
    EXPECT_EQ(TextOf(*fork), TextOf(*walk));
    EXPECT_EQ(fork->row(), walk->row());
    EXPECT_EQ(MaskOf(*fork), MaskOf(*walk));
    EXPECT_EQ(fork->stage_at_hand(), walk->stage_at_hand());
  }
}

TEST_P(ActionSpacesTest, TextsLeadBack) {
  Wander([&](const Walk& walk) {
    const auto again = space().Resume(GetParam().task, walk.ToText());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ((*again)->ToText(), walk.ToText());
    EXPECT_EQ((*again)->row(), walk.row());
    EXPECT_EQ(MaskOf(**again), MaskOf(walk));
    EXPECT_EQ(TextOf(**again), TextOf(walk));
  });
}

TEST_P(ActionSpacesTest, OtherTextsAreRefused) {
  Rng rng(1);
  const std::string text = Start(rng)->ToText();
  for (const std::string& bad :
       {std::string(), std::string("x"), "x" + text, text.substr(0, text.size() / 2), text + "x",
        std::string("construct stage=99 open\ntrace 1\n"),
        std::string("modify sketch=99 point=0\n"), std::string("modify sketch=0 point=-1,a\n"),
        std::string("file sketch=0 point=9,9\n")}) {
    const auto walk = space().Resume(GetParam().task, bad);
    ASSERT_FALSE(walk.ok()) << bad;
    EXPECT_THAT(walk.error().message, testing::Not(testing::HasSubstr("\n")));
  }
}

TEST_P(ActionSpacesTest, TheSameSeedLeadsTheSameWay) {
  const auto texts = [&] {
    Rng rng(11);
    std::string all;
    auto walk = Start(rng);
    for (int step = 0; step < kSteps; ++step) {
      const std::optional<int> action = Draw(*walk, rng);
      if (!action) break;
      EXPECT_TRUE(walk->Act(*action).ok());
      all += std::to_string(*action) + ":" + TextOf(*walk);
    }
    return all;
  };
  EXPECT_EQ(texts(), texts());
}

TEST_P(ActionSpacesTest, DescriptionsAreThoseOfLegalActions) {
  Rng rng(5);
  auto walk = Start(rng);
  for (int step = 0; step < 8; ++step) {
    const std::vector<int8_t> mask = MaskOf(*walk);
    for (int action = 0; action < space().size(); ++action) {
      EXPECT_EQ(walk->Describe(action).ok(), mask[action] == 1) << action;
    }
    const std::optional<int> action = Draw(*walk, rng);
    if (!action) break;
    const std::optional<int> found = FindAction(space(), *walk, *walk->Describe(*action));
    ASSERT_TRUE(found.has_value());
    // Two actions that do the same are described alike.
    const auto other = walk->Fork();
    ASSERT_TRUE(walk->Act(*action).ok());
    ASSERT_TRUE(other->Act(*found).ok());
    EXPECT_EQ(TextOf(*other), TextOf(*walk));
  }
}

TEST_P(ActionSpacesTest, TheMenuNamesEveryAction) {
  const std::string menu = space().Menu();
  EXPECT_THAT(menu, testing::StartsWith("0: stop"));
  EXPECT_THAT(menu, testing::HasSubstr(std::to_string(space().size() - 1) + ": "));
}

TEST_P(ActionSpacesTest, GroupsHoldEveryActionOnce) {
  int next = 0;
  std::set<std::string> names;
  for (const ActionGroup& group : space().Groups()) {
    EXPECT_EQ(group.first, next);
    EXPECT_GT(group.count, 0);
    next += group.count;
    EXPECT_TRUE(names.insert(group.name).second) << group.name;
  }
  EXPECT_EQ(next, space().size());
  EXPECT_EQ(space().Groups()[kStopAction].name, "stop");
}

// A walk at the same point is at the same place; without knobs there is none.
TEST_P(ActionSpacesTest, PointsLeadToTheirPlaces) {
  Wander([&](const Walk& walk) {
    const auto from = space().From(GetParam().task, walk.sketch(), walk.point());
    if (walk.knobs() == nullptr) {
      EXPECT_FALSE(from.ok());
      return;
    }
    if (!from) {
      EXPECT_FALSE(walk.state().ok()) << from.error().message;
      return;
    }
    EXPECT_EQ((*from)->ToText(), walk.ToText());
    EXPECT_EQ((*from)->row(), walk.row());
    EXPECT_EQ(MaskOf(**from), MaskOf(walk));
  });
}

TEST_P(ActionSpacesTest, OtherPointsLeadNowhere) {
  Rng rng(1);
  const auto walk = Start(rng);
  for (const int sketch : {-1, 99}) {
    EXPECT_FALSE(space().From(GetParam().task, sketch, walk->point()).ok());
  }
  KnobPoint longer = walk->point();
  longer.push_back(0);
  EXPECT_FALSE(space().From(GetParam().task, walk->sketch(), longer).ok());
}

// Places of one key are the same place, by whatever way.
TEST_P(ActionSpacesTest, PlacesHaveKeys) {
  std::map<Key, std::string> places;
  std::map<std::string, Key> keys;
  Wander([&](const Walk& walk) {
    const Key key = PlaceKey(walk);
    EXPECT_EQ(places.emplace(key, walk.ToText()).first->second, walk.ToText());
    EXPECT_EQ(keys.emplace(walk.ToText(), key).first->second, key);
    EXPECT_EQ(PlaceKey(*walk.Fork()), key);
  });
  EXPECT_GT(places.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Every, ActionSpacesTest, testing::ValuesIn(ActionCases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace schedulegym
