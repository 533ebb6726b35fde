#include "agents/transfer/refit.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

// By hand: 15 divides 60 and 16 does not, which leaves 4.
TEST(NearestLengths, TileOnAnotherExtent) {
  EXPECT_EQ(NearestLengths(60, {4, 16}), (std::vector<int64_t>{4, 15}));
  EXPECT_EQ(NearestLengths(64, {4, 16}), (std::vector<int64_t>{4, 16}));
}

TEST(NearestLengths, NearIsByRatio) {
  // 9 / 7 < 14 / 9.
  EXPECT_EQ(NearestLengths(14, {9}), (std::vector<int64_t>{7}));
  // 5 / 2 < 13 / 5.
  EXPECT_EQ(NearestLengths(26, {5}), (std::vector<int64_t>{2}));
  // 14 / 10 < 10 / 7.
  EXPECT_EQ(NearestLengths(28, {10}), (std::vector<int64_t>{14}));
}

TEST(NearestLengths, PrimeAndOne) {
  EXPECT_EQ(NearestLengths(13, {2, 3}), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(NearestLengths(1, {8, 8}), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(NearestLengths(7, {}), (std::vector<int64_t>{}));
}

TEST(NearestLengths, TogetherTheyDivide) {
  for (int64_t extent = 1; extent <= 100; ++extent) {
    const std::vector<int64_t> lengths = NearestLengths(extent, {3, 7, 10});
    EXPECT_EQ(extent % (lengths[0] * lengths[1] * lengths[2]), 0) << extent;
  }
}

std::shared_ptr<const Task> Vector(int64_t extent) {
  const std::string n = std::to_string(extent);
  return std::make_shared<const Task>(
      Task{DagOf("input X[" + n + "]\nY[i:" + n + "] = X[i] + 1\n"), Target{}, "vector"});
}

TEST(HasEvenSplits, LengthsDivideTheirLoop) {
  const auto is_even = [](int64_t extent, const std::string& split) {
    return HasEvenSplits(ReplayText(Vector(extent), "trace 1\n" + split).value());
  };
  EXPECT_TRUE(is_even(64, ""));
  EXPECT_TRUE(is_even(64, "split(stage=Y, loop=0, lengths=[4, 16])\n"));
  EXPECT_FALSE(is_even(60, "split(stage=Y, loop=0, lengths=[64])\n"));
  EXPECT_FALSE(is_even(60, "split(stage=Y, loop=0, lengths=[4, 16])\n"));
  EXPECT_TRUE(is_even(60, "split(stage=Y, loop=0, lengths=[4, 15])\n"));
  // 60 = 4 * 15, and 15 is not divisible by 8.
  EXPECT_FALSE(is_even(60,
                       "split(stage=Y, loop=0, lengths=[15])\n"
                       "split(stage=Y, loop=1, lengths=[8])\n"));
}

TEST(ReplayRefitted, KeepsStructureAndChangesLengths) {
  const Result<ScheduleState> state = ReplayRefitted(
      Vector(60), "trace 1\nsplit(stage=Y, loop=0, lengths=[4, 16])\nvectorize(stage=Y, loop=2)\n");
  ASSERT_TRUE(state);
  EXPECT_EQ(state->TraceText(),
            "trace 1\nsplit(stage=Y, loop=0, lengths=[4, 15])\nvectorize(stage=Y, loop=2)\n");
}

TEST(ReplayRefitted, RefusesWhatIsNoScheduleHere) {
  EXPECT_FALSE(ReplayRefitted(Vector(60), "trace 1\nsplit(stage=Z, loop=0, lengths=[4])\n"));
  EXPECT_FALSE(ReplayRefitted(Vector(60), "trace 1\nsplit(stage=Y, loop=3, lengths=[4])\n"));
  EXPECT_FALSE(ReplayRefitted(Vector(60), "trace 1\nno primitive\n"));
}

}  // namespace
}  // namespace schedulegym
