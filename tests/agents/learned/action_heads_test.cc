#include "agents/learned/action_heads.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace schedulegym {
namespace {

const ActionHeads kHeads({3, 2});

std::vector<float> Logs(const std::vector<double>& probabilities) {
  std::vector<float> logs;
  for (const double probability : probabilities) {
    logs.push_back(static_cast<float>(std::log(probability)));
  }
  return logs;
}

TEST(ActionHeadsTest, ValuesOfAHeadFollowThoseBefore) {
  EXPECT_EQ(kHeads.heads(), 2);
  EXPECT_EQ(kHeads.columns(), 5);
  EXPECT_EQ(kHeads.first(0), 0);
  EXPECT_EQ(kHeads.first(1), 3);
  EXPECT_THROW(ActionHeads({}), std::logic_error);
  EXPECT_THROW(ActionHeads({3, 0}), std::logic_error);
}

TEST(ActionHeadsTest, IsOpenWhereEachHeadHasALegalValue) {
  EXPECT_TRUE(kHeads.IsOpen(std::vector<uint8_t>{0, 0, 1, 1, 0}));
  EXPECT_FALSE(kHeads.IsOpen(std::vector<uint8_t>{0, 0, 0, 1, 1}));
  EXPECT_FALSE(kHeads.IsOpen(std::vector<uint8_t>{1, 1, 1, 0, 0}));
}

TEST(DrawValuesTest, DrawsByProbability) {
  const std::vector<float> logs = Logs({0.5, 0.2, 0.3, 0.9, 0.1});
  const std::vector<uint8_t> mask(5, 1);
  Rng rng(1);
  constexpr int kDraws = 20000;
  std::vector<double> shares(5);
  for (int i = 0; i < kDraws; ++i) {
    const HeadValues values = DrawValues(kHeads, logs, mask, rng);
    shares[static_cast<size_t>(values[0])] += 1.0 / kDraws;
    shares[3U + static_cast<size_t>(values[1])] += 1.0 / kDraws;
  }
  // Four standard deviations of a share are at most 4 sqrt(0.25 / 20000) = 0.014.
  for (size_t i = 0; i < 5; ++i) EXPECT_NEAR(shares[i], std::exp(logs[i]), 0.015);
}

TEST(DrawValuesTest, NeverDrawsWhatIsIllegal) {
  // The network assigns all probability to an illegal value, and none to the legal ones.
  const std::vector<float> logs = {0, -1e30F, -1e30F, -1e30F, 0};
  const std::vector<uint8_t> mask = {0, 1, 1, 1, 0};
  Rng rng(2);
  for (int i = 0; i < 100; ++i) {
    const HeadValues values = DrawValues(kHeads, logs, mask, rng);
    EXPECT_NE(values[0], 0);
    EXPECT_EQ(values[1], 0);
  }
  EXPECT_THROW(DrawValues(kHeads, logs, std::vector<uint8_t>{0, 0, 0, 1, 1}, rng),
               std::logic_error);
}

TEST(DrawValuesTest, TheSameSeedDrawsTheSame) {
  const std::vector<float> logs = Logs({0.5, 0.2, 0.3, 0.5, 0.5});
  const std::vector<uint8_t> mask(5, 1);
  Rng a(9), b(9);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(DrawValues(kHeads, logs, mask, a), DrawValues(kHeads, logs, mask, b));
  }
}

TEST(LikeliestValuesTest, IsTheFirstOfTheBestThatIsLegal) {
  const std::vector<float> logs = Logs({0.4, 0.2, 0.4, 0.1, 0.9});
  EXPECT_EQ(LikeliestValues(kHeads, logs, std::vector<uint8_t>(5, 1)), (HeadValues{0, 1}));
  EXPECT_EQ(LikeliestValues(kHeads, logs, std::vector<uint8_t>{0, 1, 1, 1, 0}), (HeadValues{2, 0}));
}

TEST(UniformValuesTest, DrawsEachLegalValueAsOften) {
  Rng rng(5);
  std::vector<int> counts(5);
  for (int i = 0; i < 10000; ++i) {
    const HeadValues values = UniformValues(kHeads, std::vector<uint8_t>{1, 0, 1, 1, 1}, rng);
    ++counts[static_cast<size_t>(values[0])];
    ++counts[3U + static_cast<size_t>(values[1])];
  }
  // Four standard deviations: 4 sqrt(2500).
  EXPECT_NEAR(counts[0], 5000, 200);
  EXPECT_EQ(counts[1], 0);
  EXPECT_NEAR(counts[2], 5000, 200);
  EXPECT_NEAR(counts[3], 5000, 200);
}

TEST(LogProbabilityTest, IsTheSumOverTheHeads) {
  const std::vector<float> logs = Logs({0.5, 0.2, 0.3, 0.9, 0.1});
  EXPECT_NEAR(LogProbability(kHeads, logs, {2, 1}), std::log(0.3 * 0.1), 1e-6);
  EXPECT_THROW(LogProbability(kHeads, logs, {3, 0}), std::logic_error);
  EXPECT_THROW(LogProbability(kHeads, logs, {0}), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
