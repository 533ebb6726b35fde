#include "spaces/schedulegym/tiles/tile_plan.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

struct Nest : ScheduleBuilderNest {
  using ScheduleBuilderNest::ScheduleBuilderNest;
  std::string Loops() const { return LoopsOf(builder.Finish().value()); }
};

constexpr char kMatmul[] =
    "input A[24, 40]\ninput B[40, 64]\nC[i:24, j:64] = sum(k:40) A[i, k] * B[k, j]\n";

TEST(TilePlanTest, MakesTheMicroKernel) {
  Nest nest(kMatmul, "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {1, 0});
  plan.parallel = 1;
  const TiledNest tiled = ApplyTile(nest.builder, nest.facts, plan);
  EXPECT_EQ(nest.Loops(),
            "C[24, 64] global:\n"
            "parallel j.0 in 0..4\n"
            "  for i.0 in 0..4\n"
            "    for k in 0..40  # reduction\n"
            "      unrolled i.1 in 0..6\n"
            "        unrolled j.1 in 0..2\n"
            "          vector j.2 in 0..8\n"
            "            i = i.0 * 6 + i.1\n"
            "            j = j.0 * 16 + j.1 * 8 + j.2\n"
            "            C[i, j] = sum A[i, k] * B[k, j]\n");
  EXPECT_EQ(tiled.outer.size(), 2u);
  EXPECT_EQ(tiled.loop_of, tiled.outer);
}

// Blocks of 2 x 4 tiles, the reduction in parts of 10.
TEST(TilePlanTest, MakesBlocks) {
  Nest nest(kMatmul, "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {3, 1, 1}}, {0, 1});
  plan.levels[0].middle = 2;
  plan.levels[1].middle = 4;
  plan.levels[2].block = 10;
  plan.unroll_step = 16;
  plan.parallel = 2;
  const TiledNest tiled = ApplyTile(nest.builder, nest.facts, plan);
  EXPECT_EQ(plan.BlockLength(0), 6);
  EXPECT_EQ(plan.BlockLength(1), 32);
  EXPECT_EQ(plan.OuterTrips(nest.facts, 0), 4);
  const std::string loops = nest.Loops();
  EXPECT_NE(loops.find("parallel i@j in 0..8\n"
                       "  for k.0 in 0..4  # reduction\n"
                       "    for i.0 in 0..2\n"
                       "      for j.0 in 0..4\n"
                       "        for k.1 in 0..10  # reduction\n"
                       "          unrolled i.1 in 0..3\n"
                       "            vector j.1 in 0..8\n"),
            std::string::npos)
      << loops;
  EXPECT_EQ(nest.builder.stage(nest.facts.stage).auto_unroll_max_step, 16);
  EXPECT_EQ(tiled.outer.size(), 1u);
  EXPECT_EQ(tiled.loop_of[0], tiled.loop_of[1]);
}

// With one outer loop inside of the blocks, a panel of B stays during the loop over i.
TEST(TilePlanTest, MovesLoopsInsideBlocks) {
  Nest nest(kMatmul, "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {1, 0});
  plan.levels[2].block = 1;
  plan.inside = 1;
  ApplyTile(nest.builder, nest.facts, plan);
  const std::string loops = nest.Loops();
  const size_t j = loops.find("for j.0"), k = loops.find("for k"), i = loops.find("for i.0");
  EXPECT_LT(j, k);
  EXPECT_LT(k, i);
}

// The reduction is computed in the blocks of its reader.
TEST(TilePlanTest, FusesWithTheReader) {
  Nest nest(std::string(kMatmul) + "D[i:24, j:64] = max(C[i, j], 0)\n", "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {0, 1});
  plan.parallel = 1;
  ApplyFusedTile(nest.builder, nest.facts, plan, nest.builder.state().Find("D"));
  EXPECT_EQ(nest.Loops(),
            "D[24, 64] global:\n"
            "parallel i.0 in 0..4\n"
            "  for j.0 in 0..4\n"
            "    C[6, 16] global:\n"
            "    for i.0 in 0..1\n"
            "      for j.0 in 0..1\n"
            "        for k in 0..40  # reduction\n"
            "          unrolled i.1 in 0..6\n"
            "            unrolled j.1 in 0..2\n"
            "              vector j.2 in 0..8\n"
            "                i = i.1\n"
            "                j = j.1 * 8 + j.2\n"
            "                C[i, j] = sum A[i, k] * B[k, j]\n"
            "    for i.1 in 0..6\n"
            "      for j.1 in 0..16\n"
            "        i = i.0 * 6 + i.1\n"
            "        j = j.0 * 16 + j.1\n"
            "        D[i, j] = max(C[i, j], 0)\n");
}

// Parities are unrolled inside the parallel loop, around the pixels.
TEST(TilePlanTest, UnrollsWhatDecides) {
  const auto task = WorkloadTask("conv2d_transpose(h=4,w=4,ci=8,co=16,k=4,s=2,p=1)", Avx2Target());
  ScheduleBuilder builder(ScheduleState::Initial(task));
  const NestFacts facts = AnalyzeNest(builder.state(), builder.state().Find("Y"));
  TilePlan plan = PlanOf(facts, {5, 8, {1, 1, 1, 4, 1, 1, 1, 1, 1}}, {5, 0, 1, 3});
  plan.parallel = 1;
  ApplyTile(builder, facts, plan);
  const Stage& stage = builder.stage(facts.stage);
  ASSERT_TRUE(builder.ok());
  std::string annotations;
  for (const StageLoop& loop : stage.loops) {
    annotations += AnnotationName(loop.annotation)[0];
    annotations += std::to_string(stage.nodes[loop.node].extent) + " ";
  }
  // o.0, y % 2, x % 2, b, y // 2, r, q, c, x // 2, o.1
  EXPECT_EQ(annotations, "p2 u2 u2 f1 f4 f4 f4 f8 u4 v8 ");
}

}  // namespace
}  // namespace schedulegym
