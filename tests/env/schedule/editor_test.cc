#include "env/schedule/editor.h"

#include <gtest/gtest.h>

#include "env/schedule/loop_structure.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kChain[] = "input A[8]\nP[i:8] = A[i] + 1\nC[i:8] = P[i] * 2\n";

// A stage that copies P.
StageOp CopyNamed(const ScheduleState& state, const std::string& name) {
  StageOp copy;
  copy.name = name;
  copy.axes = state.stage(1).op->axes;
  copy.spatial = 1;
  copy.body = Read(DType::kF32, 1, {Variable(0)});
  return copy;
}

TEST(StateEditorTest, CopiesWhatItEdits) {
  const ScheduleState state = StateAfter(kChain, "");
  StateEditor editor(state);
  EXPECT_EQ(&editor.stage(1), &state.stage(1));
  Stage& edited = editor.Edit(1);
  edited.auto_unroll_max_step = 7;
  EXPECT_EQ(&editor.Edit(1), &edited);
  EXPECT_EQ(editor.stage(1).auto_unroll_max_step, 7);
  EXPECT_EQ(state.stage(1).auto_unroll_max_step, 0);
  EXPECT_EQ(&editor.stage(2), &state.stage(2));
  EXPECT_EQ(&editor.state().stage(2), &state.stage(2));
}

// A stage without other owners is changed in place; a shared one is copied.
TEST(StateEditorTest, TakesWhatNobodyElseHolds) {
  ScheduleState state = StateAfter(kChain, "");
  const Stage* shared = &state.stage(1);
  {
    const ScheduleState copy = state;
    StateEditor editor(std::move(state));
    EXPECT_NE(&editor.Edit(1), shared);
    state = copy;
  }
  const Stage* own = nullptr;
  {
    StateEditor editor(std::move(state));
    own = &editor.Edit(1);
    EXPECT_EQ(own, shared);
    state = std::move(editor).Finish(ComputeRoot{{1}});
  }
  EXPECT_EQ(&state.stage(1), own);
}

// Cached facts of a state do not apply to the states made from it.
TEST(StateEditorTest, ForgetsWhatIsKnownOfWhatItTakes) {
  ScheduleState state = StateAfter(kChain, "");
  const Key key = StateKey(state);
  EXPECT_EQ(state.TraceText(), "trace 1\n");
  const ScheduleState next = Apply(std::move(state), Unroll{{2}, 0}).value();
  EXPECT_EQ(next.TraceText(), "trace 1\nunroll(stage=C, loop=0)\n");
  EXPECT_NE(StateKey(next), key);
  EXPECT_EQ(StateKey(next), StateKey(StateAfter(kChain, "unroll(stage=C, loop=0)")));
}

TEST(StateEditorTest, FinishesWithThePrimitive) {
  const ScheduleState state = StateAfter(kChain, "unroll(stage=C, loop=0)");
  StateEditor editor(state);
  editor.Edit(1).loops[0].annotation = Annotation::kParallel;
  const ScheduleState next = std::move(editor).Finish(Parallel{{1}, 0});
  EXPECT_EQ(next.TraceText(), "trace 1\nunroll(stage=C, loop=0)\nparallel(stage=P, loop=0)\n");
  EXPECT_EQ(next.stage(1).loops[0].annotation, Annotation::kParallel);
  EXPECT_EQ(&next.stage(2), &state.stage(2));
  EXPECT_EQ(state.trace_size(), 1);
}

TEST(StateEditorTest, AddsStagesInOrder) {
  const ScheduleState state = StateAfter(kChain, "");
  StateEditor editor(state);
  EXPECT_EQ(editor.AddBefore(2, CopyNamed(state, "X")), 3);
  EXPECT_EQ(editor.AddAfter(0, CopyNamed(state, "Y")), 4);
  EXPECT_EQ(editor.size(), 5);
  const ScheduleState next = std::move(editor).Finish(ComputeRoot{{1}});
  EXPECT_EQ(next.order(), (std::vector<int>{0, 4, 1, 3, 2}));
  EXPECT_EQ(next.Names(), (StageNames{"A", "P", "C", "X", "Y"}));
  ASSERT_EQ(next.stage(3).op->reads.size(), 1u);
  EXPECT_EQ(next.stage(3).op->reads[0].stage, 1);
  EXPECT_EQ(next.stage(3).location, Location::kRoot);
  EXPECT_EQ(next.stage(3).loops, (std::vector<StageLoop>{{0, Annotation::kNone}}));
}

