// PPO on three problems with known best policies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/agents/learned/policy/lessons.h"

namespace schedulegym {
namespace {

// The network's most likely values.
template <typename World>
HeadValues Best(const ActorCritic& network, const World& world) {
  const Said said = Ask(network, world);
  return LikeliestValues(network.shape().heads, said.log_probabilities[0], said.mask[0]);
}

// Four arms with known means.
class ArmWorld : public SmallWorld {
 public:
  NetworkShape Shape() const override {
    return {.inputs = 1, .heads = ActionHeads({4}), .hidden = {8}};
  }
  void Start(Rng&) override {}
  void See(std::span<float> row, std::span<uint8_t> mask) const override {
    row[0] = 1;
    std::ranges::fill(mask, uint8_t{1});
  }
  double Act(const HeadValues& values, Rng& rng) override {
    constexpr double kMeans[] = {0.2, 0.5, 0.9, 0.4};
    return kMeans[values[0]] + rng.Uniform() - 0.5;
  }
  bool HasEnded() const override { return true; }
};

TEST(PpoProblemsTest, FindsTheBestArmAndWhatItPays) {
  Lessons<ArmWorld> lessons({}, 64, 1, {.actor_rate = 0.01, .critic_rate = 0.01}, 1);
  lessons.Learn(60, {});
  const Said said = Ask(lessons.network(), ArmWorld());
  EXPECT_GT(std::exp(said.log_probabilities[0][2]), 0.9);
  EXPECT_NEAR(said.value, 0.9, 0.1);
}

// Seven cells, from any cell to the last, which pays 1 and ends the episode; left of the first is a
// wall.
class CorridorWorld : public SmallWorld {
 public:
  static constexpr int kLast = 6;
  explicit CorridorWorld(int cell = 0, bool shared_trunk = false)
      : cell_(cell), shared_trunk_(shared_trunk) {}

  NetworkShape Shape() const override {
    return {.inputs = kLast,
            .heads = ActionHeads({2}),
            .hidden = {16},
            .activation = Activation::kTanh,
            .shared_trunk = shared_trunk_};
  }
  void Start(Rng& rng) override { cell_ = static_cast<int>(rng.Below(kLast)); }
  void See(std::span<float> row, std::span<uint8_t> mask) const override {
    row[static_cast<size_t>(cell_)] = 1;
    mask[0] = cell_ > 0 ? 1 : 0;
    mask[1] = 1;
  }
  double Act(const HeadValues& values, Rng&) override {
    cell_ += values[0] == 0 ? -1 : 1;
    return HasEnded() ? 1 : 0;
  }
  bool HasEnded() const override { return cell_ == kLast; }

 private:
  int cell_;
  bool shared_trunk_;
};

TEST(PpoProblemsTest, WalksTheCorridorAndKnowsHowFarItIs) {
  for (const bool shared : {false, true}) {
    Lessons<CorridorWorld> lessons(CorridorWorld(0, shared), 32, 16,
                                   {.actor_rate = 0.01, .critic_rate = 0.01}, 2);
    lessons.Learn(60, {.discount = 0.9, .lambda = 0.95});
    for (int cell = 0; cell < CorridorWorld::kLast; ++cell) {
      EXPECT_EQ(Best(lessons.network(), CorridorWorld(cell)), HeadValues{1}) << cell;
      const double optimum = std::pow(0.9, CorridorWorld::kLast - 1 - cell);
      EXPECT_NEAR(Ask(lessons.network(), CorridorWorld(cell)).value, optimum, 0.1) << cell;
    }
  }
}

// A small model of a schedule's surface: two tile exponents and an unroll step, each moved by one,
// all three in one action. The logarithm of its speed has one maximum, at (5, 2, 1). The
// observation is the position; the reward is the gain in speed.
class SurfaceWorld : public SmallWorld {
 public:
  static constexpr int kSizes[] = {9, 7, 4}, kSummit[] = {5, 2, 1};

  NetworkShape Shape() const override {
    return {.inputs = 3, .heads = ActionHeads({3, 3, 3}), .hidden = {32, 32}};
  }
  void Start(Rng& rng) override {
    steps_ = 0;
    for (size_t i = 0; i < 3; ++i) place_[i] = static_cast<int>(rng.Below(kSizes[i]));
  }
  void StandAt(int a, int b, int c) {
    place_[0] = a;
    place_[1] = b;
    place_[2] = c;
  }
  void See(std::span<float> row, std::span<uint8_t> mask) const override {
    for (size_t i = 0; i < 3; ++i) {
      row[i] = 2 * static_cast<float>(place_[i]) / static_cast<float>(kSizes[i] - 1) - 1;
      mask[3 * i] = place_[i] > 0 ? 1 : 0;
      mask[3 * i + 1] = 1;
      mask[3 * i + 2] = place_[i] + 1 < kSizes[i] ? 1 : 0;
    }
  }
  double Act(const HeadValues& values, Rng&) override {
    ++steps_;
    const double before = LogSpeed();
    for (size_t i = 0; i < 3; ++i) place_[i] += values[i] - 1;
    return LogSpeed() - before;
  }
  bool HasEnded() const override { return steps_ == 16; }
  double LogSpeed() const {
    double sum = 0;
    for (size_t i = 0; i < 3; ++i) sum -= 0.1 * std::pow(place_[i] - kSummit[i], 2);
    return sum;
  }

 private:
  int steps_ = 0;
  int place_[3] = {0, 0, 0};
};

// Number of the 252 starts from which the policy visits the maximum within 12 steps; the farthest
// start needs 5.
template <typename Choose>
int Reached(const Choose& choose) {
  int reached = 0;
  Rng rng(7);
  for (int start = 0; start < 9 * 7 * 4; ++start) {
    SurfaceWorld world;
    world.StandAt(start % 9, start / 9 % 7, start / 63);
    for (int step = 0; step < 12 && world.LogSpeed() < 0; ++step)
      world.Act(choose(world, rng), rng);
    reached += world.LogSpeed() == 0 ? 1 : 0;
  }
  return reached;
}

// HARL's updates: one-step advantages, an update after every two steps; actions are sampled.
TEST(PpoProblemsTest, ClimbsASurfaceFromEverywhere) {
  Lessons<SurfaceWorld> lessons({}, 64, 2, {.actor_rate = 0.001, .critic_rate = 0.003}, 1);
  lessons.Learn(300, {});
  const ActionHeads heads = SurfaceWorld().Shape().heads;
  const int learned = Reached([&](const SurfaceWorld& world, Rng& rng) {
    const Said said = Ask(lessons.network(), world);
    return DrawValues(heads, said.log_probabilities[0], said.mask[0], rng);
  });
  const int uniform = Reached([&](const SurfaceWorld& world, Rng& rng) {
    return UniformValues(heads, Ask(lessons.network(), world).mask[0], rng);
  });
  EXPECT_GE(learned, 240);
  EXPECT_LE(uniform, 60);
}

}  // namespace
}  // namespace schedulegym
