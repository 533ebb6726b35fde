// Contract of the reward `difference` on every action space: rewards add up.
#include <gtest/gtest.h>

#include "env/gym/environment.h"
#include "tests/conformance/action_walks.h"
#include "tests/env/gym/doubtful_measurer.h"

namespace schedulegym {
namespace {

constexpr int kEpisodes = 12;

class RewardsTest : public testing::TestWithParam<ActionCase> {
 protected:
  Environment Make(const std::string& reward) const {
    auto parts = std::make_shared<EnvironmentParts>();
    parts->tasks = {GetParam().task};
    parts->actions = GetParam().space;
    parts->measurer = std::make_shared<DoubtfulMeasurer>(11);
    parts->reward = MakeReward(ParseSpec(reward).value());
    parts->horizon = 24;
    return Environment(parts, 1);
  }

  // Any action except stop; most are legal.
  static int Draw(const Environment& environment, Rng& rng) {
    const ActionSpace& space = *environment.parts().actions;
    const std::vector<int> legal = LegalActions(space, environment.episode());
    if (legal.size() > 1 && rng.Below(5) > 0) {
      return legal[1 + rng.Below(static_cast<int64_t>(legal.size()) - 1)];
    }
    return 1 + static_cast<int>(rng.Below(space.size() - 1));
  }
};

TEST_P(RewardsTest, DifferencesAddUp) {
  for (const char* reward : {"difference", "difference(dead_band=true)"}) {
    Environment environment = Make(reward);
    const double failure = environment.parts().reward.failure;
    Rng rng(3);
    for (int episode = 0; episode < kEpisodes; ++episode) {
      environment.Reset();
      double sum = 0;
      while (!environment.has_ended()) sum += environment.Step(Draw(environment, rng)).reward;
      const EvaluationResult& first = environment.evaluations().front();
      const EvaluationResult& last = environment.evaluations().back();
      ASSERT_NEAR(sum, LevelOf(last, failure) - LevelOf(first, failure), 1e-9) << reward;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, RewardsTest, testing::ValuesIn(ActionCases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace schedulegym