TEST(StateEditorTest, FindsFreeNames) {
  const ScheduleState state = StateAfter(kChain, "");
  StateEditor editor(state);
  EXPECT_EQ(editor.FreshName("P", "local"), "P.local");
  editor.AddBefore(2, CopyNamed(state, "P.local"));
  EXPECT_EQ(editor.FreshName("P", "local"), "P.local1");
  editor.AddBefore(2, CopyNamed(state, "P.local1"));
  EXPECT_EQ(editor.FreshName("P", "local"), "P.local2");
  EXPECT_EQ(editor.FreshName("C", "local"), "C.local");
}

// Only stages computed at that loop of that stage move.
TEST(StateEditorTest, MovesWhatIsComputedAtALoop) {
  const ScheduleState state = StateAfter(
      "input A[4, 4]\nP[i:4, j:4] = A[i, j] + 1\nQ[i:4, j:4] = P[i, j] * 3\n"
      "R[i:4, j:4] = A[i, j] - 1\nC[i:4, j:4] = Q[i, j] * R[i, j]\n",
      "compute_at(stage=Q, target=C, loop=0)\ncompute_at(stage=P, target=Q, loop=0)\n"
      "compute_at(stage=R, target=C, loop=1)");
  StateEditor editor(state);
  editor.MoveAttached(state.Find("C"), 0, 9);
  EXPECT_EQ(editor.stage(state.Find("Q")).target_node, 9);
  EXPECT_EQ(editor.stage(state.Find("P")).target_node, 0);
  EXPECT_EQ(editor.stage(state.Find("R")).target_node, 1);
}

TEST(StateEditorTest, SubstitutesInlinedStages) {
  const ScheduleState state = StateAfter(kChain, "");
  StateEditor editor(state);
  editor.Edit(1).location = Location::kInlined;
  editor.ChangeInlining(1);
  EXPECT_EQ(editor.stage(2).effective->reads[0].stage, 1);
  editor.UpdateInlining();
  ASSERT_EQ(editor.stage(2).effective->reads.size(), 1u);
  EXPECT_EQ(editor.stage(2).effective->reads[0].stage, 0);
  EXPECT_EQ(editor.stage(2).op->reads[0].stage, 1);
  // Moves the stage back.
  editor.Edit(1).location = Location::kRoot;
  editor.ChangeInlining(1);
  editor.UpdateInlining();
  EXPECT_EQ(editor.stage(2).effective, editor.stage(2).op);
}

// The readers of an inlined stage see its new operation.
TEST(StateEditorTest, SubstitutesNewOperations) {
  const ScheduleState state = StateAfter(kChain, "compute_inline(stage=P)");
  StateEditor editor(state);
  StageOp copied = *state.stage(1).op;
  copied.body = Read(DType::kF32, 0, {Variable(0)});
  editor.SetOp(1, FinishStageOp(std::move(copied)));
  editor.UpdateInlining();
  const Expr& body = editor.stage(2).effective->body;
  ASSERT_EQ(body->op, Op::kMultiply);
  EXPECT_EQ(body->args[0]->op, Op::kRead);
  EXPECT_EQ(editor.stage(2).location, Location::kRoot);
}

TEST(StateEditorTest, ReplacesOperations) {
  const ScheduleState state = StateAfter(kChain, "");
  StateEditor editor(state);
  const StageOpPtr op = FinishStageOp(CopyNamed(state, "C"));
  editor.SetOp(2, op);
  EXPECT_EQ(editor.stage(2).op, op);
  EXPECT_EQ(editor.stage(2).effective, op);
  EXPECT_NE(state.stage(2).op, op);
}

}  // namespace
}  // namespace schedulegym
