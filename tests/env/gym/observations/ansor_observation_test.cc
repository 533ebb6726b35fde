#include "env/gym/observations/builtin_observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "env/features/ansor_features.h"
#include "tests/env/gym/fixed_episode.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::Each;

constexpr int kWidth = AnsorLayout::kWidth;

// 4 * 8 * 16 = 512 sums and products; then 32 maxima.
constexpr char kRelu[] =
    "input A[4, 16]\ninput B[16, 8]\n"
    "C[i:4, j:8] = sum(k:16) A[i, k] * B[k, j]\n"
    "D[i:4, j:8] = max(C[i, j], 0)\n";

std::unique_ptr<Observation> Ansor(const std::string& spec) {
  return MakeAnsorObservation(ParseSpec(spec).value());
}

std::vector<float> Part(const std::vector<float>& numbers, int from, int count) {
  return {numbers.begin() + from, numbers.begin() + from + count};
}
std::vector<float> FeaturesOf(const ScheduleState& state, int row) {
  const FeatureRows rows = AnsorFeatures(state);
  return {rows.Row(row).begin(), rows.Row(row).end()};
}

// "integer: name" on line `line` of the legend.
std::string FeatureNamesLine(const Observation& observation, int line) {
  return SplitLines(observation.FeatureNames()).at(line);
}

TEST(AnsorObservationTest, RowsAreTheFeaturesBehindAMask) {
  const ScheduleState state = StateAfter(kRelu, "");
  const std::vector<float> numbers = SeenOf(*Ansor("ansor(rows=3)"), state);
  ASSERT_EQ(numbers.size(), 3u * (1 + kWidth));
  for (int row = 0; row < 2; ++row) {
    EXPECT_EQ(numbers[row * (1 + kWidth)], 1);
    EXPECT_EQ(Part(numbers, row * (1 + kWidth) + 1, kWidth), FeaturesOf(state, row));
  }
  EXPECT_THAT(Part(numbers, 2 * (1 + kWidth), 1 + kWidth), Each(0));
  // The number with this name in the legend: C's additions.
  const auto observation = Ansor("ansor");
  EXPECT_EQ(FeatureNamesLine(*observation, 1), "0: 1, the mask of the row");
  EXPECT_EQ(FeatureNamesLine(*observation, 3), "2: float_add");
  EXPECT_FLOAT_EQ(numbers[2], std::log2(513.0F));
}

TEST(AnsorObservationTest, TheLastStatementsAreKept) {
  const ScheduleState state = StateAfter(kRelu, "");
  const std::vector<float> numbers = SeenOf(*Ansor("ansor(rows=1)"), state);
  EXPECT_EQ(Part(numbers, 1, kWidth), FeaturesOf(state, 1));
}

TEST(AnsorObservationTest, PooledAreTheGreatestAndTheMean) {
  const ScheduleState state = StateAfter(kRelu, "");
  const auto observation = Ansor("ansor(pooled=true)");
  const std::vector<float> numbers = SeenOf(*observation, state);
  ASSERT_EQ(numbers.size(), 1u + 2 * kWidth);
  EXPECT_EQ(numbers[0], 2);
  const std::vector<float> first = FeaturesOf(state, 0), second = FeaturesOf(state, 1);
  for (int i = 0; i < kWidth; ++i) {
    EXPECT_FLOAT_EQ(numbers[1 + i], std::max(first[i], second[i])) << i;
    EXPECT_FLOAT_EQ(numbers[1 + kWidth + i], (first[i] + second[i]) / 2) << i;
  }
  // D adds nothing.
  EXPECT_EQ(FeatureNamesLine(*observation, 2), "2: greatest float_add");
  EXPECT_FLOAT_EQ(numbers[2], std::log2(513.0F));
  EXPECT_EQ(FeatureNamesLine(*observation, kWidth + 2), "166: mean float_add");
  EXPECT_FLOAT_EQ(numbers[166], std::log2(513.0F) / 2);
}

TEST(AnsorObservationTest, OfOneStatementBothAreItsNumbers) {
  const ScheduleState state = StateAfter("input X[8]\nY[i:8] = X[7 - i]\n", "");
  const std::vector<float> numbers = SeenOf(*Ansor("ansor(pooled=true)"), state);
  EXPECT_EQ(numbers[0], 1);
  EXPECT_EQ(Part(numbers, 1, kWidth), FeaturesOf(state, 0));
  EXPECT_EQ(Part(numbers, 1 + kWidth, kWidth), FeaturesOf(state, 0));
}

TEST(AnsorObservationTest, OfNoScheduleAllIsZero) {
  const auto task = TaskOf(kRelu);
  for (const char* spec : {"ansor", "ansor(pooled=true)"}) {
    EXPECT_THAT(SeenAt(*Ansor(spec), *task, FixedEpisode(Illegal("none"))), Each(0));
  }
}

TEST(AnsorObservationTest, OptionsAreChecked) {
  EXPECT_EQ(Ansor("ansor")->size(), 16 * 165);
  EXPECT_EQ(Ansor("ansor(pooled=true)")->Name(), "ansor(pooled=true)");
  for (const char* bad : {"ansor(rows=0)", "ansor(rows=65)", "ansor(pooled=true, rows=4)"}) {
    EXPECT_THROW(Ansor(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace schedulegym
