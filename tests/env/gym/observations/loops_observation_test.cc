#include "env/gym/observations/builtin_observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/base/fault.h"
#include "env/base/text.h"
#include "tests/env/gym/fixed_episode.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr int kHead = 4;
constexpr char kMatmul[] =
    "input A[4, 16]\ninput B[16, 8]\n"
    "C[i:4, j:8] = sum(k:16) A[i, k] * B[k, j]\n";
constexpr char kRelu[] =
    "input A[4, 16]\ninput B[16, 8]\n"
    "C[i:4, j:8] = sum(k:16) A[i, k] * B[k, j]\n"
    "D[i:4, j:8] = max(C[i, j], 0)\n";

std::unique_ptr<Observation> Loops(const std::string& spec = "loops") {
  return MakeLoopsObservation(ParseSpec(spec).value());
}

std::vector<float> RowOf(const std::vector<float>& numbers, int row) {
  const auto begin = numbers.begin() + kHead + static_cast<ptrdiff_t>(row) * kLoopNumbers;
  return {begin, begin + kLoopNumbers};
}

float Logarithm(double value) { return static_cast<float>(std::log2(1 + value) / 32); }

void ExpectRow(const std::vector<float>& row, const std::vector<float>& expected) {
  ASSERT_EQ(row.size(), expected.size());
  for (size_t i = 0; i < row.size(); ++i) EXPECT_FLOAT_EQ(row[i], expected[i]) << i;
}

TEST(LoopsObservationTest, TheLegendHasALineForEachNumber) {
  const std::vector<std::string> lines = SplitLines(Loops()->FeatureNames());
  ASSERT_EQ(lines.size(), static_cast<size_t>(kHead + 1 + kLoopNumbers));
  for (int i = 0; i < kHead; ++i) EXPECT_EQ(lines[i][0], '0' + i);
  for (int i = 0; i < kLoopNumbers; ++i) {
    EXPECT_THAT(lines[kHead + 1 + i], testing::StartsWith(std::to_string(i) + ": "));
  }
}

TEST(LoopsObservationTest, HasSoManyRows) {
  EXPECT_EQ(Loops()->size(), kHead + 40 * kLoopNumbers);
  EXPECT_EQ(Loops("loops(rows=3)")->size(), kHead + 3 * kLoopNumbers);
  EXPECT_EQ(Loops("loops(rows=3)")->Name(), "loops(rows=3)");
  for (const char* bad : {"loops(rows=0)", "loops(rows=257)", "loops(row=3)"}) {
    EXPECT_THROW(Loops(bad), InputError);
  }
}

// Each loop leaves one of C, A and B in place.
TEST(LoopsObservationTest, RowsOfAMatmul) {
  const std::vector<float> numbers = SeenOf(*Loops("loops(rows=10)"), StateAfter(kMatmul, ""));
  EXPECT_THAT(std::vector(numbers.begin(), numbers.begin() + kHead),
              testing::ElementsAre(0.25F, 0.3F, 0, 1));
  const float third = 1.0F / 3;
  ExpectRow(RowOf(numbers, 0), {1, Logarithm(4), 0, 0, 0, 0, 0, 0, 0, Logarithm(8), Logarithm(16),
                                0, third, Logarithm(512), 0, 0});
  ExpectRow(RowOf(numbers, 1), {1, Logarithm(8), 0, 0, 0, 0, 0.1F, 0, 0, Logarithm(1), 0,
                                Logarithm(1), third, Logarithm(128), 0, 0});
  ExpectRow(RowOf(numbers, 2), {1, Logarithm(16), 1, 0, 0, 0, 0.2F, 0, 0, 0, Logarithm(1),
                                Logarithm(8), third, Logarithm(16), 0, 0});
  ExpectRow(RowOf(numbers, 3), std::vector<float>(kLoopNumbers, 0));
}

TEST(LoopsObservationTest, AnnotationsAreFlags) {
  const ScheduleState state = StateAfter(
      kMatmul,
      "reorder(stage=C, order=[0, 2, 1])\nparallel(stage=C, loop=0)\nunroll(stage=C, loop=1)\n"
      "vectorize(stage=C, loop=2)\npragma(stage=C, name=auto_unroll_max_step, value=64)\n");
  const std::vector<float> numbers = SeenOf(*Loops(), state);
  const auto flags = [&](int row) {
    const std::vector<float> all = RowOf(numbers, row);
    return std::vector(all.begin() + 2, all.begin() + 6);
  };
  EXPECT_THAT(flags(0), testing::ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(flags(1), testing::ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(flags(2), testing::ElementsAre(0, 0, 1, 0));
  EXPECT_FLOAT_EQ(RowOf(numbers, 0)[15], Logarithm(64));
}

TEST(LoopsObservationTest, TheLastStageComesFirst) {
  const ScheduleState state = StateAfter(kRelu, "compute_at(stage=C, target=D, loop=0)\n");
  const std::vector<float> numbers =
      SeenAt(*Loops(), state.task(), FixedEpisode(state, state.Find("C")));
  std::vector<float> stages, at_hand, attached;
  for (int row = 0; row < 5; ++row) {
    stages.push_back(RowOf(numbers, row)[7]);
    at_hand.push_back(RowOf(numbers, row)[8]);
    attached.push_back(RowOf(numbers, row)[14]);
  }
  EXPECT_THAT(stages, testing::ElementsAre(0, 0, 1.0F / 16, 1.0F / 16, 1.0F / 16));
  EXPECT_THAT(at_hand, testing::ElementsAre(0, 0, 1, 1, 1));
  EXPECT_THAT(attached, testing::ElementsAre(0, 0, 1, 1, 1));
}

// Two loops of D, three of C.
TEST(LoopsObservationTest, LoopsBeyondTheRowsAreLeftOut) {
  const ScheduleState state = StateAfter(kRelu, "");
  const std::vector<float> all = SeenOf(*Loops("loops(rows=5)"), state);
  const std::vector<float> some = SeenOf(*Loops("loops(rows=3)"), state);
  EXPECT_EQ(all[1], 1);
  EXPECT_EQ(all[2], 0);
  EXPECT_EQ(some[1], 1);
  EXPECT_EQ(some[2], 1);
  // C's outermost loop, with all 4 * 8 * 16 steps although its inner loops are left out.
  EXPECT_FLOAT_EQ(RowOf(some, 2)[13], Logarithm(512));
}

TEST(LoopsObservationTest, UnknownStridesAreBelowZero) {
  const std::vector<float> numbers =
      SeenOf(*Loops(), StateAfter("input X[8]\nY[i:8] = X[i // 2]\n", ""));
  EXPECT_FLOAT_EQ(RowOf(numbers, 0)[9], Logarithm(1));
  EXPECT_EQ(RowOf(numbers, 0)[10], -1);
  EXPECT_EQ(RowOf(numbers, 0)[12], 0);
}

TEST(LoopsObservationTest, OfNoScheduleOnlyTheEpisodeIsSeen) {
  const auto task = TaskOf(kMatmul);
  const std::vector<float> numbers = SeenAt(*Loops(), *task, FixedEpisode(Illegal("no schedule")));
  EXPECT_EQ(numbers[0], 0.25F);
  EXPECT_THAT(std::vector(numbers.begin() + 1, numbers.end()), testing::Each(0));
}

}  // namespace
}  // namespace schedulegym
