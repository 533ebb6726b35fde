#include "env/features/axis_forms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::ElementsAre;

constexpr char kCopy[] = "input A[12, 10]\nD[i:12, j:10] = A[i, j] + 1\n";

AxisForms FormsOf(const ScheduleState& state, const char* stage) {
  return FindAxisForms(state, InferLoops(state))[state.Find(stage)];
}
AxisForms FormsOf(std::string_view steps) { return FormsOf(StateAfter(kCopy, steps), "D"); }

std::vector<int64_t> Values(std::span<const int64_t> row) { return {row.begin(), row.end()}; }

TEST(AxisFormsTest, SplitsAreLinear) {
  const AxisForms forms = FormsOf("split(stage=D, loop=0, lengths=[2, 3])");
  ASSERT_EQ(forms.depth(), 4);
  EXPECT_EQ(forms.atom_count(), 0);
  EXPECT_THAT(Values(forms.axes[0]), ElementsAre(6, 3, 1, 0));
  EXPECT_THAT(Values(forms.axes[1]), ElementsAre(0, 0, 0, 1));
  // i takes 2 * 6, then 6, then 3 values; j always ten until its loop stands still.
  EXPECT_THAT(Values(forms.spans[0]), ElementsAre(12, 10));
  EXPECT_THAT(Values(forms.spans[1]), ElementsAre(6, 10));
  EXPECT_THAT(Values(forms.spans[2]), ElementsAre(3, 10));
  EXPECT_THAT(Values(forms.spans[3]), ElementsAre(1, 10));
  EXPECT_THAT(Values(forms.spans[4]), ElementsAre(1, 1));
}

TEST(AxisFormsTest, LoopsOfOneIterationDoNotExist) {
  const AxisForms forms = FormsOf("split(stage=D, loop=0, lengths=[12])");
  EXPECT_EQ(forms.depth(), 2);
}

// f = i * 10 + j cut in 12 parts of 10 gives back i and j.
TEST(AxisFormsTest, FusionsCutEvenlyAreLinear) {
  const AxisForms forms =
      FormsOf("fuse(stage=D, loops=[0, 1])\nsplit(stage=D, loop=0, lengths=[10])");
  EXPECT_EQ(forms.atom_count(), 0);
  EXPECT_THAT(Values(forms.axes[0]), ElementsAre(1, 0));
  EXPECT_THAT(Values(forms.axes[1]), ElementsAre(0, 1));
}

TEST(AxisFormsTest, FusionsLeaveAtoms) {
  const AxisForms forms = FormsOf("fuse(stage=D, loops=[0, 1])");
  ASSERT_EQ(forms.depth(), 1);
  ASSERT_EQ(forms.atom_count(), 2);
  // j = f % 10 and i = f // 10: each is an atom that moves by one with f.
  EXPECT_THAT(Values(forms.axes[1]), ElementsAre(0, 1, 0));
  EXPECT_THAT(Values(forms.axes[0]), ElementsAre(0, 0, 1));
  EXPECT_EQ(forms.Coefficient(forms.axes[0], 0), 1);
  EXPECT_EQ(forms.Coefficient(forms.axes[1], 0), 1);
  EXPECT_THAT(Values(forms.spans[0]), ElementsAre(12, 10));
}

// f = f0 * 20 + f1 * 5 + f2: the whole tens belong to i, the remainder to j. From f1 on, 20 values
// of f are 2 of i and all 10 of j; from f2 on, 5 values of j.
TEST(AxisFormsTest, WholePartsMoveOutOfFusions) {
  const AxisForms forms =
      FormsOf("fuse(stage=D, loops=[0, 1])\nsplit(stage=D, loop=0, lengths=[4, 5])");
  ASSERT_EQ(forms.depth(), 3);
  EXPECT_EQ(forms.Coefficient(forms.axes[0], 0), 2);
  EXPECT_EQ(forms.Coefficient(forms.axes[1], 0), 0);
  EXPECT_EQ(forms.Coefficient(forms.axes[1], 1), 5);
  EXPECT_EQ(forms.Coefficient(forms.axes[1], 2), 1);
  EXPECT_THAT(Values(forms.spans[1]), ElementsAre(2, 10));
  EXPECT_THAT(Values(forms.spans[2]), ElementsAre(1, 5));
}

