#include "spaces/plan_knobs.h"

#include <gtest/gtest.h>

#include <set>

#include "env/schedule/loop_structure.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

KnobSpace FirstSpace(const std::string& workload, const Rules& rules = {}) {
  const auto task = WorkloadTask(workload, Avx512Target());
  return KnobsOf(task, FindStructures(task, rules, 64).front(), rules);
}

// Values of the knob of this name; 0 where there is none.
int ValuesOf(const KnobSpace& space, const std::string& name) {
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space.knob(i).name == name) return space.size_of(i);
  }
  return 0;
}

// A tile is at most 16, of the vectors' dimension in vectors; blocks are powers of two; two
// dimensions stand in two orders.
TEST(PlanKnobsTest, OfAProduct) {
  const KnobSpace space = FirstSpace("matmul(m=96,n=96,k=64)");
  EXPECT_EQ(ValuesOf(space, "C: dimension 0, tile"), 16);
  EXPECT_EQ(ValuesOf(space, "C: dimension 0, tiles in a block"), 7);
  EXPECT_EQ(ValuesOf(space, "C: vector"), 5);
  EXPECT_EQ(ValuesOf(space, "C: dimension 2, block"), 7);
  EXPECT_EQ(ValuesOf(space, "C: dimension 2, unrolled"), 2);
  EXPECT_EQ(ValuesOf(space, "C: order"), 2);
  EXPECT_EQ(ValuesOf(space, "C: parallel loops"), 3);
  EXPECT_EQ(ValuesOf(space, "C: loops within blocks"), 2);
  EXPECT_EQ(ValuesOf(space, "C: unroll step"), 4);
}

TEST(PlanKnobsTest, WithoutTailsLengthsDivide) {
  const KnobSpace space = FirstSpace("matmul(m=96,n=96,k=64)", {.tails = false});
  EXPECT_EQ(ValuesOf(space, "C: dimension 0, tile"), 8);  // 1 2 3 4 6 8 12 16
  EXPECT_EQ(ValuesOf(space, "C: dimension 0, tiles in a block"), 12);
}

// One step along any knob from the origin is a legal schedule.
TEST(PlanKnobsTest, EveryKnobCanMove) {
  for (const char* workload : {"matmul(m=96,n=96,k=64)", "conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)",
                               "softmax(n=256,m=256)", "tbs(l=128,heads=12,size=64)"}) {
    const KnobSpace space = FirstSpace(workload);
    std::set<Key> states;
    for (int i = 0; i < space.dimensions(); ++i) {
      KnobPoint point = space.Origin();
      point[i] = 1;
      const Result<ScheduleState> state = space.At(point);
      EXPECT_TRUE(state.ok()) << space.knob(i).name << ": " << (state ? "" : state.error().message);
      if (state) states.insert(StateKey(*state));
    }
    EXPECT_GE(states.size(), static_cast<size_t>(space.dimensions()) / 2) << workload;
  }
}

// However many stages there are, points have an index.
TEST(PlanKnobsTest, PointsHaveAnIndex) {
  const KnobSpace space = FirstSpace("tbs(l=128,heads=12,size=64)");
  KnobPoint last = space.Origin();
  for (int i = 0; i < space.dimensions(); ++i) last[i] = space.size_of(i) - 1;
  EXPECT_TRUE(space.IndexOf(last) == space.size() - 1);
  EXPECT_EQ(space.PointOf(space.IndexOf(last)), last);
}

}  // namespace
}  // namespace schedulegym
