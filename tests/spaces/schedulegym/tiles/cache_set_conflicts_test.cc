#include "spaces/schedulegym/tiles/heuristic_tile.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

// Y of a depthwise convolution with a tile of `size` pixels in a row, whole vectors along channels.
struct Nest : WorkloadNest {
  explicit Nest(const std::string& workload, int64_t size = 7)
      : WorkloadNest(workload, Avx2Target(), "Y") {
    plan = PlanOf(facts, {.vector = 3, .lanes = 8, .size = {1, 1, size, 1, 1, 1}}, {0, 3, 1, 2});
    plan.reductions = facts.Reductions();
    plan.parallel = 2;
  }

  std::optional<int> Copy() const { return CopyWith(Avx2Target()); }

  std::optional<int> CopyWith(const Target& target) const {
    return CopyForCacheSetConflicts(facts, plan, state.Find("P"), target);
  }

  TilePlan plan;
};

constexpr char kPages[] = "depthwise(h=9,w=9,c=1024,k=3)";

TEST(CacheSetConflictsTest, PixelsOfAPageAreCopied) { EXPECT_EQ(Nest(kPages).Copy(), 0); }

// Distances of a page and a line; eight of these; the same number, each read once.
TEST(CacheSetConflictsTest, OthersAreNot) {
  EXPECT_EQ(Nest("depthwise(h=9,w=9,c=1040,k=3)").Copy(), std::nullopt);
  EXPECT_EQ(Nest("depthwise(h=9,w=9,c=64,k=3)").Copy(), std::nullopt);
  EXPECT_EQ(Nest("depthwise(h=7,w=7,c=1024,k=1)").Copy(), std::nullopt);
  EXPECT_EQ(Nest("depthwise(h=16,w=16,c=1024,k=3,s=3)", 5).Copy(), std::nullopt);
  EXPECT_EQ(CopyForCacheSetConflicts(Nest(kPages).facts, Nest(kPages).plan, 99, Avx2Target()),
            std::nullopt);
}

// A cache with this many more pages keeps them.
TEST(CacheSetConflictsTest, AWiderCacheKeepsThem) {
  const Nest nest(kPages);
  Target target = Avx2Target();
  target.l1_bytes = 27 * 4096;
  EXPECT_EQ(nest.CopyWith(target), std::nullopt);
  target.l1_bytes -= 4096;
  EXPECT_EQ(nest.CopyWith(target), 0);
}

// At the loop over panels, in any order; none inside loops over pixels, whose windows overlap.
TEST(CacheSetConflictsTest, PanelsAreCopiedAtTheirLoop) {
  Nest nest(kPages);
  nest.plan.parallel = 1;
  EXPECT_EQ(nest.Copy(), 1);
  nest.plan.parallel = 0;
  EXPECT_EQ(nest.Copy(), 1);
  nest.plan.outer = {3, 0, 1, 2};
  EXPECT_EQ(nest.Copy(), 0);
  nest.plan.outer = {0, 1, 3, 2};
  EXPECT_EQ(nest.Copy(), std::nullopt);
}

TEST(CacheSetConflictsTest, TheHeuristicCopiesThem) {
  const auto packs = [](const std::string& workload) {
    const WorkloadNest nest(workload, Avx2Target(), "Y");
    return HeuristicTile(nest.state, nest.facts).packs.size();
  };
  EXPECT_EQ(packs(kPages), 2u);  // and the weights
  EXPECT_EQ(packs("depthwise(h=16,w=16,c=64,k=3)"), 1u);
}

}  // namespace
}  // namespace schedulegym
