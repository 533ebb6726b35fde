#include "env/schedule/stage.h"

#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// The operation of C = ... over X[40] and W[40], with axes x and r in variables 0 and 1.
StageOp OpOf(const std::string& definition) {
  const ScheduleState state = StateAfter("input X[40]\ninput W[40]\nC" + definition + "\n", "");
  return *state.stage(2).op;
}
std::vector<std::string> ConditionsOf(const std::string& definition) {
  std::vector<std::string> texts;
  const ExprNames names{[](int axis) { return std::string(axis == 0 ? "x" : "r"); },
                        [](int stage) { return std::string(stage == 0 ? "X" : "W"); }};
  const StageOp op = OpOf(definition);
  for (const Expr& condition : op.conditions) texts.push_back(ToText(condition, names));
  texts.push_back(ToText(op.value, names));
  return texts;
}

using Texts = std::vector<std::string>;

// The last text is the term that is added if all conditions hold.
TEST(StageOpTest, TakesConditionsOutOfSums) {
  EXPECT_EQ(ConditionsOf("[x:8] = sum(r:3) select(x + r >= 1 && x < 7 && r < 2, X[x + r], 0)"),
            (Texts{"x + r >= 1", "x < 7", "r < 2", "X[x + r]"}));
  EXPECT_EQ(ConditionsOf("[x:8] = sum(r:3) select(x >= 1, X[x], 0) * select(r < 2, W[r], 0)"),
            (Texts{"x >= 1", "r < 2", "X[x] * W[r]"}));
  EXPECT_EQ(ConditionsOf("[x:8] = sum(r:3) -select(x >= 1, select(r < 2, X[x], 0), 0)"),
            (Texts{"x >= 1", "r < 2", "-X[x]"}));
}

// The select stays if 0 is not the combiner's identity, or not the value of the other side.
TEST(StageOpTest, LeavesOtherSelects) {
  for (const std::string definition : {
           "[x:8] = max(r:3) select(x >= 1, X[x], 0)",
           "[x:8] = prod(r:3) select(x >= 1, X[x], 0)",
           "[x:8] = sum(r:3) select(x >= 1, X[x], 1)",
           "[x:8] = sum(r:3) select(x >= 1, 0, X[x])",
           "[x:8] = sum(r:3) select(x >= 1, X[x], 0) + W[r]",
           "[x:8] = sum(r:3) abs(select(x >= 1, X[x], 0))",
           "[x:8] = select(x >= 1, X[x], 0)",
       }) {
    const StageOp op = OpOf(definition);
    EXPECT_TRUE(op.conditions.empty()) << definition;
    EXPECT_EQ(op.value, op.body) << definition;
  }
}

TEST(StageOpTest, ListsReadsInOrder) {
  const StageOp op = OpOf("[x:8] = W[2 * x + 1] * X[x // 2] + W[0]");
  ASSERT_EQ(op.reads.size(), 3u);
  EXPECT_EQ(op.reads[0].stage, 1);
  ASSERT_TRUE(op.reads[0].affine[0]);
  EXPECT_EQ(*op.reads[0].affine[0], (Affine{{{0, 2}}, 1}));
  EXPECT_EQ(op.reads[1].stage, 0);
  EXPECT_FALSE(op.reads[1].affine[0]);  // a quotient is not linear
  EXPECT_EQ(op.reads[1].indices[0]->op, Op::kFloorDivide);
  EXPECT_EQ(op.reads[2].affine[0], Affine());
}

TEST(StageTest, BeginsWithALoopForEachAxis) {
  const StageOpPtr op = FinishStageOp(OpOf("[x:8] = sum(r:3) X[x + r]"));
  const Stage stage = FreshStage(op);
  EXPECT_EQ(stage.op, op);
  EXPECT_EQ(stage.effective, op);
  ASSERT_EQ(stage.nodes.size(), 2u);
  EXPECT_EQ(stage.nodes[0].extent, 8);
  EXPECT_FALSE(stage.nodes[0].reduction);
  EXPECT_EQ(stage.nodes[1].extent, 3);
  EXPECT_TRUE(stage.nodes[1].reduction);
  EXPECT_EQ(stage.location, Location::kRoot);
  EXPECT_TRUE(stage.is_fresh());
  EXPECT_EQ(stage.FindLoop(1), 1);
  EXPECT_EQ(stage.FindLoop(2), -1);
}

TEST(StageTest, HasNoLoopsWithoutABody) {
  const ScheduleState state = StateAfter("input X[40]\nC[x:8] = X[x]\n", "");
  EXPECT_TRUE(state.stage(0).loops.empty());
  EXPECT_TRUE(FreshStage(state.stage(0).op).nodes.empty());
}

// Any change of loops counts, even if only its name is restored.
TEST(StageTest, KnowsWhetherItsLoopsWereChanged) {
  constexpr char kDag[] = "input X[8, 4]\nC[x:8, y:4] = X[x, y] + 1\n";
  const auto is_fresh = [&](std::string_view steps) {
    return StateAfter(kDag, steps).stage(1).is_fresh();
  };
  EXPECT_TRUE(is_fresh(""));
  EXPECT_TRUE(is_fresh("reorder(stage=C, order=[0, 1])"));
  EXPECT_FALSE(is_fresh("reorder(stage=C, order=[1, 0])"));
  EXPECT_TRUE(is_fresh("reorder(stage=C, order=[1, 0])\nreorder(stage=C, order=[1, 0])"));
  EXPECT_FALSE(is_fresh("split(stage=C, loop=0, lengths=[2])"));
  EXPECT_FALSE(is_fresh("fuse(stage=C, loops=[0, 1])"));
  EXPECT_FALSE(is_fresh("unroll(stage=C, loop=0)"));
}

TEST(StageTest, FindsMovedLoops) {
  const ScheduleState state =
      StateAfter("input X[8, 4]\nC[x:8, y:4] = X[x, y] + 1\n",
                 "split(stage=C, loop=0, lengths=[2])\nreorder(stage=C, order=[2, 1, 0])");
  const Stage& stage = state.stage(1);
  EXPECT_EQ(stage.FindLoop(0), -1);  // x is no longer a loop
  EXPECT_EQ(stage.FindLoop(1), 0);
  EXPECT_EQ(stage.FindLoop(2), 2);
  EXPECT_EQ(stage.FindLoop(3), 1);
}

}  // namespace
}  // namespace schedulegym
