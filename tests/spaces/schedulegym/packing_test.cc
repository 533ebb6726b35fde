#include "spaces/schedulegym/packing.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using Nest = ScheduleBuilderNest;

constexpr char kMatmul[] =
    "input A[24, 40]\ninput B[40, 64]\nC[i:24, j:64] = sum(k:40) A[i, k] * B[k, j]\n";

class PackingTest : public testing::Test {
 protected:
  // The layout of a stage's packed copy, "[tile] [order] / readers' loops of the copy".
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
    ApplyPacks(nest.builder, nest.facts, plan, ApplyTile(nest.builder, nest.facts, plan));
    return nest.builder.Finish().value();
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

// Capsules: a tiled dimension without vectors is next to the lanes.
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

// A panel as wide as the tensor is a transposition.
TEST_F(PackingTest, TurnsTransposedOperands) {
  Nest nest("input A[24, 40]\ninput B[16, 40]\nC[i:24, j:16] = sum(k:40) A[i, k] * B[j, k]\n", "C");
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {0, 1});
  plan.packs = {{1, 1, 64, -1}};
  EXPECT_EQ(Layout(Packed(nest, plan), "B.pack"), "16 1 / 0 2 1");
}

// Readers through an inlined stage read the copy, too.
TEST_F(PackingTest, FindsReadersThroughInlinedStages) {
  Nest nest(
      "input A[24, 40]\ninput B[64, 40]\nT[k:40, j:64] = B[j, k]\n"
      "C[i:24, j:64] = sum(k:40) A[i, k] * T[k, j]\n",
      "C");
  nest.builder.Do(ComputeInline{{nest.builder.state().Find("T")}});
  nest.facts = AnalyzeNest(nest.builder.state(), nest.builder.state().Find("C"));
  TilePlan plan = PlanOf(nest.facts, {1, 8, {6, 2, 1}}, {1, 0});
  plan.packs = {{1, 1, 16, -1}};
  const ScheduleState state = Packed(nest, plan);
  EXPECT_EQ(Layout(state, "B.pack"), "16 1 / 0 2 1");
  EXPECT_EQ(state.Consumers(state.Find("B.pack")), (std::vector<int>{state.Find("C")}));
}

}  // namespace
}  // namespace schedulegym
