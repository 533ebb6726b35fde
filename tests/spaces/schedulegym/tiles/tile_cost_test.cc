#include "spaces/schedulegym/tiles/tile_cost.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

struct Nest : WorkloadNest {
  using WorkloadNest::WorkloadNest;

  TileSetting Whole(int64_t most_unrolled = 1) const {
    TileSetting setting{UnrolledReductions(facts, most_unrolled), {}};
    for (const NestDimension& dimension : facts.dimensions)
      setting.blocks.push_back(dimension.extent);
    return setting;
  }
  TileCost Cost() const { return TileCost(state, facts, Whole()); }
  RegisterTile Tile(int vector, int64_t lanes, std::vector<int64_t> size) const {
    return {vector, lanes, std::move(size)};
  }
};

TEST(RegisterTileTest, CountsVectors) { EXPECT_EQ((RegisterTile{1, 8, {6, 2, 1}}.Vectors()), 12); }

TEST(RegisterTileTest, UnrollsShortReductionsFromTheInside) {
  const Nest conv("conv2d(h=8,w=8,ci=3,co=8,k=5)", Avx2Target(), "Y");
  // r: 5, q: 6, c: 7 in order of dimensions b, y, x, o, r, q, c
  EXPECT_EQ(UnrolledReductions(conv.facts, 2), (std::vector<int>{}));
  EXPECT_EQ(UnrolledReductions(conv.facts, 3), (std::vector<int>{6}));
  EXPECT_EQ(UnrolledReductions(conv.facts, 15), (std::vector<int>{6, 5}));
  EXPECT_EQ(UnrolledReductions(conv.facts, 75), (std::vector<int>{6, 5, 4}));
}

// Only a plain tensor indexed by the axis itself can be laid out along it.
TEST(RegisterTileTest, KnowsWhatCanBePacked) {
  const Nest conv("conv2d(h=8,w=8,ci=3,co=8,k=3)", Avx2Target(), "Y");
  const Operand& padded = conv.facts.operands[0];
  const Operand& weight = conv.facts.operands[1];
  EXPECT_TRUE(CanPack(conv.state, conv.facts, weight, 3));
  EXPECT_FALSE(CanPack(conv.state, conv.facts, padded, 3));
  EXPECT_FALSE(CanPack(conv.state, conv.facts, padded, 2));
}

// No operand is reused: four vectors hide the latency of additions, all in one row.
TEST(TileCostTest, ReadsOneRowWhereNothingIsReused) {
  const ScheduleState state = ScheduleState::Initial(
      DagTask("input X[8, 2048, 64]\nS[i:8, j:64] = sum(k:2048) X[i, k, j]\n", Avx512Target()));
  const NestFacts facts = AnalyzeNest(state, 1);
  const RegisterTile tile = TileCost(state, facts, {{}, {8, 64, 2048}}).Best();
  EXPECT_EQ(tile.vector, 1);
  EXPECT_EQ(tile.size, (std::vector<int64_t>{1, 4, 1}));
}

// The classic kernels: 6 x 16 for 16 registers of 8 lanes; for 32 of 16, at least 24 accumulators.
TEST(TileCostTest, FindsTheTilesOfMatrixProducts) {
  const Nest avx2("matmul(m=960,n=960,k=512)", Avx2Target(), "C");
  const RegisterTile small = avx2.Cost().Best();
  EXPECT_EQ(small.vector, 1);
  EXPECT_EQ(small.lanes, 8);
  EXPECT_EQ(small.size, (std::vector<int64_t>{6, 2, 1}));
  const RegisterTile large = Nest("matmul(m=960,n=960,k=512)", Avx512Target(), "C").Cost().Best();
  EXPECT_EQ(large.vector, 1);
  EXPECT_EQ(large.lanes, 16);
  EXPECT_GE(large.Vectors(), 24);
  EXPECT_LE(large.Vectors(), 28);
}

// Fewer than eight accumulators stall: a step of a 4 x 1 tile takes as long as one of 8 x 1.
TEST(TileCostTest, SmallTilesWaitForLatency) {
  const Nest nest("matmul(m=960,n=960,k=512)", Avx2Target(), "C");
  const TileCost cost = nest.Cost();
  const double four = cost.Cycles(nest.Tile(1, 8, {4, 1, 1}));
  const double eight = cost.Cycles(nest.Tile(1, 8, {8, 1, 1}));
  EXPECT_GT(four, 1.5 * eight);
  EXPECT_LT(four, 2.5 * eight);
}

// 7 rows in tiles of 4 leave one of 3.
TEST(TileCostTest, TailsCostTheirOwnSize) {
  const Nest even("matmul(m=8,n=64,k=512)", Avx2Target(), "C");
  const Nest odd("matmul(m=7,n=64,k=512)", Avx2Target(), "C");
  const auto cycles = [](const Nest& nest, int64_t rows) {
    return nest.Cost().Cycles(nest.Tile(1, 8, {rows, 2, 1}));
  };
  EXPECT_LT(cycles(odd, 4), cycles(even, 4));
  EXPECT_GT(cycles(odd, 4), 0.8 * cycles(even, 4));
}

// Vectors along output channels read weights contiguously; vectors along pixels would gather.
TEST(TileCostTest, PrefersContiguousVectors) {
  const Nest nest("conv2d(h=16,w=16,ci=32,co=32,k=3)", Avx2Target(), "Y");
  EXPECT_EQ(nest.Cost().Best().vector, 3);
}

// Taps of a depthwise filter share pixels, which also need registers.
TEST(TileCostTest, LeavesRoomForSharedLoads) {
  const Nest nest("depthwise(h=16,w=16,c=32,k=3)", Avx2Target(), "Y");
  EXPECT_EQ(TileCost(nest.state, nest.facts, nest.Whole(1)).Room(1), 14);
  EXPECT_EQ(TileCost(nest.state, nest.facts, nest.Whole(9)).Room(1), 6);
  EXPECT_LE(TileCost(nest.state, nest.facts, nest.Whole(9)).Best().Vectors(), 7);
}

// 27 * 512 rows of 16 floats exceed the second-level cache; a third of them fit.
TEST(TileCostTest, BlocksPanelsThatFitNoCache) {
  const Nest nest("conv3d(d=16,h=7,w=7,ci=512,co=512,k=3,p=1)", Avx2Target(), "Y");
  TileSetting blocked = nest.Whole();
  blocked.blocks[5] = 1;
  const TileCost whole = nest.Cost(), parts(nest.state, nest.facts, blocked);
  EXPECT_LT(parts.Cycles(parts.Best()), 0.95 * whole.Cycles(whole.Best()));
}

// Packing an input has a cost; packing a weight of the same size has none.
TEST(TileCostTest, CountsThePackingOfInputs) {
  const auto cycles = [](const char* kind) {
    const std::string dag = "input A[32, 64]\n" + std::string(kind) +
                            " B[48, 64]\nC[i:32, j:48] = sum(k:64) A[i, k] * B[j, k]\n";
    const ScheduleState state = ScheduleState::Initial(DagTask(dag, Avx2Target()));
    const NestFacts facts = AnalyzeNest(state, 2);
    return TileCost(state, facts, {{}, {32, 48, 64}}).Cycles({1, 8, {6, 2, 1}});
  };
  EXPECT_NEAR(cycles("input") - cycles("weight"), 1.5 * 48 * 64, 1e-6);
}

}  // namespace
}  // namespace schedulegym
