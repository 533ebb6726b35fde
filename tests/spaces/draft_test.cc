#include "spaces/draft.h"

#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kMatmul[] =
    "input A[24, 10]\ninput B[10, 32]\nC[i:24, j:32] = sum(k:10) A[i, k] * B[k, j]\n";

Draft MatmulDraft() { return Draft(ScheduleState::Initial(TaskOf(kMatmul))); }
constexpr int kC = 2;

TEST(DraftTest, SplitsIntoParts) {
  Draft draft = MatmulDraft();
  EXPECT_EQ(draft.Split(kC, 0, {2, 3}), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(draft.Extent(kC, 3), 4);
  EXPECT_EQ(draft.Extent(kC, 5), 3);
}

// Parts of length 1 make no loop.
TEST(DraftTest, LeavesOutLengthsOfOne) {
  Draft draft = MatmulDraft();
  EXPECT_EQ(draft.Split(kC, 0, {1, 6}), (std::vector<int>{3, -1, 4}));
  EXPECT_EQ(draft.Split(kC, 1, {1, 1}), (std::vector<int>{1, -1, -1}));
  EXPECT_EQ(draft.state().trace_size(), 1);
}

// An inner part that covers the loop is the loop.
TEST(DraftTest, LeavesOutOuterPartsThatWouldNotIterate) {
  Draft draft = MatmulDraft();
  EXPECT_EQ(draft.Split(kC, 0, {24}), (std::vector<int>{-1, 0}));
  EXPECT_EQ(draft.Split(kC, 1, {7, 40}), (std::vector<int>{-1, -1, 1}));
  EXPECT_EQ(draft.Split(kC, 2, {4, 5}), (std::vector<int>{-1, 3, 4}));
  EXPECT_EQ(draft.Extent(kC, 3), 2);
}

TEST(DraftTest, NamesLoopsByNode) {
  Draft draft = MatmulDraft();
  const auto i = draft.Split(kC, 0, {6});
  const auto j = draft.Split(kC, 1, {8});
  draft.Reorder(kC, {j[0], i[0], 2, i[1], -1, j[1]});
  draft.Unroll(kC, i[1]);
  draft.Vectorize(kC, j[1]);
  const int fused = draft.Fuse(kC, {j[0], i[0]});
  draft.Parallelize(kC, fused);
  EXPECT_EQ(LoopsOf(draft.Finish().value()),
            "C[24, 32] global:\n"
            "parallel j@i in 0..16\n"
            "  for k in 0..10  # reduction\n"
            "    unrolled i in 0..6\n"
            "      vector j in 0..8\n"
            "        i = i + j@i % 4 * 6\n"
            "        j = j + j@i // 4 * 8\n"
            "        C[i, j] = sum A[i, k] * B[k, j]\n");
}

TEST(DraftTest, DoesNothingWhereNothingIsAsked) {
  Draft draft = MatmulDraft();
  draft.Reorder(kC, {0, 1, 2});
  draft.Unroll(kC, -1);
  draft.Vectorize(kC, -1);
  EXPECT_EQ(draft.Fuse(kC, {1}), 1);
  EXPECT_EQ(draft.Finish().value().trace_size(), 0);
}

// In all detail every level is a loop, of one step if need be; lengths stop at the extent.
TEST(DraftTest, KeepsEveryLevelInAllDetail) {
  Draft plain = MatmulDraft();
  EXPECT_EQ(plain.SplitLevels(kC, 0, {1, 6}), (std::vector<int>{3, -1, 4}));
  Draft draft(MatmulDraft().state(), LoopDetail::kAll);
  EXPECT_EQ(draft.SplitLevels(kC, 0, {1, 6}), (std::vector<int>{3, 4, 5}));
  EXPECT_EQ(std::get<Split>(draft.state().step(0)).lengths, (std::vector<int64_t>{1, 6}));
  // 32 elements are one block of 8 tiles of 4, whatever more was asked for.
  EXPECT_EQ(draft.SplitLevels(kC, 1, {100, 4}), (std::vector<int>{6, 7, 8}));
  EXPECT_EQ(std::get<Split>(draft.state().step(1)).lengths, (std::vector<int64_t>{8, 4}));
}

// The first illegal step is the one that Finish tells of.
TEST(DraftTest, StopsAtTheFirstIllegalStep) {
  Draft draft = MatmulDraft();
  EXPECT_FALSE(draft.Try(Vectorize{{kC}, 2}));
  EXPECT_TRUE(draft.ok());
  draft.Parallelize(kC, 2);
  EXPECT_FALSE(draft.ok());
  EXPECT_FALSE(draft.Try(Split{{kC}, 0, {2}}));
  EXPECT_EQ(draft.Split(kC, 0, {2}), (std::vector<int>{-1, -1}));
  EXPECT_EQ(draft.Fuse(kC, {0, 1}), -1);
  draft.Reorder(kC, {1, 0, 2});
  draft.Unroll(kC, 77);
  draft.ComputeAt(kC, kC, 0);
  EXPECT_EQ(draft.state().trace_size(), 0);
  EXPECT_EQ(draft.Finish().error().message, RefusalOf(draft.state(), Parallel{{kC}, 2}));
}

}  // namespace
}  // namespace schedulegym
