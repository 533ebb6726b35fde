#include "spaces/schedule_builder.h"

#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kMatmul[] =
    "input A[24, 10]\ninput B[10, 32]\nC[i:24, j:32] = sum(k:10) A[i, k] * B[k, j]\n";

ScheduleBuilder MatmulScheduleBuilder() {
  return ScheduleBuilder(ScheduleState::Initial(TaskOf(kMatmul)));
}
constexpr int kC = 2;

TEST(ScheduleBuilderTest, SplitsIntoParts) {
  ScheduleBuilder builder = MatmulScheduleBuilder();
  EXPECT_EQ(builder.Split(kC, 0, {2, 3}), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(builder.Extent(kC, 3), 4);
  EXPECT_EQ(builder.Extent(kC, 5), 3);
}

// Levels of length 1 become no loop.
TEST(ScheduleBuilderTest, LeavesOutLengthsOfOne) {
  ScheduleBuilder builder = MatmulScheduleBuilder();
  EXPECT_EQ(builder.Split(kC, 0, {1, 6}), (std::vector<int>{3, -1, 4}));
  EXPECT_EQ(builder.Split(kC, 1, {1, 1}), (std::vector<int>{1, -1, -1}));
  EXPECT_EQ(builder.state().trace_size(), 1);
}

// An inner level that covers the loop is the loop.
TEST(ScheduleBuilderTest, LeavesOutOuterPartsThatWouldNotIterate) {
  ScheduleBuilder builder = MatmulScheduleBuilder();
  EXPECT_EQ(builder.Split(kC, 0, {24}), (std::vector<int>{-1, 0}));
  EXPECT_EQ(builder.Split(kC, 1, {7, 40}), (std::vector<int>{-1, -1, 1}));
  EXPECT_EQ(builder.Split(kC, 2, {4, 5}), (std::vector<int>{-1, 3, 4}));
  EXPECT_EQ(builder.Extent(kC, 3), 2);
}

TEST(ScheduleBuilderTest, NamesLoopsByNode) {
  ScheduleBuilder builder = MatmulScheduleBuilder();
  const auto i = builder.Split(kC, 0, {6});
  const auto j = builder.Split(kC, 1, {8});
  builder.Reorder(kC, {j[0], i[0], 2, i[1], -1, j[1]});
  builder.Unroll(kC, i[1]);
  builder.Vectorize(kC, j[1]);
  const int fused = builder.Fuse(kC, {j[0], i[0]});
  builder.Parallelize(kC, fused);
  EXPECT_EQ(LoopsOf(builder.Finish().value()),
            "C[24, 32] global:\n"
            "parallel j@i in 0..16\n"
            "  for k in 0..10  # reduction\n"
            "    unrolled i in 0..6\n"
            "      vector j in 0..8\n"
            "        i = i + j@i % 4 * 6\n"
            "        j = j + j@i // 4 * 8\n"
            "        C[i, j] = sum A[i, k] * B[k, j]\n");
}

TEST(ScheduleBuilderTest, DoesNothingWhereNothingIsAsked) {
  ScheduleBuilder builder = MatmulScheduleBuilder();
  builder.Reorder(kC, {0, 1, 2});
  builder.Unroll(kC, -1);
  builder.Vectorize(kC, -1);
  EXPECT_EQ(builder.Fuse(kC, {1}), 1);
  EXPECT_EQ(builder.Finish().value().trace_size(), 0);
}

// Every level becomes a loop, possibly of one step; lengths are limited by the extent.
TEST(ScheduleBuilderTest, KeepsEveryLevelInAllDetail) {
  ScheduleBuilder plain = MatmulScheduleBuilder();
  EXPECT_EQ(plain.SplitLevels(kC, 0, {1, 6}), (std::vector<int>{3, -1, 4}));
  ScheduleBuilder builder(MatmulScheduleBuilder().state(), LoopDetail::kAll);
  EXPECT_EQ(builder.SplitLevels(kC, 0, {1, 6}), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(std::get<Split>(builder.state().step(0)).lengths, (std::vector<int64_t>{1, 6}));
  // 32 elements are one block of 8 tiles of 4, although a block of 100 was given.
  EXPECT_EQ(builder.SplitLevels(kC, 1, {100, 4}), (std::vector<int>{6, 7, 8}));
  EXPECT_EQ(std::get<Split>(builder.state().step(1)).lengths, (std::vector<int64_t>{8, 4}));
}

// Finish returns the error of the first illegal step.
TEST(ScheduleBuilderTest, StopsAtTheFirstIllegalStep) {
  ScheduleBuilder builder = MatmulScheduleBuilder();
  EXPECT_FALSE(builder.Try(Vectorize{{kC}, 2}));
  EXPECT_TRUE(builder.ok());
  builder.Parallelize(kC, 2);
  EXPECT_FALSE(builder.ok());
  EXPECT_FALSE(builder.Try(Split{{kC}, 0, {2}}));
  EXPECT_EQ(builder.Split(kC, 0, {2}), (std::vector<int>{-1, -1}));
  EXPECT_EQ(builder.Fuse(kC, {0, 1}), -1);
  builder.Reorder(kC, {1, 0, 2});
  builder.Unroll(kC, 77);
  builder.ComputeAt(kC, kC, 0);
  EXPECT_EQ(builder.state().trace_size(), 0);
  EXPECT_EQ(builder.Finish().error().message, RefusalOf(builder.state(), Parallel{{kC}, 2}));
}

}  // namespace
}  // namespace schedulegym
