#include "env/gym/observations/loop_strides.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using Strides = std::vector<std::optional<int64_t>>;

constexpr char kMatmul[] =
    "input A[4, 16]\ninput B[16, 8]\n"
    "C[i:4, j:8] = sum(k:16) A[i, k] * B[k, j]\n";

// One row for each access: the store first, then the reads.
std::vector<Strides> StridesOf(const ScheduleState& state, const char* stage) {
  const LoopStructure structure = InferLoops(state);
  std::vector<Strides> all;
  for (const StructureStage& entry : structure.stages) {
    if (entry.stage != state.Find(stage)) continue;
    for (AccessStrides& access : LoopStrides(state, structure, entry)) {
      all.push_back(std::move(access.by_loop));
    }
  }
  return all;
}

std::vector<Strides> MatmulStrides(const char* steps) {
  return StridesOf(StateAfter(kMatmul, steps), "C");
}

TEST(LoopStridesTest, OfPlainLoopsAreThoseOfRowMajorBuffers) {
  EXPECT_THAT(MatmulStrides(""),
              ElementsAre(Strides{8, 1, 0}, Strides{16, 0, 1}, Strides{0, 1, 8}));
}

TEST(LoopStridesTest, NameTheBuffersInOrderOfAppearance) {
  const ScheduleState state = StateAfter(kMatmul, "");
  const LoopStructure structure = InferLoops(state);
  const auto accesses = LoopStrides(state, structure, structure.stages.at(0));
  ASSERT_EQ(accesses.size(), 3u);
  EXPECT_EQ(accesses[0].stage, state.Find("C"));
  EXPECT_EQ(accesses[1].stage, state.Find("A"));
  EXPECT_EQ(accesses[2].stage, state.Find("B"));
}

TEST(LoopStridesTest, OuterPartsOfSplitsStepOverTheInnerOnes) {
  // i, j of 2, 2 and 2, k.
  EXPECT_THAT(MatmulStrides("split(stage=C, loop=1, lengths=[2, 2])\n"),
              ElementsAre(Strides{8, 4, 2, 1, 0}, Strides{16, 0, 0, 0, 1}, Strides{0, 4, 2, 1, 8}));
  // k of 3 and ceil(16 / 3) = 6.
  EXPECT_THAT(MatmulStrides("split(stage=C, loop=2, lengths=[3], inner_to_outer=false)\n"),
              ElementsAre(Strides{8, 1, 0, 0}, Strides{16, 0, 6, 1}, Strides{0, 1, 48, 8}));
}

TEST(LoopStridesTest, FusedLoopsStepAsTheirInnermostPart) {
  EXPECT_THAT(MatmulStrides("fuse(stage=C, loops=[0, 1])\n"),
              ElementsAre(Strides{1, 0}, Strides{0, 1}, Strides{1, 8}));
}

// i, j of 1 and 8: only i moves with the fused loop.
TEST(LoopStridesTest, PartsOfOneStepDoNotMove) {
  EXPECT_THAT(MatmulStrides("split(stage=C, loop=1, lengths=[8])\nfuse(stage=C, loops=[0, 1])\n"),
              ElementsAre(Strides{8, 1, 0}, Strides{16, 0, 1}, Strides{0, 1, 8}));
}

// 32 steps of i and j in 2 parts of 16: the outer one moves i by 2.
TEST(LoopStridesTest, PartsOfFusedLoopsStepOverWholeRows) {
  EXPECT_THAT(MatmulStrides("fuse(stage=C, loops=[0, 1])\nsplit(stage=C, loop=0, lengths=[16])\n"),
              ElementsAre(Strides{16, 1, 0}, Strides{32, 0, 1}, Strides{0, 1, 8}));
}

// B as [j // 4, k, j % 4]: 2 * 16 * 4.
TEST(LoopStridesTest, OfPackedBuffersAreThoseOfTheirLayout) {
  const ScheduleState state =
      StateAfter(kMatmul,
                 "pack(stage=B, readers=[C], tile=[1, 4], order=[1, 0, 2])\n"
                 "split(stage=C, loop=1, lengths=[4])\n");
  EXPECT_THAT(StridesOf(state, "C"),
              ElementsAre(Strides{8, 4, 1, 0}, Strides{16, 0, 0, 1}, Strides{0, 64, 1, 4}));
  const auto copy = StridesOf(state, state.Names().back().c_str());
  ASSERT_EQ(copy.size(), 2u);
  EXPECT_EQ(copy[0], (Strides{4, 1}));  // over k and j, tiles not split
  EXPECT_EQ(copy[1], (Strides{8, 1}));
}

TEST(LoopStridesTest, FollowTheCoefficientsOfConvolutions) {
  const ScheduleState state = StateAfter(
      "input I[3, 15]\ninput W[3, 3]\n"
      "O[x:7] = sum(c:3, r:3) I[c, 2 * x + r] * W[c, r]\n",
      "");
  EXPECT_THAT(StridesOf(state, "O"),
              ElementsAre(Strides{1, 0, 0}, Strides{2, 15, 1}, Strides{0, 3, 1}));
}

TEST(LoopStridesTest, MayLeadBackAndAreUnknownOfOtherIndices) {
  const ScheduleState state = StateAfter("input X[8]\nY[i:8] = X[7 - i] + X[i // 2]\n", "");
  EXPECT_THAT(StridesOf(state, "Y"), ElementsAre(Strides{1}, Strides{-1}, Strides{std::nullopt}));
}

// Each step of i computes and reads the same 8 cells of P.
TEST(LoopStridesTest, BuffersWithinALoopAreTouchedAnew) {
  const ScheduleState state =
      StateAfter("input X[4, 8]\nP[i:4, j:8] = X[i, j] + 1\nD[i:4, j:8] = P[i, j] * 2\n",
                 "compute_at(stage=P, target=D, loop=0)\n");
  EXPECT_THAT(StridesOf(state, "D"), ElementsAre(Strides{8, 1}, Strides{0, 1}));
  const auto inner = StridesOf(state, "P");
  ASSERT_EQ(inner.size(), 2u);
  EXPECT_EQ(inner[0].back(), 1);
  EXPECT_EQ(inner[1].back(), 1);
}

// A region of 3 by 3 cells: rows of 3.
TEST(LoopStridesTest, BuffersWithinALoopHaveTheShapeOfTheirRegion) {
  const ScheduleState state = StateAfter(
      "input X[10, 10]\nP[i:10, j:10] = X[i, j] + 1\n"
      "D[i:8, j:8] = sum(a:3, b:3) P[i + a, j + b]\n",
      "compute_at(stage=P, target=D, loop=1)\n");
  EXPECT_THAT(StridesOf(state, "D"), ElementsAre(Strides{8, 1, 0, 0}, Strides{0, 0, 3, 1}));
  EXPECT_THAT(StridesOf(state, "P"), ElementsAre(Strides{3, 1}, Strides{10, 1}));
}

}  // namespace
}  // namespace schedulegym
