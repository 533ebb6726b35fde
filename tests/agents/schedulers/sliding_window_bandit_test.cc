#include "agents/schedulers/sliding_window_bandit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace schedulegym {
namespace {

constexpr int kRuns = 1000, kPulls = 1000;

TEST(SlidingWindowBandit, TheScoreIsTheMeanAndTheDoubt) {
  SlidingWindowBandit bandit(3, {.window = 8, .constant = 2});
  for (const ArmPull& pull : {ArmPull{0, 1}, {0, 0}, {1, 0.5}, {0, 0.5}}) {
    bandit.Learn(pull.arm, pull.reward);
  }
  // ln 4 = 1.386294; over three pulls its square root is 0.679778, over one 1.177410.
  EXPECT_NEAR(*bandit.Score(0), 0.5 + 2 * 0.679778, 1e-5);
  EXPECT_NEAR(*bandit.Score(1), 0.5 + 2 * 1.177410, 1e-5);
  EXPECT_EQ(bandit.Score(2), std::nullopt);
  EXPECT_EQ(bandit.Choose(), 2) << "never pulled";
  bandit.Learn(2, -4);
  EXPECT_EQ(bandit.Choose(), 1);
}

TEST(SlidingWindowBandit, TheOldestPullLeavesAFullWindow) {
  SlidingWindowBandit bandit(2, {.window = 3, .constant = 1});
  bandit.Learn(0, 5);
  bandit.Learn(1, 1);
  bandit.Learn(1, 3);
  // Three pulls, the length of the window, so that the first still counts. ln 3 = 1.098612.
  EXPECT_NEAR(*bandit.Score(0), 5 + 1.048147, 1e-5);
  EXPECT_NEAR(*bandit.Score(1), 2 + std::sqrt(1.098612 / 2), 1e-5);
  EXPECT_EQ(bandit.Choose(), 0);
  bandit.Learn(1, 8);
  EXPECT_EQ(bandit.Score(0), std::nullopt) << "its only pull has left";
  EXPECT_NEAR(*bandit.Score(1), 4 + std::sqrt(1.098612 / 3), 1e-5)
      << "ln 3 still: no more are held";
  EXPECT_EQ(bandit.Choose(), 0);
  EXPECT_EQ(bandit.pulls(), (std::deque<ArmPull>{{1, 1}, {1, 3}, {1, 8}}));
}

TEST(SlidingWindowBandit, AWindowOfOneKnowsTheLastPullAlone) {
  SlidingWindowBandit bandit(2, {.window = 1, .constant = 7});
  bandit.Learn(0, 0.5);
  EXPECT_EQ(bandit.Score(0), 0.5) << "ln 1 is 0";
  EXPECT_EQ(bandit.Choose(), 1);
  bandit.Learn(1, 0.25);
  EXPECT_EQ(bandit.Choose(), 0);
}

TEST(SlidingWindowBandit, OfEqualArmsTheFirstIsPulled) {
  SlidingWindowBandit bandit(3, {.window = 10, .constant = 0});
  for (int arm = 0; arm < 3; ++arm) {
    EXPECT_EQ(bandit.Choose(), arm) << "unknown arms in their order";
    bandit.Learn(arm, 0.75);
  }
  EXPECT_EQ(bandit.Choose(), 0);
  EXPECT_EQ(bandit.Choose(std::vector<int>{2, 1}), 2);
  bandit.Learn(1, 0.8);
  EXPECT_EQ(bandit.Choose(), 1) << "0.775 on average";
}

TEST(SlidingWindowBandit, ClosedArmsAreNotPulled) {
  SlidingWindowBandit bandit(3, {.constant = 0});
  for (int arm = 0; arm < 3; ++arm) bandit.Learn(arm, arm);
  EXPECT_EQ(bandit.Choose(std::vector<int>{0, 1}), 1);
  EXPECT_EQ(bandit.Choose(std::vector<int>{0}), 0);
  EXPECT_EQ(bandit.Choose(std::vector<int>{}), std::nullopt);
}

TEST(SlidingWindowBandit, NegativeRewardsAreRewards) {
  SlidingWindowBandit bandit(2, {.constant = 0});
  bandit.Learn(0, -3);
  bandit.Learn(1, -2);
  EXPECT_EQ(bandit.Choose(), 1);
}

TEST(SlidingWindowBandit, TheSamePullsGiveTheSameScoresToTheBit) {
  const SlidingWindowOptions options = {.window = 5, .constant = 0.3};
  SlidingWindowBandit bandit(2, options);
  // Rewards so large that a running sum would keep a rounding error of them.
  for (int i = 0; i < 40; ++i) bandit.Learn(i % 2, i < 30 ? 1e12 / (i + 1) : 0.1 * i);
  SlidingWindowBandit resumed(2, options);
  for (const ArmPull& pull : bandit.pulls()) resumed.Learn(pull.arm, pull.reward);
  EXPECT_EQ(resumed.Score(0), bandit.Score(0));
  EXPECT_EQ(resumed.Score(1), bandit.Score(1));
}

TEST(SlidingWindowBandit, RefusesWhatMakesNoSense) {
  EXPECT_THROW(SlidingWindowBandit(0), std::logic_error);
  EXPECT_THROW(SlidingWindowBandit(2, {.window = 0}), std::logic_error);
  EXPECT_THROW(SlidingWindowBandit(2, {.constant = -1}), std::logic_error);
  SlidingWindowBandit bandit(2);
  EXPECT_THROW(bandit.Learn(2, 0), std::logic_error);
  EXPECT_THROW(bandit.Learn(0, std::numeric_limits<double>::quiet_NaN()), std::logic_error);
  EXPECT_THROW(bandit.Score(-1), std::logic_error);
  EXPECT_THROW(bandit.Choose(std::vector<int>{2}), std::logic_error);
}

// Arms whose means change once, at half of the pulls. The reward depends on run, pull and arm
// alone, so that sliding_window_reference.py, an independent NumPy version, has the same rewards.
struct ArmProblem {
  std::vector<double> first, second;
  SlidingWindowOptions options;

