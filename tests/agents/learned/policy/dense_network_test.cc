#include "agents/learned/policy/dense_network.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace schedulegym {
namespace {

DenseNetwork Make(Activation activation, bool activates_last, uint64_t seed = 1) {
  Rng rng(seed);
  return {{2, 3, 2}, activation, 0.01, activates_last, rng};
}

// Weights for computing by hand: hidden = x0, x1, x0 + x1; out = h0 - h1, h2 + 1.
void SetByHand(const DenseNetwork& network) {
  const std::vector<at::Tensor>& all = network.parameters();
  all[0].data().copy_(at::tensor({1.0F, 0.0F, 0.0F, 1.0F, 1.0F, 1.0F}).view({3, 2}));
  all[1].data().zero_();
  all[2].data().copy_(at::tensor({1.0F, -1.0F, 0.0F, 0.0F, 0.0F, 1.0F}).view({2, 3}));
  all[3].data().copy_(at::tensor({0.0F, 1.0F}));
}

TEST(DenseNetworkTest, RectifiesBetweenLayers) {
  const DenseNetwork network = Make(Activation::kRelu, false);
  SetByHand(network);
  // Hidden: 2, max(-3, 0), max(-1, 0).
  const at::Tensor out = network.Forward(at::tensor({2.0F, -3.0F}).view({1, 2}));
  EXPECT_EQ(out[0][0].item<float>(), 2);
  EXPECT_EQ(out[0][1].item<float>(), 1);
}

TEST(DenseNetworkTest, OrSquashes) {
  const DenseNetwork network = Make(Activation::kTanh, false);
  SetByHand(network);
  const at::Tensor out = network.Forward(at::tensor({2.0F, -3.0F}).view({1, 2}));
  EXPECT_NEAR(out[0][0].item<double>(), std::tanh(2.0) - std::tanh(-3.0), 1e-6);
  EXPECT_NEAR(out[0][1].item<double>(), std::tanh(-1.0) + 1, 1e-6);
}

TEST(DenseNetworkTest, TheLastLayerIsActivatedWhereAsked) {
  const DenseNetwork network = Make(Activation::kRelu, true);
  SetByHand(network);
  // Without the activation of the last layer: -5, 6.
  const at::Tensor out = network.Forward(at::tensor({0.0F, 5.0F}).view({1, 2}));
  EXPECT_EQ(out[0][0].item<float>(), 0);
  EXPECT_EQ(out[0][1].item<float>(), 6);
}

TEST(DenseNetworkTest, RowsDoNotSeeOneAnother) {
  const DenseNetwork network = Make(Activation::kTanh, false);
  const at::Tensor rows = at::tensor({1.0F, 2.0F, -4.0F, 0.5F}).view({2, 2});
  const at::Tensor both = network.Forward(rows);
  EXPECT_TRUE(both[1].allclose(network.Forward(rows.narrow(0, 1, 1))[0]));
}

TEST(DenseNetworkTest, StartsOrthogonalWithItsGains) {
  Rng rng(1);
  const DenseNetwork network({4, 4, 4}, Activation::kRelu, 0.01, false, rng);
  const std::vector<at::Tensor>& all = network.parameters();
  ASSERT_EQ(all.size(), 4U);
  // The norm of a rotation of four dimensions is 2.
  EXPECT_NEAR(all[0].norm().item<double>(), 2 * std::sqrt(2.0), 1e-5);
  EXPECT_NEAR(all[2].norm().item<double>(), 2 * 0.01, 1e-7);
  EXPECT_EQ(all[1].norm().item<double>(), 0);
  EXPECT_EQ(all[3].norm().item<double>(), 0);
}

TEST(DenseNetworkTest, TheSameSeedGivesTheSameNetwork) {
  const at::Tensor rows = at::ones({1, 2});
  const auto said = [&](uint64_t seed) {
    return Make(Activation::kRelu, false, seed).Forward(rows);
  };
  EXPECT_TRUE(said(1).equal(said(1)));
  EXPECT_FALSE(said(1).equal(said(2)));
}

TEST(DenseNetworkTest, LearnsByGradients) {
  const DenseNetwork network = Make(Activation::kRelu, false);
  network.Forward(at::ones({3, 2})).sum().backward();
  for (const at::Tensor& parameter : network.parameters()) {
    EXPECT_TRUE(parameter.grad().defined());
  }
  // Each of three rows adds 1 to the gradient of both last biases.
  EXPECT_EQ(network.parameters()[3].grad()[0].item<float>(), 3);
}

TEST(DenseNetworkTest, HasAnInputAndAnOutput) {
  Rng rng(1);
  EXPECT_THROW(DenseNetwork({3}, Activation::kRelu, 1, false, rng), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
