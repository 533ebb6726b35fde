#include "env/features/node_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::ElementsAre;

NodeForms FormsOf(const ScheduleState& state) {
  const LoopStructure structure = InferLoops(state);
  return NodeForms(state.stage(structure.stages[0].stage), structure.stages[0]);
}
std::vector<int64_t> Row(std::span<const int64_t> row) { return {row.begin(), row.end()}; }
std::vector<int64_t> Spans(const NodeForms& forms, int level) {
  Matrix spans(forms.level_count() + 2, 2);
  forms.FillSpans(spans, /*first_row=*/1);
  return Row(spans[1 + level]);
}

constexpr char kCopy[] = "input A[6, 8]\nD[i:6, j:8] = A[i, j] + 1\n";

// 8 in parts of 3: three parts, the last of which is short, and at most 8 values.
TEST(NodeFormsTest, SplitsThatDoNotDivide) {
  const ScheduleState state = StateAfter(kCopy, "split(stage=D, loop=1, lengths=[3])");
  const NodeForms forms = FormsOf(state);
  EXPECT_THAT(Row(forms.row(1)), ElementsAre(0, 3, 1));
  EXPECT_THAT(Spans(forms, 0), ElementsAre(6, 8));
  EXPECT_THAT(Spans(forms, 2), ElementsAre(1, 3));
}

// i and j.0 are fused, f = i * 2 + j.0, and j = j.0 * 4 + j.1 is linear in the atom j.0.
TEST(NodeFormsTest, AtomsAreScaledLikeLoops) {
  const ScheduleState state =
      StateAfter(kCopy, "split(stage=D, loop=1, lengths=[4])\nfuse(stage=D, loops=[0, 1])");
  const NodeForms forms = FormsOf(state);
  ASSERT_EQ(forms.atom_count(), 2);
  EXPECT_THAT(Row(forms.atom(0)), ElementsAre(1, 0));
  EXPECT_THAT(Row(forms.row(1)), ElementsAre(0, 1, 4, 0));
  EXPECT_THAT(Row(forms.row(0)), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(Spans(forms, 0), ElementsAre(6, 8));
  EXPECT_THAT(Spans(forms, 1), ElementsAre(1, 4));
}

// f = (i * 8 + j) cut in 16 parts of 3 and fused to one loop again.
TEST(NodeFormsTest, AtomsOfAtoms) {
  const ScheduleState state = StateAfter(kCopy,
                                         "fuse(stage=D, loops=[0, 1])\nsplit(stage=D, loop=0, "
                                         "lengths=[3])\nfuse(stage=D, loops=[0, 1])");
  const NodeForms forms = FormsOf(state);
  ASSERT_EQ(forms.atom_count(), 4);
  for (int atom = 0; atom < 4; ++atom) EXPECT_NE(forms.atom(atom)[0], 0) << atom;
  EXPECT_THAT(Spans(forms, 0), ElementsAre(6, 8));
}

// An axis with a single value in a fusion is not an atom.
TEST(NodeFormsTest, AxesOfOneValue) {
  const ScheduleState state =
      StateAfter("input A[1, 8]\nD[i:1, j:8] = A[i, j] + 1\n", "fuse(stage=D, loops=[0, 1])");
  const NodeForms forms = FormsOf(state);
  EXPECT_EQ(forms.atom_count(), 0);
  EXPECT_EQ(forms.row(0)[0], 0);
  EXPECT_EQ(forms.row(1)[0], 1);
}

}  // namespace
}  // namespace schedulegym
