// Contracts of every action space: masks mark the legal actions, forks are independent, texts
// replay, and equal seeds give equal episodes.
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
  std::unique_ptr<EpisodeState> Start(Rng& rng) const {
    return space().Start(GetParam().task, rng);
  }

  std::vector<int8_t> MaskOf(const EpisodeState& episode) const {
    std::vector<int8_t> mask(space().size(), 2);
    episode.WriteMask(mask);
    return mask;
  }

  // A random legal action other than stop; nullopt at the end.
  std::optional<int> Draw(const EpisodeState& episode, Rng& rng) const {
    const std::vector<int> legal = LegalActions(space(), episode);
    if (legal.size() < 2) return std::nullopt;
    return legal[1 + rng.Below(static_cast<int64_t>(legal.size()) - 1)];
  }

  // Calls `visit` at each state of some random episodes.
  template <typename Visit>
  void Wander(const Visit& visit) const {
    Rng rng(7);
    for (int i = 0; i < kWalks; ++i) {
      auto episode = Start(rng);
      for (int step = 0; step < kSteps; ++step) {
        visit(*episode);
        const std::optional<int> action = Draw(*episode, rng);
        if (!action || testing::Test::HasFatalFailure()) break;
        const Result<void> done = episode->Act(*action);
        ASSERT_TRUE(done.ok()) << *action << ": " << done.error().message;
      }
    }
  }

  static std::string TextOf(const EpisodeState& episode) {
    const Result<ScheduleState>& state = episode.state();
    return state ? state->TraceText() : state.error().message;
  }
};

TEST_P(ActionSpacesTest, MasksSayWhatIsLegal) {
  Wander([&](const EpisodeState& episode) {
    const std::vector<int8_t> mask = MaskOf(episode);
    const std::string before = episode.ToText();
    EXPECT_EQ(mask[kStopAction], 1);
    for (int action = 1; action < space().size(); ++action) {
      const auto fork = episode.Fork();
      const Result<void> done = fork->Act(action);
      ASSERT_EQ(static_cast<int>(mask[action]), done.ok() ? 1 : 0)
          << action << " at\n"
          << episode.ToText() << (done ? "" : done.error().message);
      if (!done) {
        EXPECT_FALSE(done.error().message.empty());
        EXPECT_EQ(fork->ToText(), before);
      }
    }
  });
}

TEST_P(ActionSpacesTest, EveryPlaceIsASchedule) {
  Wander([&](const EpisodeState& episode) {
    const Result<ScheduleState>& state = episode.state();
    if (!GetParam().has_schedules) {
      ASSERT_FALSE(state.ok());
      return;
    }
    ASSERT_TRUE(state.ok()) << state.error().message << " at\n" << episode.ToText();
    const auto again = ReplayText(GetParam().task, state->TraceText());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(StateKey(*again), StateKey(*state));
  });
}

TEST_P(ActionSpacesTest, ForksGoTheirOwnWay) {
  Rng rng(3);
  auto episode = Start(rng);
  for (int step = 0; step < kSteps; ++step) {
    const std::optional<int> action = Draw(*episode, rng);
    if (!action) break;
    const auto fork = episode->Fork();
    const std::string before = TextOf(*episode);
    ASSERT_TRUE(fork->Act(*action).ok());
    EXPECT_EQ(TextOf(*episode), before);
    ASSERT_TRUE(episode->Act(*action).ok());
    EXPECT_EQ(fork->ToText(), episode->ToText());
    EXPECT_EQ(TextOf(*fork), TextOf(*episode));
    EXPECT_EQ(fork->row(), episode->row());
    EXPECT_EQ(MaskOf(*fork), MaskOf(*episode));
    EXPECT_EQ(fork->stage_at_hand(), episode->stage_at_hand());
  }
}

