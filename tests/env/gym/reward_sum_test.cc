// The sum of the rewards of whole episodes, for random results and random actions.
#include <gtest/gtest.h>

#include <cmath>

#include "env/gym/vector_environment.h"
#include "tests/env/gym/doubtful_measurer.h"
#include "tests/env/gym/small_parts.h"

namespace schedulegym {
namespace {

constexpr int kEpisodes = 200;
constexpr double kExact = 1e-12;

class RewardSumTest : public testing::TestWithParam<const char*> {
 protected:
  RewardSumTest() : parts_(SmallParts()), rng_(5) {
    parts_->measurer = std::make_shared<DoubtfulMeasurer>(3);
    parts_->reward = MakeReward(ParseSpec(GetParam()).value());
  }

  const Reward& reward() const { return parts_->reward; }

  // A random action, legal or not; sometimes stop.
  int Draw() {
    return static_cast<int>(rng_.Below(rng_.Below(8) == 0 ? 1 : parts_->actions->size()));
  }

  // The required sum of an episode's discounted rewards so far.
  double Owed(const Environment& environment) const {
    const std::vector<EvaluationResult>& evaluated = environment.evaluations();
    const auto steps = static_cast<double>(environment.actions().size());
    return std::pow(reward().discount, steps) * LevelOf(evaluated.back(), reward().failure) -
           LevelOf(evaluated.front(), reward().failure);
  }

  // Adds up rewards in their order.
  struct Sum {
    double value = 0, weight = 1;
    void Add(double paid, double discount) {
      value += weight * paid;
      weight *= discount;
    }
  };

  std::shared_ptr<EnvironmentParts> parts_;
  Rng rng_;
};

TEST_P(RewardSumTest, IsWhatTheEndsSay) {
  Environment environment(parts_, 1);
  int failures = 0, illegal = 0, stopped_at_once = 0;
  for (int episode = 0; episode < kEpisodes; ++episode) {
    environment.Reset();
    Sum sum;
    while (!environment.has_ended()) {
      sum.Add(environment.Step(Draw()).reward, reward().discount);
      if (!reward().dead_band) {
        ASSERT_NEAR(sum.value, Owed(environment), kExact);
      }
    }
    ASSERT_NEAR(sum.value, Owed(environment), kExact);
    failures +=
        environment.evaluations().front().ok() && environment.evaluations().back().ok() ? 0 : 1;
    illegal += environment.illegal_actions();
    stopped_at_once += environment.actions().size() == 1 ? 1 : 0;
  }
  EXPECT_GT(failures, 10);
  EXPECT_GT(illegal, 10);
  EXPECT_GT(stopped_at_once, 5);
}

TEST_P(RewardSumTest, GoesOnInForksAndAfterResuming) {
  Environment environment(parts_, 1);
  for (int episode = 0; episode < kEpisodes; ++episode) {
    environment.Reset();
    Sum sum;
    Environment resumed(parts_, 9);
    for (int i = 0; i < 3 && !environment.has_ended(); ++i) {
      sum.Add(environment.Step(Draw()).reward, reward().discount);
    }
    ASSERT_TRUE(resumed.Resume(environment.ToText()).ok());
    const Environment fork = environment;
    for (const Environment& begun : {fork, resumed}) {
      Environment rest = begun;
      Sum whole = sum;
      while (!rest.has_ended()) whole.Add(rest.Step(Draw()).reward, reward().discount);
      ASSERT_NEAR(whole.value, Owed(rest), kExact);
    }
  }
}

TEST_P(RewardSumTest, HoldsInVectors) {
  for (const Autoreset mode : {Autoreset::kNextStep, Autoreset::kSameStep, Autoreset::kDisabled}) {
    constexpr int kCount = 5;
    VectorEnvironment vector(parts_, {kCount, mode, 2});
    std::vector<double> rewards(kCount);
    const VectorBuffers buffers{{}, {}, rewards, {}, {}, {}, {}};
    vector.Reset(buffers);
    std::vector<Sum> sums(kCount);
    std::vector<bool> was_over(kCount);
    int ended = 0;
    for (int step = 0; step < kEpisodes; ++step) {
      std::vector<int> actions;
      for (int i = 0; i < kCount; ++i) actions.push_back(Draw());
      vector.Step(actions, buffers);
      std::vector<uint8_t> over(kCount);
      for (int i = 0; i < kCount; ++i) {
        const EnvironmentSlot& slot = vector.slot(i);
        const bool begins = was_over[i] && mode == Autoreset::kNextStep;
        if (begins) {
          ASSERT_EQ(rewards[i], 0);
        }
        if (!begins) sums[i].Add(rewards[i], reward().discount);
        over[i] = slot.last().is_over() ? 1 : 0;
        was_over[i] = over[i] != 0;
        if (!was_over[i]) continue;
        const bool replaced = mode == Autoreset::kSameStep;
        ASSERT_NEAR(sums[i].value, Owed(replaced ? slot.ended() : slot.environment()), kExact);
        sums[i] = Sum();
        ++ended;
      }
      if (mode == Autoreset::kDisabled) vector.Reset(buffers, over);
    }
    EXPECT_GT(ended, kEpisodes / 4);
  }
}

INSTANTIATE_TEST_SUITE_P(Difference, RewardSumTest,
                         testing::Values("difference", "difference(failure=-2.0)",
                                         "difference(dead_band=true)", "difference(discount=0.9)",
                                         "difference(discount=0.9, dead_band=true)"));

}  // namespace
}  // namespace schedulegym