constexpr char kChain[] = "input A[18]\nP[x:18] = A[x] * 3\nC[i:16] = sum(r:3) P[i + r]\n";

TEST(AxisFormsTest, ProducersMoveWithTheirConsumers) {
  const ScheduleState state = StateAfter(
      kChain, "split(stage=C, loop=0, lengths=[4])\ncompute_at(stage=P, target=C, loop=0)");
  const AxisForms forms = FormsOf(state, "P");
  EXPECT_EQ(forms.outer, 1);
  ASSERT_EQ(forms.depth(), 2);
  EXPECT_EQ(forms.loops[0].id, FormsOf(state, "C").loops[0].id);
  EXPECT_THAT(Values(forms.axes[0]), ElementsAre(4, 1));
  EXPECT_THAT(Values(forms.spans[0]), ElementsAre(18));
  EXPECT_THAT(Values(forms.spans[1]), ElementsAre(6));
  EXPECT_TRUE(forms.shifted[0]);
}

// All of P is needed at once, so its region does not move.
TEST(AxisFormsTest, WholeTensorsDoNotMove) {
  const ScheduleState state = StateAfter("input A[8]\nP[x:8] = A[x] * 3\nC[i:4] = sum(k:8) P[k]\n",
                                         "compute_at(stage=P, target=C, loop=0)");
  const AxisForms forms = FormsOf(state, "P");
  EXPECT_THAT(Values(forms.axes[0]), ElementsAre(0, 1));
  EXPECT_FALSE(forms.shifted[0]);
}

TEST(AxisFormsTest, AtomsOfConsumersAreInherited) {
  const ScheduleState state =
      StateAfter("input A[12, 10]\nP[i:12, j:10] = A[i, j] * 3\nD[i:12, j:10] = P[i, j] + 1\n",
                 "split(stage=D, loop=1, lengths=[5])\nfuse(stage=D, loops=[0, 1])\n"
                 "compute_at(stage=P, target=D, loop=0)");
  const AxisForms forms = FormsOf(state, "P");
  EXPECT_EQ(forms.inherited, 2);
  ASSERT_EQ(forms.depth(), 2);  // i of P has one iteration
  // P's i is D's, which is an atom; P's j is five times an atom, and P's own loop.
  EXPECT_EQ(forms.Coefficient(forms.axes[0], 0), 1);
  EXPECT_EQ(forms.Coefficient(forms.axes[0], 1), 0);
  EXPECT_EQ(forms.Coefficient(forms.axes[1], 0), 5);
  EXPECT_EQ(forms.Coefficient(forms.axes[1], 1), 1);
  EXPECT_THAT(Values(forms.spans[0]), ElementsAre(12, 10));
}

TEST(ReadIndexTest, LinearAndRounded) {
  const ScheduleState state =
      StateAfter("input A[40]\nD[i:8, j:4] = A[i * 4 - j + 3] + A[(i * 2 + j) // 3]\n", "");
  const StageOp& op = *state.stage(state.Find("D")).effective;
  const std::vector<int64_t> spans = {8, 4};
  const ReadIndex linear(op.reads[0].indices[0], op.reads[0].affine[0]);
  EXPECT_EQ(linear.Values(spans), (Range{0, 31}));
  const ReadIndex rounded(op.reads[1].indices[0], op.reads[1].affine[0]);
  EXPECT_EQ(rounded.affine(), nullptr);
  EXPECT_EQ(rounded.Values(spans), (Range{0, 5}));
  EXPECT_THAT(rounded.terms(),
              ElementsAre(std::pair<int, int64_t>{0, 2}, std::pair<int, int64_t>{1, 1}));
}

}  // namespace
}  // namespace schedulegym
