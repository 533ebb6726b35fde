#include "agents/learned/policy/actor_critic.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "agents/learned/policy/tensor_views.h"

namespace schedulegym {
namespace {

NetworkShape Shape(bool shared_trunk = false) {
  return {
      .inputs = 3, .heads = ActionHeads({4, 2}), .hidden = {16, 8}, .shared_trunk = shared_trunk};
}

struct Asked {
  RowBatch rows = RowBatch(3);
  MaskBatch masks = MaskBatch(6);
};

Asked SomeRows(int count) {
  Asked asked;
  asked.rows.Resize(count);
  asked.masks.Resize(count);
  Rng rng(5);
  for (float& number : asked.rows.values()) number = static_cast<float>(rng.Uniform());
  std::fill(asked.masks.values().begin(), asked.masks.values().end(), uint8_t{1});
  return asked;
}

TEST(ActorCriticTest, StartsAlmostUniform) {
  const Asked asked = SomeRows(5);
  const Evaluation said = ActorCritic(Shape(), Rng(1)).Evaluate(asked.rows, asked.masks);
  for (int row = 0; row < 5; ++row) {
    for (int value = 0; value < 6; ++value) {
      EXPECT_NEAR(std::exp(said.log_probabilities[row][static_cast<size_t>(value)]),
                  value < 4 ? 0.25 : 0.5, 0.02);
    }
  }
  EXPECT_EQ(said.values.size(), 5U);
}

// The logarithms of two values whose logits differ by d differ by d over the temperature.
TEST(ActorCriticTest, NumbersAreDividedByTheTemperature) {
  const Asked asked = SomeRows(1);
  NetworkShape cold = Shape();
  cold.temperature = 0.1;
  const auto difference = [&](const NetworkShape& shape) {
    const Evaluation said = ActorCritic(shape, Rng(1)).Evaluate(asked.rows, asked.masks);
    return said.log_probabilities[0][0] - said.log_probabilities[0][1];
  };
  EXPECT_GT(std::abs(difference(Shape())), 1e-6);
  EXPECT_NEAR(difference(cold), 10 * difference(Shape()), 1e-5);
}

TEST(ActorCriticTest, MasksHold) {
  Asked asked = SomeRows(2);
  asked.masks[1][0] = asked.masks[1][5] = 0;
  const Evaluation said = ActorCritic(Shape(), Rng(1)).Evaluate(asked.rows, asked.masks);
  EXPECT_GT(std::exp(said.log_probabilities[0][0]), 0.2);
  EXPECT_EQ(std::exp(said.log_probabilities[1][0]), 0);
  EXPECT_EQ(said.log_probabilities[1][4], 0) << "the only legal value of its head";
}

TEST(ActorCriticTest, OneForwardSaysWhatSingleOnesDo) {
  const ActorCritic network(Shape(), Rng(1));
  const Asked asked = SomeRows(9);
  const Evaluation all = network.Evaluate(asked.rows, asked.masks);
  for (int row = 0; row < 9; ++row) {
    Asked one = SomeRows(1);
    std::copy_n(asked.rows[row].begin(), 3, one.rows[0].begin());
    const Evaluation alone = network.Evaluate(one.rows, one.masks);
    EXPECT_NEAR(alone.values[0], all.values[static_cast<size_t>(row)], 1e-5);
    for (size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(alone.log_probabilities[0][i], all.log_probabilities[row][i], 1e-5);
    }
  }
}

TEST(ActorCriticTest, TheCriticAloneSaysTheSame) {
  const Asked asked = SomeRows(4);
  for (const bool shared : {false, true}) {
    const ActorCritic network(Shape(shared), Rng(1));
    EXPECT_EQ(network.Values(asked.rows), network.Evaluate(asked.rows, asked.masks).values);
  }
}

TEST(ActorCriticTest, GradientsSeeTheSameNumbers) {
  const Asked asked = SomeRows(4);
  const ActorCritic network(Shape(), Rng(1));
  const auto [logits, values] = network.Forward(ViewOf(asked.rows));
  EXPECT_TRUE(logits.requires_grad() && values.requires_grad());
  EXPECT_EQ(NumbersOf(values), network.Values(asked.rows));
  EXPECT_EQ(logits.sizes(), (std::vector<int64_t>{4, 6}));
}

int64_t Numbers(const std::vector<at::Tensor>& parameters) {
  int64_t count = 0;
  for (const at::Tensor& parameter : parameters) count += parameter.numel();
  return count;
}

TEST(ActorCriticTest, TheTrunkIsTheActorsAndTheCriticHasItsOwnUnlessItIsShared) {
  // 3 to 16 to 8: 64 + 136 numbers; heads of 8 to 6 and of 8 to 1.
  const ActorCritic own(Shape(), Rng(1)), shared(Shape(true), Rng(1));
  EXPECT_EQ(Numbers(own.ActorParameters()), 200 + 54);
  EXPECT_EQ(Numbers(own.CriticParameters()), 200 + 9);
  EXPECT_EQ(Numbers(shared.ActorParameters()), 200 + 54);
  EXPECT_EQ(Numbers(shared.CriticParameters()), 9);
}

TEST(ActorCriticTest, TheSameSeedSaysTheSameToTheBit) {
  const Asked asked = SomeRows(64);
  const auto values = [&](uint64_t seed) {
    return ActorCritic(Shape(), Rng(seed)).Values(asked.rows);
  };
  EXPECT_EQ(values(3), values(3));
  EXPECT_NE(values(3), values(4));
}

TEST(ActorCriticTest, RefusesOtherShapes) {
  const ActorCritic network(Shape(), Rng(1));
  Asked asked = SomeRows(2);
  asked.masks.Resize(3);
  EXPECT_THROW(network.Evaluate(asked.rows, asked.masks), std::logic_error);
  EXPECT_THROW(network.Values(RowBatch(2, 1)), std::logic_error);
  EXPECT_THROW(ActorCritic({.inputs = 3, .hidden = {}}, Rng(1)), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
