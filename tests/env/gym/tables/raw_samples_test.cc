#include "env/gym/tables/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "env/measure/timing/paired_statistics.h"

namespace schedulegym {
namespace {

// A logarithm of `steps` steps of 2^-16.
float Steps(double steps, double middle = 1) {
  return static_cast<float>(middle * std::exp(steps / 65536));
}

TEST(SamplesTextTest, IsThatOfSourceMaps) {
  const std::vector<float> samples = {1,          Steps(1),  Steps(-1),  Steps(15),
                                      Steps(-15), Steps(16), Steps(1000)};
  // 0, 1, -1, 15, -15, 16 and 1000 of their specification.
  EXPECT_EQ(SamplesText(samples, 1), "ACDefgBw+B");
  EXPECT_EQ(SamplesText({}, 1), "");
}

TEST(SamplesTextTest, ReadsBackToFiveDigits) {
  Rng rng(1);
  for (const double middle : {3e-7, 1e-3, 20.0}) {
    std::vector<float> samples;
    for (int i = 0; i < 128; ++i) {
      samples.push_back(static_cast<float>(middle * std::pow(10, 4 * rng.Uniform() - 2)));
    }
    const std::string text = SamplesText(samples, middle);
    const auto read = ParseSamples(text, middle);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), samples.size());
    for (size_t i = 0; i < samples.size(); ++i) {
      EXPECT_NEAR((*read)[i] / samples[i], 1, 8e-6);
    }
    EXPECT_EQ(SamplesText(*read, middle), text);
  }
}

// Noise of a percent.
TEST(SamplesTextTest, TakesThreeCharactersAtMostWhereOnlyNoiseParts) {
  std::vector<float> samples;
  for (int i = -50; i <= 50; ++i) samples.push_back(static_cast<float>(1e-4 * (1 + 2e-4 * i)));
  EXPECT_LE(SamplesText(samples, 1e-4).size(), 3 * samples.size());
}

TEST(SamplesTextTest, WhatIsNoneIsRefused) {
  EXPECT_TRUE(ParseSamples("A", 1));
  for (const char* text : {"", "g", "A-", "A A", "////////A", "/////D"}) {
    EXPECT_FALSE(ParseSamples(text, 1)) << text;
  }
  for (const double middle : {0.0, -1.0, std::nan(""), 1e-300, 1e300}) {
    EXPECT_FALSE(ParseSamples("A", middle)) << middle;
  }
  EXPECT_TRUE(ParseSamples(std::string(4096, 'A'), 1));
  EXPECT_FALSE(ParseSamples(std::string(4097, 'A'), 1));
}

class DrawAnewTest : public testing::Test {
 protected:
  // Candidates of 1, 2, 3, ... microseconds, with references of twice as much.
  static RawSamples Rounds(int count) {
    RawSamples samples;
    for (int i = 1; i <= count; ++i) {
      samples.candidate.push_back(static_cast<float>(1e-6 * i));
      samples.reference.push_back(static_cast<float>(2e-6 * i));
    }
    return samples;
  }
};

TEST_F(DrawAnewTest, RoundsAreDrawnWhole) {
  const RawSamples samples = Rounds(20);
  Rng rng(1);
  const Timing timing = DrawAnew(samples, 7, IntervalRule::kSign, rng);
  ASSERT_EQ(timing.samples.size(), 20u);
  ASSERT_EQ(timing.reference_samples.size(), 20u);
  std::set<float> distinct;
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_FLOAT_EQ(timing.reference_samples[i], 2 * timing.samples[i]);
    EXPECT_THAT(samples.candidate, testing::Contains(timing.samples[i]));
    distinct.insert(timing.samples[i]);
  }
  // Rounds are drawn with replacement.
  EXPECT_LT(distinct.size(), 20u);
  EXPECT_NEAR(timing.ratio.median, 2, 1e-6);
  EXPECT_NEAR(timing.seconds, 3.5, 1e-5);
}

