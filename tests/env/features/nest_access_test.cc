#include "env/features/nest_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/features/loop_nests.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Kind = OperationKind;
using ::testing::ElementsAre;

constexpr char kMatmul[] =
    "input A[4, 16]\ninput B[16, 20]\nC[i:4, j:20] = sum(k:16) A[i, k] * B[k, j]\n";
constexpr char kPack[] = "pack(stage=B, readers=[C], tile=[1, 8], order=[1, 0, 2])\n";

LoopNest NestOf(const ScheduleState& state, const char* stage) {
  for (const LoopNest& nest : FindLoopNests(state).nests) {
    if (nest.stage == state.Find(stage)) return nest;
  }
  return {};
}

const NestAccess& ReadOf(const LoopNest& nest, const ScheduleState& state, const char* buffer) {
  for (const NestAccess& access : nest.accesses) {
    if (access.buffer == state.Find(buffer)) return access;
  }
  return nest.accesses[0];
}

// 20 columns in blocks of 8: three blocks, each of 16 rows of 8.
TEST(StoredDimensionsTest, OfPackedBuffers) {
  const ScheduleState state = StateAfter(kMatmul, kPack);
  const StageOp& op = *state.stage(state.Find("B.pack")).op;
  const std::vector<StoredDimension> dimensions = StoredDimensions(op);
  ASSERT_EQ(dimensions.size(), 3u);
  EXPECT_EQ(dimensions[0].extent, 3);
  EXPECT_EQ(dimensions[0].tensor_dimension, 1);
  EXPECT_EQ(dimensions[1].extent, 16);
  EXPECT_EQ(dimensions[2].extent, 8);
  const std::vector<int64_t> region = {16, 20};
  EXPECT_EQ(StoredElements(op, region), 3 * 16 * 8);
}

// C's loops are i, j, k. B.pack[j // 8, k, j % 8]: k steps over 8 elements, j by one.
TEST(NestAccessTest, PackedStrides) {
  const ScheduleState state = StateAfter(kMatmul, kPack);
  const LoopNest nest = NestOf(state, "C");
  const NestAccess& read = ReadOf(nest, state, "B.pack");
  EXPECT_THAT(read.strides, ElementsAre(0, 1, 8));
  // All blocks with their padding; the elements of one column.
  EXPECT_THAT(read.touched, ElementsAre(3 * 16 * 8, 3 * 16 * 8, 16));
  EXPECT_EQ(read.contiguous, 8);
  // j // 8 and j % 8 are a division each.
  EXPECT_EQ(nest.operations[Kind::kIntegerDivide], 2);
}

// Loops step through the blocks: B.pack[j.0, k, j.1] needs no arithmetic except A's.
TEST(NestAccessTest, LoopsOverWholeTiles) {
  const ScheduleState state =
      StateAfter("input A[4, 16]\ninput B[16, 24]\nC[i:4, j:24] = sum(k:16) A[i, k] * B[k, j]\n",
                 std::string(kPack) + "split(stage=C, loop=1, lengths=[8])");
  const LoopNest nest = NestOf(state, "C");
  const NestAccess& read = ReadOf(nest, state, "B.pack");
  EXPECT_THAT(read.strides, ElementsAre(0, 16 * 8, 1, 8));
  EXPECT_THAT(read.touched, ElementsAre(384, 384, 128, 16));
  EXPECT_EQ(nest.operations[Kind::kIntegerDivide], 0);
  EXPECT_EQ(nest.operations[Kind::kIntegerMultiply], 0);
}

// 64 rows of 16 floats, of which a page holds 1024: rows of a page lie all at one place, rows
// of 1.25 pages come round after four, of 1.5 pages after two.
TEST(NestAccessTest, LayersOfPages) {
  const auto layers = [](const std::string& extents) {
    const ScheduleState state =
        StateAfter("input A[" + extents + "]\nD[j:16] = sum(i:64) A[i, j]\n",
                   "reorder(stage=D, order=[1, 0])");
    const LoopNest nest = NestOf(state, "D");
    return ReadOf(nest, state, "A").page_layers;
  };
  EXPECT_THAT(layers("64, 1024"), ElementsAre(64, 1));
  EXPECT_THAT(layers("64, 1280"), ElementsAre(16, 1));
  EXPECT_THAT(layers("64, 1536"), ElementsAre(32, 1));
  EXPECT_THAT(layers("64, 1040"), ElementsAre(1, 1));
  EXPECT_THAT(layers("64, 16"), ElementsAre(1, 1));
}

// X[y, x, c]: x is a page further, y eight pages; the padding around the image does not count.
TEST(NestAccessTest, LayersOfImages) {
  const ScheduleState state = StateAfter(
      "input X[8, 8, 1024]\n"
      "D[c:32] = sum(y:10, x:10) select(y >= 1 && y < 9 && x >= 1 && x < 9, X[y - 1, x - 1, c], "
      "0)\n",
      "");
  const LoopNest nest = NestOf(state, "D");
  EXPECT_THAT(ReadOf(nest, state, "X").page_layers, ElementsAre(64, 64, 8));
}

TEST(NestAccessTest, DiagonalsAndWindows) {
  const ScheduleState state =
      StateAfter("input A[19, 8]\nD[i:8] = sum(r:3, c:4) A[i * 2 + r, c * 2 + 1]\n", "");
  const LoopNest nest = NestOf(state, "D");
  const NestAccess& read = ReadOf(nest, state, "A");
  // Columns 1 to 7 in steps of two; rows 2 apart for i, next to each other for r.
  EXPECT_THAT(read.strides, ElementsAre(16, 8, 2));
  EXPECT_THAT(read.touched, ElementsAre(17 * 7, 3 * 7, 7));
  EXPECT_EQ(read.contiguous, 1);
  EXPECT_EQ(nest.operations[Kind::kIntegerMultiply], 2);
  EXPECT_EQ(nest.operations[Kind::kIntegerAdd], 2);
}

// Like in a transposed convolution: (i + 3 - r) // 2 stays as written.
TEST(NestAccessTest, RoundedIndices) {
  const ScheduleState state =
      StateAfter("input A[10]\nD[i:16] = sum(r:4) A[(i + 3 - r) // 2]\n", "");
  const LoopNest nest = NestOf(state, "D");
  const NestAccess& read = ReadOf(nest, state, "A");
  EXPECT_THAT(read.strides, ElementsAre(1, 1));
  // (0 .. 18) // 2 are ten values; with i = 0, (0 .. 3) // 2 two.
  EXPECT_THAT(read.touched, ElementsAre(10, 2));
  EXPECT_EQ(nest.operations[Kind::kIntegerDivide], 1);
  EXPECT_EQ(nest.operations[Kind::kIntegerAdd], 2);
}

}  // namespace
}  // namespace schedulegym
