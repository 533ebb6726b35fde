#include "agents/learned/policy/actor_critic.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

#include <cmath>

#include "agents/learned/policy/tensor_views.h"

namespace schedulegym {
namespace {

const ActionHeads kHeads({3, 2});

// Their exponentials: 1, 2, 4 and 1, 3.
at::Tensor Logits() {
  const auto log = [](double number) { return static_cast<float>(std::log(number)); };
  return at::tensor({log(1), log(2), log(4), log(1), log(3)}).view({1, 5});
}

at::Tensor Mask(std::vector<uint8_t> mask) { return at::tensor(mask).view({1, -1}); }

TEST(MaskedHeadsTest, EachHeadIsADistribution) {
  const at::Tensor p = HeadLogProbabilities(kHeads, Logits(), Mask({1, 1, 1, 1, 1})).exp();
  EXPECT_NEAR(p[0][0].item<double>(), 1.0 / 7, 1e-6);
  EXPECT_NEAR(p[0][1].item<double>(), 2.0 / 7, 1e-6);
  EXPECT_NEAR(p[0][2].item<double>(), 4.0 / 7, 1e-6);
  EXPECT_NEAR(p[0][3].item<double>(), 1.0 / 4, 1e-6);
  EXPECT_NEAR(p[0][4].item<double>(), 3.0 / 4, 1e-6);
}

TEST(MaskedHeadsTest, IllegalValuesGetNothing) {
  const at::Tensor p = HeadLogProbabilities(kHeads, Logits(), Mask({1, 0, 1, 0, 1})).exp();
  EXPECT_NEAR(p[0][0].item<double>(), 1.0 / 5, 1e-6);
  EXPECT_EQ(p[0][1].item<double>(), 0);
  EXPECT_NEAR(p[0][2].item<double>(), 4.0 / 5, 1e-6);
  EXPECT_EQ(p[0][3].item<double>(), 0);
  EXPECT_EQ(p[0][4].item<double>(), 1);
}

TEST(MaskedHeadsTest, AnActionIsAsLikelyAsItsValuesTogether) {
  const at::Tensor logs = HeadLogProbabilities(kHeads, Logits(), Mask({1, 1, 1, 1, 1}));
  Batch<int64_t> values(2, 1);
  values[0][0] = 2;
  values[0][1] = 1;
  EXPECT_NEAR(ActionLogProbabilities(kHeads, logs, ViewOf(values))[0].item<double>(),
              std::log(4.0 / 7 * 3 / 4), 1e-6);
}

TEST(MaskedHeadsTest, EntropiesAddUp) {
  const at::Tensor all = HeadLogProbabilities(kHeads, Logits(), Mask({1, 1, 1, 1, 1}));
  const double first = std::log(7.0) - (2 * std::log(2.0) + 4 * std::log(4.0)) / 7;
  const double second = std::log(4.0) - 3 * std::log(3.0) / 4;
  EXPECT_NEAR(HeadEntropies(all)[0].item<double>(), first + second, 1e-6);
  const at::Tensor one = HeadLogProbabilities(kHeads, Logits(), Mask({0, 1, 0, 0, 1}));
  EXPECT_EQ(HeadEntropies(one)[0].item<double>(), 0) << "there is no choice";
}

TEST(MaskedHeadsTest, GradientsStayNumbersAndSpareWhatIsIllegal) {
  const at::Tensor logits = Logits().set_requires_grad(true);
  const at::Tensor logs = HeadLogProbabilities(kHeads, logits, Mask({1, 0, 1, 0, 1}));
  HeadEntropies(logs).sum().backward();
  // Probabilities of the legal pair 1/5 and 4/5: d entropy / d logit = -p (ln p + entropy).
  const double entropy = -0.2 * std::log(0.2) - 0.8 * std::log(0.8);
  EXPECT_NEAR(logits.grad()[0][0].item<double>(), -0.2 * (std::log(0.2) + entropy), 1e-6);
  EXPECT_NEAR(logits.grad()[0][2].item<double>(), -0.8 * (std::log(0.8) + entropy), 1e-6);
  for (const int illegal : {1, 3}) EXPECT_EQ(logits.grad()[0][illegal].item<double>(), 0);
  EXPECT_EQ(logits.grad()[0][4].item<double>(), 0) << "the only legal value";
}

}  // namespace
}  // namespace schedulegym