TEST_F(DrawAnewTest, TheRatioIsThatOfTheRoundsDrawn) {
  RawSamples samples = Rounds(9);
  for (int i = 0; i < 9; ++i) samples.reference[i] = static_cast<float>(1e-6 * (i + 1) * (i + 1));
  Rng rng(1);
  for (const IntervalRule rule : {IntervalRule::kSign, IntervalRule::kRank}) {
    const Timing timing = DrawAnew(samples, 1, rule, rng);
    EXPECT_EQ(timing.ratio, MedianRatio(timing.reference_samples, timing.samples, rule));
    EXPECT_DOUBLE_EQ(timing.seconds, 1 / timing.ratio.median);
  }
}

// The medians of many draws scatter around the median of all rounds.
TEST_F(DrawAnewTest, ScattersAsTheRoundsDo) {
  RawSamples samples = Rounds(25);
  for (float& candidate : samples.candidate) candidate += 10e-6F;
  for (float& reference : samples.reference) reference = 23e-6F;
  Rng rng(1);
  std::vector<double> medians;
  for (int i = 0; i < 400; ++i) {
    medians.push_back(DrawAnew(samples, 1, IntervalRule::kSign, rng).ratio.median);
  }
  EXPECT_NEAR(Median(medians), 1, 0.05);
  EXPECT_LT(*std::ranges::min_element(medians), 0.9);
  EXPECT_GT(*std::ranges::max_element(medians), 1.1);
}

// More than three times too slow or too fast.
TEST_F(DrawAnewTest, DisturbedRoundsAreNotDrawn) {
  for (const float factor : {20.0F, 0.05F, 3.2F, 0.3F}) {
    RawSamples samples = Rounds(4);
    samples.candidate[1] *= factor;
    for (uint64_t seed = 0; seed < 200; ++seed) {
      Rng rng(seed);
      const Timing timing = DrawAnew(samples, 1, IntervalRule::kSign, rng);
      EXPECT_EQ(timing.samples.size(), 3u);
      EXPECT_NEAR(timing.ratio.median, 2, 1e-6) << factor;
    }
  }
}

TEST_F(DrawAnewTest, WhatIsLeftIsDrawnAsIfItWereAlone) {
  const RawSamples alone = Rounds(5);
  RawSamples samples = alone;
  samples.candidate.push_back(1e-3F);
  samples.reference.push_back(1e-6F);
  Rng one(1), other(1);
  const Timing timing = DrawAnew(samples, 1, IntervalRule::kRank, one);
  EXPECT_EQ(timing.samples, DrawAnew(alone, 1, IntervalRule::kRank, other).samples);
  EXPECT_EQ(one.Next(), other.Next());
}

TEST_F(DrawAnewTest, WithinThreeTimesEveryRoundIsDrawn) {
  RawSamples samples = Rounds(5);
  samples.candidate[2] *= 2.8F;
  Rng rng(1), same(1);
  const Timing timing = DrawAnew(samples, 1, IntervalRule::kSign, rng);
  ASSERT_EQ(timing.samples.size(), 5u);
  for (const float sample : timing.samples) {
    EXPECT_EQ(sample, samples.candidate[static_cast<size_t>(same.Below(5))]);
  }
}

// Two values that differ by 20: neither is near their middle.
TEST_F(DrawAnewTest, WhereNoRoundIsNearTheMiddleAllAreDrawn) {
  RawSamples samples = Rounds(2);
  samples.candidate[1] *= 20;
  std::set<float> drawn;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const Timing timing = DrawAnew(samples, 1, IntervalRule::kSign, rng);
    EXPECT_EQ(timing.samples.size(), 2u);
    drawn.insert(timing.samples.begin(), timing.samples.end());
  }
  EXPECT_EQ(drawn.size(), 2u);
}

TEST_F(DrawAnewTest, TheChanceDecides) {
  const auto draw = [](uint64_t seed) {
    Rng rng(seed);
    return DrawAnew(Rounds(20), 1, IntervalRule::kSign, rng).samples;
  };
  EXPECT_EQ(draw(3), draw(3));
  EXPECT_NE(draw(3), draw(4));
}

}  // namespace
}  // namespace schedulegym
