#include "spaces/tile_plan.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// A plan without anything but a register tile.
TilePlan PlanOf(const NestFacts& facts, RegisterTile tile, std::vector<int> outer) {
  TilePlan plan;
  plan.tile = std::move(tile);
  plan.levels.resize(facts.dimensions.size());
  plan.outer = std::move(outer);
  plan.reductions = facts.Reductions();
  return plan;
}

struct Nest {
  Draft draft;
  NestFacts facts;

  Nest(const std::string& dag, const std::string& stage)
      : draft(ScheduleState::Initial(DagTask(dag, Avx2Target()))),
        facts(AnalyzeNest(draft.state(), draft.state().Find(stage))) {}
  std::string Loops() const { return LoopsOf(draft.Finish().value()); }
};

constexpr char kMatmul[] =
    "input A[24, 40]\ninput B[40, 64]\nC[i:24, j:64] = sum(k:40) A[i, k] * B[k, j]\n";

TEST(TilePlanTest, MakesTheMicroKernel) {
  Nest nest(kMatmul, "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {1, 0});
  plan.parallel = 1;
  const TiledNest tiled = ApplyTile(nest.draft, nest.facts, plan);
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
  const TiledNest tiled = ApplyTile(nest.draft, nest.facts, plan);
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
  EXPECT_EQ(nest.draft.stage(nest.facts.stage).auto_unroll_max_step, 16);
  EXPECT_EQ(tiled.outer.size(), 1u);
  EXPECT_EQ(tiled.loop_of[0], tiled.loop_of[1]);
}

// With one outer loop inside of the blocks, a panel of B stays while i runs.
TEST(TilePlanTest, MovesLoopsInsideBlocks) {
  Nest nest(kMatmul, "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {1, 0});
  plan.levels[2].block = 1;
  plan.inside = 1;
  ApplyTile(nest.draft, nest.facts, plan);
  const std::string loops = nest.Loops();
  const size_t j = loops.find("for j.0"), k = loops.find("for k"), i = loops.find("for i.0");
  EXPECT_LT(j, k);
  EXPECT_LT(k, i);
}

// The reduction is computed within the blocks of the stage that reads it.
TEST(TilePlanTest, FusesWithTheReader) {
  Nest nest(std::string(kMatmul) + "D[i:24, j:64] = max(C[i, j], 0)\n", "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {0, 1});
  plan.parallel = 1;
  ApplyFusedTile(nest.draft, nest.facts, plan, nest.draft.state().Find("D"));
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

// Parities stand unrolled within the parallel loop, around the pixels.
TEST(TilePlanTest, UnrollsWhatDecides) {
  const auto task = WorkloadTask("conv2d_transpose(h=4,w=4,ci=8,co=16,k=4,s=2,p=1)", Avx2Target());
  Draft draft(ScheduleState::Initial(task));
  const NestFacts facts = AnalyzeNest(draft.state(), draft.state().Find("Y"));
  TilePlan plan = PlanOf(facts, {5, 8, {1, 1, 1, 4, 1, 1, 1, 1, 1}}, {5, 0, 1, 3});
  plan.parallel = 1;
  ApplyTile(draft, facts, plan);
  const Stage& stage = draft.stage(facts.stage);
  ASSERT_TRUE(draft.ok());
  std::string annotations;
  for (const StageLoop& loop : stage.loops) {
    annotations += AnnotationName(loop.annotation)[0];
    annotations += std::to_string(stage.nodes[loop.node].extent) + " ";
  }
  // o.0, y % 2, x % 2, b, y // 2, r, q, c, x // 2, o.1
  EXPECT_EQ(annotations, "p2 u2 u2 f1 f4 f4 f4 f8 u4 v8 ");
}

class PackingTest : public testing::Test {
 protected:
  // The layout of the packed copy of a stage, "[tile] [order] / readers' loops of the copy".
  static std::string Layout(const ScheduleState& state, const std::string& name) {
    const int id = state.Find(name);
    if (id < 0) return "none";
    std::string text;
    for (int64_t tile : state.stage(id).op->layout.tile) text += std::to_string(tile) + " ";
    text += "/";
    for (int dimension : state.stage(id).op->layout.order) text += " " + std::to_string(dimension);
    return text;
  }
  static ScheduleState Packed(Nest& nest, const TilePlan& plan) {
    ApplyPacks(nest.draft, nest.facts, plan, ApplyTile(nest.draft, nest.facts, plan));
    return nest.draft.Finish().value();
  }
};

TEST_F(PackingTest, LaysPanelsOut) {
  Nest nest(kMatmul, "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {1, 0});
  plan.packs = {{1, 1, 16, -1}, {0, 0, 6, -1}};
  const ScheduleState state = Packed(nest, plan);
  EXPECT_EQ(Layout(state, "B.pack"), "1 16 / 1 0 2");  // [j // 16][k][j % 16]
  EXPECT_EQ(Layout(state, "A.pack"), "6 1 / 0 2 1");   // [i // 6][k][i % 6]
  const Stage& pack = state.stage(state.Find("B.pack"));
  EXPECT_EQ(pack.loops.back().annotation, Annotation::kVectorize);
  EXPECT_EQ(pack.location, Location::kRoot);
}

// Capsules: what the tile runs along besides the vectors stands just outside of the lanes.
TEST_F(PackingTest, PutsRegistersNextToLanes) {
  Nest nest(
      "input X[9, 4]\nweight W[9, 32, 4, 4]\n"
      "Y[o:32, i:4, j:4] = sum(r:9, t:4) X[r, t] * W[r, o, t, j]\n",
      "Y");
  // o, i, j, r, t; vectors along o, j in registers
  TilePlan plan = PlanOf(nest.facts, {0, 8, {2, 1, 4, 1, 1}}, {0, 1, 2});
  plan.packs = {{1, 0, 16, -1}};
  // r, o // 16, o % 16, t, j -> o // 16, r, t, j, o % 16
  EXPECT_EQ(Layout(Packed(nest, plan), "W.pack"), "1 16 1 1 / 1 0 3 4 2");
}

TEST_F(PackingTest, PacksAtALoop) {
  Nest nest(kMatmul, "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {1, 0});
  plan.packs = {{1, 1, 16, 0}};
  const ScheduleState state = Packed(nest, plan);
  const Stage& pack = state.stage(state.Find("B.pack"));
  EXPECT_EQ(pack.location, Location::kAt);
  EXPECT_EQ(state.stage(pack.target).FindLoop(pack.target_node), 0);
}

// A panel as wide as the tensor only turns it.
TEST_F(PackingTest, TurnsTransposedOperands) {
  Nest nest("input A[24, 40]\ninput B[16, 40]\nC[i:24, j:16] = sum(k:40) A[i, k] * B[j, k]\n", "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {0, 1});
  plan.packs = {{1, 1, 64, -1}};
  EXPECT_EQ(Layout(Packed(nest, plan), "B.pack"), "16 1 / 0 2 1");
}

// What reads through an inlined stage reads the copy too.
TEST_F(PackingTest, FindsReadersThroughInlinedStages) {
  Nest nest(
      "input A[24, 40]\ninput B[64, 40]\nT[k:40, j:64] = B[j, k]\n"
      "C[i:24, j:64] = sum(k:40) A[i, k] * T[k, j]\n",
      "C");
  nest.draft.Do(ComputeInline{{nest.draft.state().Find("T")}});
  nest.facts = AnalyzeNest(nest.draft.state(), nest.draft.state().Find("C"));
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {1, 0});
  plan.packs = {{1, 1, 16, -1}};
  const ScheduleState state = Packed(nest, plan);
  EXPECT_EQ(Layout(state, "B.pack"), "16 1 / 0 2 1");
  EXPECT_EQ(state.Consumers(state.Find("B.pack")), (std::vector<int>{state.Find("C")}));
}

}  // namespace
}  // namespace schedulegym
