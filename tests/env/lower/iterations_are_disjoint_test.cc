#include "env/lower/iterations_are_disjoint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "env/base/rng.h"
#include "tests/env/lower/made_facts.h"
#include "tests/env/program/index_expressions.h"

namespace schedulegym {
namespace {

constexpr int kVariables = 6;

BufferAccess Store(std::vector<Expr> indices, std::vector<Fact> facts) {
  return {0, true, std::move(indices), std::move(facts)};
}
BufferAccess Load(std::vector<Expr> indices, std::vector<Fact> facts) {
  return {0, false, std::move(indices), std::move(facts)};
}
bool AreApart(const std::vector<BufferAccess>& accesses, size_t loop = 0, int64_t work = 100'000) {
  return IterationsAreDisjoint(accesses, loop, kVariables, work);
}

TEST(IterationsAreDisjointTest, IterationsWithCellsOfTheirOwn) {
  EXPECT_TRUE(AreApart({Store({V(0)}, {RangeFact(0, 8)})}));
  EXPECT_FALSE(AreApart({Store({N(3)}, {RangeFact(0, 8)})}));
  EXPECT_TRUE(AreApart({Store({N(3)}, {RangeFact(0, 1)})}));
  EXPECT_FALSE(
      AreApart({Store({V(0)}, {RangeFact(0, 8)}), Load({V(0) + N(1)}, {RangeFact(0, 8)})}));
  EXPECT_TRUE(AreApart({Store({V(0)}, {RangeFact(0, 8)}), Load({V(0) + N(8)}, {RangeFact(0, 8)})}));
}

TEST(IterationsAreDisjointTest, ReadingMakesNoOneMeet) {
  EXPECT_TRUE(AreApart({Store({V(0)}, {RangeFact(0, 8)}), Load({N(9)}, {RangeFact(0, 8)})}));
  EXPECT_FALSE(AreApart({Store({V(0)}, {RangeFact(0, 8)}), Load({N(7)}, {RangeFact(0, 8)})}));
}

// Blocks of 16: three steps of 6 cover 18, and a condition leaves out the last two.
TEST(IterationsAreDisjointTest, BlocksThatOverlapButForACondition) {
  const Expr within = V(1) + V(2) * N(6);
  const auto store = [&](int64_t most) {
    return std::vector{
        Store({V(0) * N(16) + within},
              {RangeFact(0, 8), RangeFact(1, 6), RangeFact(2, 3), True(Less(within, N(most)))})};
  };
  EXPECT_TRUE(AreApart(store(16)));
  EXPECT_FALSE(AreApart(store(17)));
}

// An outer variable proves disjointness only if it has the same value in both iterations.
TEST(IterationsAreDisjointTest, WhatIsAroundIsTheSameForAll) {
  const std::vector<Fact> facts = {RangeFact(3, 4), RangeFact(0, 4)};
  EXPECT_TRUE(AreApart({Store({V(3) + V(0)}, facts)}, 1));
  EXPECT_FALSE(AreApart({Store({V(3)}, facts)}, 1));
  const std::vector<Fact> once = {RangeFact(3, 4), RangeFact(0, 4), True(Less(V(3), N(0)))};
  EXPECT_TRUE(AreApart({Store({V(3)}, once)}, 1));  // no iteration stores
}

// Only one iteration stores at all, in a dimension that does not depend on the loop.
TEST(IterationsAreDisjointTest, IterationsThatDoNothing) {
  const auto store = [](int64_t most) {
    return std::vector{
        Store({V(1)}, {RangeFact(0, 4), True(Less(V(0), N(most))), RangeFact(1, 8)})};
  };
  EXPECT_TRUE(AreApart(store(1)));
  EXPECT_FALSE(AreApart(store(2)));
}

// Row and column of a fused loop: one dimension alone is not enough.
TEST(IterationsAreDisjointTest, DimensionsTogether) {
  const Expr row = Binary(Op::kFloorDivide, V(0), N(8)), column = Binary(Op::kModulo, V(0), N(8));
  const std::vector<Fact> facts = {RangeFact(0, 64), RangeFact(1, 8), ValueFact(1, row),
                                   RangeFact(2, 8), ValueFact(2, column)};
  EXPECT_TRUE(AreApart({Store({V(1), V(2)}, facts)}));
  EXPECT_FALSE(AreApart({Store({V(1), N(0)}, facts)}));
  EXPECT_FALSE(AreApart({Store({V(1), Binary(Op::kFloorDivide, V(2), N(2))}, facts)}));
  // The rows are enumerated, not all 64 iterations for each of the 32 blocks.
  std::vector<Fact> blocks = facts;
  blocks.push_back(RangeFact(4, 32));
  EXPECT_TRUE(AreApart({Store({V(1) * N(32) + V(4), V(2)}, blocks)}, 0, 3000));
}

TEST(IterationsAreDisjointTest, WithoutWorkNothingIsShown) {
  EXPECT_FALSE(AreApart({Store({V(0)}, {RangeFact(0, 8)})}, 0, 8));
  const Expr datum = Cast(DType::kIndex, Read(DType::kF32, 1, {V(0)}));
  EXPECT_FALSE(AreApart({Store({datum}, {RangeFact(0, 8)})}));
}

struct Touch {
  std::set<int64_t> stores, loads;  // iterations
};

bool DoMeet(const Touch& cell) {
  std::set<int64_t> all = cell.stores;
  all.insert(cell.loads.begin(), cell.loads.end());
  return !cell.stores.empty() && all.size() > 1;
}

// Compares two random accesses, each under a random condition, with all points. Facts about no
// index are left out, so some disjoint accesses seem to meet.
TEST(IterationsAreDisjointTest, AgreesWithEnumeration) {
  Rng rng(17);
  int apart = 0, shown = 0, meeting = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::vector<int64_t> extents = {1 + rng.Below(3), 2 + rng.Below(4), 1 + rng.Below(4)};
    const auto dimensions = static_cast<size_t>(1 + rng.Below(2));
    std::vector<BufferAccess> accesses;
    std::map<Point, Touch> cells;
    for (const bool is_store : {true, false}) {
      const Expr condition = RandomCondition(rng, 3, 1);
      const std::vector<Fact> facts = {RangeFact(0, extents[0]), RangeFact(1, extents[1]),
                                       RangeFact(2, extents[2]), True(condition)};
      std::vector<Expr> indices;
      for (size_t d = 0; d < dimensions; ++d) indices.push_back(RandomIndex(rng, 3, 2));
      accesses.push_back({0, is_store, indices, facts});
      ForEachPoint({0, 0, 0}, {extents[0] - 1, extents[1] - 1, extents[2] - 1},
                   [&](const std::vector<int64_t>& point) {
                     if (Evaluate(condition, point) == 0) return;
                     Point cell = {point[0]};  // variable 0 is outside of the loop
                     for (const Expr& index : indices) cell.push_back(Evaluate(index, point));
                     Touch& touch = cells[cell];
                     (is_store ? touch.stores : touch.loads).insert(point[1]);
                   });
    }
    const bool meet = std::ranges::any_of(cells, [](const auto& c) { return DoMeet(c.second); });
    const bool is_shown = AreApart(accesses, 1);
    ASSERT_FALSE(meet && is_shown) << trial;
    meeting += meet ? 1 : 0;
    apart += meet ? 0 : 1;
    shown += is_shown ? 1 : 0;
  }
  EXPECT_GT(meeting, 200);
  EXPECT_GT(apart, 200);
  EXPECT_GT(shown, apart * 98 / 100) << shown << " of " << apart;
}

}  // namespace
}  // namespace schedulegym
