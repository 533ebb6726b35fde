#include "spaces/schedulegym/open_plan.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

class OpenPlanTest : public testing::Test {
 protected:
  int KnobOf(const std::string& name) const {
    const std::vector<Knob> knobs = plan_.Knobs();
    for (size_t i = 0; i < knobs.size(); ++i) {
      if (knobs[i].name == name) return static_cast<int>(i);
    }
    ADD_FAILURE() << name;
    return 0;
  }
  OpenPoint Origin() const { return OpenPoint(plan_.Knobs().size(), std::optional<int>(0)); }

  WorkloadNest nest_{"matmul(m=96,n=96,k=64)", Avx512Target(), "C"};
  SketchCache sketch_cache_{nest_.state.shared_task(), {}};
  OpenPlan plan_{nest_.state.task(), FindSkeletons(sketch_cache_, 64).front(), {}};
};

TEST_F(OpenPlanTest, TheOriginIsPlain) {
  EXPECT_EQ(plan_.Tile(nest_.state, nest_.facts, Origin(), PlainTile(nest_.facts)),
            PlainTile(nest_.facts));
}

TEST_F(OpenPlanTest, WhatIsOpenIsAsDrawn) {
  TilePlan drawn = PlainTile(nest_.facts);
  drawn.tile.size = {7, 3, 1};
  drawn.levels[2].block = 24;  // not a value of the knob
  drawn.unroll_step = 64;
  OpenPoint fixed = Origin();
  for (const char* name : {"C: dimension 0, tile", "C: dimension 2, block", "C: unroll step"}) {
    fixed[KnobOf(name)].reset();
  }
  const TilePlan plan = plan_.Tile(nest_.state, nest_.facts, fixed, drawn);
  EXPECT_EQ(plan.tile.size, (std::vector<int64_t>{7, 1, 1}));
  EXPECT_EQ(plan.levels[2].block, 24);
  EXPECT_EQ(plan.unroll_step, 64);
}

// The structure has its vectors along the columns.
TEST_F(OpenPlanTest, VectorsLieWhereTheStructureHasThem) {
  TilePlan drawn = PlainTile(nest_.facts);
  drawn.tile.vector = 0;
  drawn.tile.lanes = 16;
  OpenPoint fixed = Origin();
  fixed[KnobOf("C: vector")].reset();
  const TilePlan plan = plan_.Tile(nest_.state, nest_.facts, fixed, drawn);
  EXPECT_EQ(plan.tile.vector, 1);
  EXPECT_EQ(plan.tile.lanes, 16);
}

TEST_F(OpenPlanTest, WhatItMakesItReads) {
  OpenPoint fixed = Origin();
  fixed[KnobOf("C: dimension 1, tile")] = 2;
  fixed[KnobOf("C: dimension 2, block")] = 3;
  fixed[KnobOf("C: order")] = 1;
  fixed[KnobOf("C: parallel loops")] = 1;
  const TilePlan plan = plan_.Tile(nest_.state, nest_.facts, fixed, PlainTile(nest_.facts));
  KnobPoint point(fixed.size());
  ASSERT_TRUE(plan_.ReadTile(nest_.facts, plan, point));
  for (size_t i = 0; i < fixed.size(); ++i) EXPECT_EQ(point[i], *fixed[i]) << i;
}

// A length becomes the least value of the knob that is not smaller; other knobs need exact values.
TEST_F(OpenPlanTest, LengthsMayBeCutAndOthersNot) {
  TilePlan plan = PlainTile(nest_.facts);
  plan.levels[0].middle = 6;  // of 8, cut to the loop
  KnobPoint point(plan_.Knobs().size());
  ASSERT_TRUE(plan_.ReadTile(nest_.facts, plan, point));
  EXPECT_EQ(point[KnobOf("C: dimension 0, tiles in a block")], 3);
  plan.unroll_step = 32;
  EXPECT_FALSE(plan_.ReadTile(nest_.facts, plan, point));
}

TEST_F(OpenPlanTest, StagesWithoutKnobsArePlain) {
  EXPECT_EQ(plan_.Depth(99, Origin(), 3), 0);
  EXPECT_EQ(plan_.Map(99, Origin(), {.vector = 8}).vector, 1);
  KnobPoint point(plan_.Knobs().size());
  EXPECT_TRUE(plan_.ReadDepth(99, 3, point));
}

}  // namespace
}  // namespace schedulegym