TEST_P(ActionSpacesTest, TextsLeadBack) {
  Wander([&](const EpisodeState& episode) {
    const auto again = space().Resume(GetParam().task, episode.ToText());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ((*again)->ToText(), episode.ToText());
    EXPECT_EQ((*again)->row(), episode.row());
    EXPECT_EQ(MaskOf(**again), MaskOf(episode));
    EXPECT_EQ(TextOf(**again), TextOf(episode));
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
    const auto episode = space().Resume(GetParam().task, bad);
    ASSERT_FALSE(episode.ok()) << bad;
    EXPECT_THAT(episode.error().message, testing::Not(testing::HasSubstr("\n")));
  }
}

TEST_P(ActionSpacesTest, TheSameSeedLeadsTheSameWay) {
  const auto texts = [&] {
    Rng rng(11);
    std::string all;
    auto episode = Start(rng);
    for (int step = 0; step < kSteps; ++step) {
      const std::optional<int> action = Draw(*episode, rng);
      if (!action) break;
      EXPECT_TRUE(episode->Act(*action).ok());
      all += std::to_string(*action) + ":" + TextOf(*episode);
    }
    return all;
  };
  EXPECT_EQ(texts(), texts());
}

TEST_P(ActionSpacesTest, DescriptionsAreThoseOfLegalActions) {
  Rng rng(5);
  auto episode = Start(rng);
  for (int step = 0; step < 8; ++step) {
    const std::vector<int8_t> mask = MaskOf(*episode);
    for (int action = 0; action < space().size(); ++action) {
      EXPECT_EQ(episode->Describe(action).ok(), mask[action] == 1) << action;
    }
    const std::optional<int> action = Draw(*episode, rng);
    if (!action) break;
    const std::optional<int> found = FindAction(space(), *episode, *episode->Describe(*action));
    ASSERT_TRUE(found.has_value());
    // Two actions with the same effect have the same description.
    const auto other = episode->Fork();
    ASSERT_TRUE(episode->Act(*action).ok());
    ASSERT_TRUE(other->Act(*found).ok());
    EXPECT_EQ(TextOf(*other), TextOf(*episode));
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

// An episode at the same point has the same key; without knobs there is no point.
TEST_P(ActionSpacesTest, PointsLeadToTheirPlaces) {
  Wander([&](const EpisodeState& episode) {
    const auto from = space().From(GetParam().task, episode.sketch(), episode.point());
    if (episode.knobs() == nullptr) {
      EXPECT_FALSE(from.ok());
      return;
    }
    if (!from) {
      EXPECT_FALSE(episode.state().ok()) << from.error().message;
      return;
    }
    EXPECT_EQ((*from)->ToText(), episode.ToText());
    EXPECT_EQ((*from)->row(), episode.row());
    EXPECT_EQ(MaskOf(**from), MaskOf(episode));
  });
}

TEST_P(ActionSpacesTest, OtherPointsLeadNowhere) {
  Rng rng(1);
  const auto episode = Start(rng);
  for (const int sketch : {-1, 99}) {
    EXPECT_FALSE(space().From(GetParam().task, sketch, episode->point()).ok());
  }
  KnobPoint longer = episode->point();
  longer.push_back(0);
  EXPECT_FALSE(space().From(GetParam().task, episode->sketch(), longer).ok());
}

// States with one key are equal, by whatever actions they were reached.
TEST_P(ActionSpacesTest, PlacesHaveKeys) {
  std::map<Key, std::string> places;
  std::map<std::string, Key> keys;
  Wander([&](const EpisodeState& episode) {
    const Key key = PlaceKey(episode);
    EXPECT_EQ(places.emplace(key, episode.ToText()).first->second, episode.ToText());
    EXPECT_EQ(keys.emplace(episode.ToText(), key).first->second, key);
    EXPECT_EQ(PlaceKey(*episode.Fork()), key);
  });
  EXPECT_GT(places.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Every, ActionSpacesTest, testing::ValuesIn(ActionCases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace schedulegym
