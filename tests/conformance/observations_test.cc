// Contracts of every observation in every action space: all numbers are written, are within the
// bounds, and depend on the context alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "env/gym/observations/builtin_observations.h"
#include "tests/conformance/action_walks.h"

namespace schedulegym {
namespace {

constexpr int kWalks = 3;
constexpr int kSteps = 20;
constexpr float kUnwritten = -1e9F;

// Every entry with its defaults, and those with options that change the numbers.
std::vector<std::string> Specs() {
  std::vector<std::string> specs;
  for (const auto& entry : BuiltinObservations()) {
    if (entry.name != "text") specs.push_back(entry.name);  // it has no numbers
  }
  for (const char* spec :
       {"loops(rows=3)", "ansor(rows=1)", "ansor(pooled=true)", "tokens(length=2,fields=3)",
        "history(length=1)", "task(definitions=1)"}) {
    specs.emplace_back(spec);
  }
  return specs;
}

std::vector<std::unique_ptr<Observation>> Observations() {
  std::vector<std::unique_ptr<Observation>> all;
  for (const std::string& spec : Specs()) all.push_back(MakeObservation(ParseSpec(spec).value()));
  return all;
}

class ObservationsTest : public testing::TestWithParam<ActionCase> {
 protected:
  ObservationContext ObservationContextOf(const EpisodeState& episode) const {
    return {*GetParam().task, episode, actions_, GetParam().space->size(), kSteps};
  }

  std::vector<float> Seen(const Observation& observation, const EpisodeState& episode) const {
    std::vector<float> numbers(observation.size(), kUnwritten);
    observation.Write(ObservationContextOf(episode), numbers);
    return numbers;
  }

  // Calls `visit` at each state of some random episodes; `actions_` has the actions before it.
  template <typename Visit>
  void Wander(const Visit& visit) {
    const ActionSpace& space = *GetParam().space;
    Rng rng(23);
    for (int i = 0; i < kWalks; ++i) {
      actions_.clear();
      const auto episode = space.Start(GetParam().task, rng);
      for (int step = 0; step < kSteps && !testing::Test::HasFatalFailure(); ++step) {
        visit(*episode);
        const std::vector<int> legal = LegalActions(space, *episode);
        if (legal.size() < 2) break;
        actions_.push_back(legal[1 + rng.Below(static_cast<int64_t>(legal.size()) - 1)]);
        ASSERT_TRUE(episode->Act(actions_.back()).ok());
      }
    }
  }

  std::vector<int> actions_;
};

TEST_P(ObservationsTest, AllNumbersAreWrittenWithinTheBounds) {
  const auto observations = Observations();
  Wander([&](const EpisodeState& episode) {
    for (const auto& observation : observations) {
      const Bounds bounds = observation->bounds();
      ASSERT_TRUE(std::isfinite(bounds.low) && std::isfinite(bounds.high));
      ASSERT_GT(bounds.low, kUnwritten);
      const std::vector<float> numbers = Seen(*observation, episode);
      for (size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_TRUE(numbers[i] >= bounds.low && numbers[i] <= bounds.high)
            << observation->Name() << " " << i << ": " << numbers[i] << " at\n"
            << episode.ToText();
      }
    }
  });
}

// Other states are observed in between, and may be in caches.
TEST_P(ObservationsTest, TheSameSceneGivesTheSameNumbers) {
  const auto observations = Observations();
  Wander([&](const EpisodeState& episode) {
    const auto fork = episode.Fork();
    const auto others = Observations();
    for (size_t i = 0; i < observations.size(); ++i) {
      const std::vector<float> numbers = Seen(*observations[i], episode);
      ASSERT_EQ(numbers, Seen(*observations[i], episode)) << observations[i]->Name();
      ASSERT_EQ(numbers, Seen(*observations[i], *fork)) << observations[i]->Name();
      ASSERT_EQ(numbers, Seen(*others[i], episode)) << observations[i]->Name();
    }
  });
}

TEST_P(ObservationsTest, SizesStayTheSame) {
  const auto observations = Observations();
  std::vector<int> sizes;
  for (const auto& observation : observations) sizes.push_back(observation->size());
  Wander([&](const EpisodeState& episode) {
    for (size_t i = 0; i < observations.size(); ++i) {
      Seen(*observations[i], episode);
      ASSERT_EQ(observations[i]->size(), sizes[i]);
    }
  });
}

// The numbers change during an episode, except those of the task alone, or of a schedule where
// there is none.
TEST_P(ObservationsTest, ActionsAreSeen) {
  for (const std::string spec :
       {"loops", "ansor", "ansor(pooled=true)", "tokens", "history", "knobs", "task"}) {
    const auto observation = MakeObservation(ParseSpec(spec).value());
    std::vector<std::vector<float>> seen;
    bool has_schedules = false;
    Wander([&](const EpisodeState& episode) {
      seen.push_back(Seen(*observation, episode));
      has_schedules = episode.state().ok();
    });
    const bool needs_none = spec == "history" || spec == "knobs" || spec == "loops";
    const bool changes = spec != "task" && (has_schedules || needs_none);
    EXPECT_NE(testing::Value(seen, testing::Each(seen.front())), changes) << spec;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ObservationsTest, testing::ValuesIn(ActionCases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace schedulegym