  const std::vector<double>& Means(int pull) const { return pull < kPulls / 2 ? first : second; }
};

// Uniform in [-0.25, 0.25), by SplitMix64's finaliser.
double Noise(int run, int pull, int arm) {
  uint64_t z = static_cast<uint64_t>(run) << 32 | static_cast<uint64_t>(pull) << 8 |
               static_cast<uint64_t>(arm);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1.0p-53 / 2 - 0.25;
}

struct Outcome {
  double regret = 0;   // against an oracle with the true means, per run on average
  double settled = 0;  // share of the best arm in the second window after the change
  double before = 0;   // the same in the last window before it
};

Outcome Play(const ArmProblem& problem, int runs, int window) {
  Outcome outcome;
  for (int run = 0; run < runs; ++run) {
    SlidingWindowBandit bandit(static_cast<int>(problem.first.size()), problem.options);
    for (int pull = 0; pull < kPulls; ++pull) {
      const std::vector<double>& means = problem.Means(pull);
      const int arm = bandit.Choose();
      const double best = *std::max_element(means.begin(), means.end());
      const int after = pull - kPulls / 2;
      outcome.regret += (best - means[arm]) / runs;
      const double hit = means[arm] == best ? 1.0 / runs / window : 0;
      if (after >= window && after < 2 * window) outcome.settled += hit;
      if (after >= -window && after < 0) outcome.before += hit;
      bandit.Learn(arm, means[arm] + Noise(run, pull, arm));
    }
  }
  return outcome;
}

double Regret(const std::vector<double>& means, const SlidingWindowOptions& options) {
  return Play({means, means, options}, kRuns, 1).regret;
}

// The limit is 2 %; with equal rewards only the order of sums can differ.
TEST(SlidingWindowBandit, LosesAsMuchAsAnIndependentVersion) {
  EXPECT_NEAR(Regret({0.9, 0.5, 0.1}, {}), 7.0892, 0.002 * 7.0892);
  EXPECT_NEAR(Regret({0.60, 0.55, 0.50}, {}), 16.0355, 0.002 * 16.0355);
  EXPECT_NEAR(
      Regret({0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65}, {.window = 128, .constant = 0.5}),
      98.1945, 0.002 * 98.1945);
}

TEST(SlidingWindowBandit, FindsTheBestArmAgainAfterAChange) {
  const std::vector<double> first = {0.9, 0.5, 0.1}, second = {0.1, 0.5, 0.9};
  const Outcome sliding = Play({first, second, {.window = 100}}, kRuns, 100);
  EXPECT_NEAR(sliding.regret, 20.5408, 0.002 * 20.5408);
  EXPECT_GE(sliding.before, 0.8);
  EXPECT_GE(sliding.settled, 0.8) << "within two windows";
  const Outcome plain = Play({first, second, {.window = kPulls}}, 200, 100);
  EXPECT_LT(sliding.regret, plain.regret);
  EXPECT_LT(plain.settled, 0.8);
}

}  // namespace
}  // namespace schedulegym
