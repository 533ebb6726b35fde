#include "spaces/schedulegym/schedulegym_space.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "env/schedule/loop_structure.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

KnobSpace FirstSpace(const std::string& workload, const Rules& rules = {}) {
  const auto task = WorkloadTask(workload, Avx512Target());
  const auto sketch_cache = std::make_shared<const SketchCache>(task, rules);
  return KnobsOf(sketch_cache, FindSkeletons(*sketch_cache, 64).front());
}

// Number of values of the knob with this name; 0 if there is none.
int ValuesOf(const KnobSpace& space, const std::string& name) {
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space.knob(i).name == name) return space.size_of(i);
  }
  return 0;
}

// A tile is at most 16, in vectors along the vectorised dimension; blocks are powers of two; two
// dimensions have two orders.
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

// For any number of stages.
TEST(PlanKnobsTest, PointsHaveAnIndex) {
  const KnobSpace space = FirstSpace("tbs(l=128,heads=12,size=64)");
  KnobPoint last = space.Origin();
  for (int i = 0; i < space.dimensions(); ++i) last[i] = space.size_of(i) - 1;
  EXPECT_TRUE(space.IndexOf(last) == space.size() - 1);
  EXPECT_EQ(space.PointOf(space.IndexOf(last)), last);
}

TEST(PlanKnobsTest, KnobsAreOfAKindAndAStage) {
  const KnobSpace space = FirstSpace("matmul(m=96,n=96,k=64)");
  std::map<std::string, KnobKind> kinds;
  for (int i = 0; i < space.dimensions(); ++i) {
    kinds[space.knob(i).name] = space.knob(i).kind;
    EXPECT_EQ(space.knob(i).stage, ScheduleState::Initial(space.task()).Find("C"));
  }
  EXPECT_EQ(kinds["C: dimension 0, tile"], KnobKind::kTile);
  EXPECT_EQ(kinds["C: dimension 2, block"], KnobKind::kTile);
  EXPECT_EQ(kinds["C: vector"], KnobKind::kVector);
  EXPECT_EQ(kinds["C: order"], KnobKind::kOrder);
  EXPECT_EQ(kinds["C: parallel loops"], KnobKind::kParallel);
  EXPECT_EQ(kinds["C: unroll step"], KnobKind::kUnroll);
  EXPECT_EQ(space.MeaningOf(0, 15), "16");
}

// A factor moves from a tile's elements to the tiles in a block if both lengths are values.
TEST(PlanKnobsTest, TilesAreThePairsOfEachDimension) {
  const KnobSpace space = FirstSpace("matmul(m=96,n=96,k=64)");
  ASSERT_EQ(space.tiles().size(), 2u);
  for (const KnobTile& tile : space.tiles()) {
    EXPECT_EQ(tile.fit, LengthsFit::kAny);
    EXPECT_EQ(tile.extent, 96);
    ASSERT_EQ(tile.knobs.size(), 2u);
    EXPECT_NE(space.knob(tile.knobs[0]).name.find("tiles in a block"), std::string::npos);
    EXPECT_EQ(tile.values[0].back(), 64);
    EXPECT_EQ(tile.values[1].back(), 16);
  }
}

// A fixed knob keeps its value, whatever the sampler draws.
TEST(PlanKnobsTest, CompletionsHaveWhatIsFixed) {
  const KnobSpace space = FirstSpace("matmul(m=96,n=96,k=64)");
  OpenPoint fixed(space.dimensions());
  for (int i = 0; i < space.dimensions(); ++i) {
    if (space.knob(i).name == "C: dimension 0, tile") fixed[i] = 4;
    if (space.knob(i).name == "C: unroll step") fixed[i] = 2;
  }
  Rng rng(1);
  std::set<std::string> traces;
  for (int i = 0; i < 30; ++i) {
    const auto state = space.Complete(fixed, rng);
    ASSERT_TRUE(state.ok());
    traces.insert(state->TraceText());
    EXPECT_EQ(state->stage(state->Find("C")).auto_unroll_max_step, 64);
    EXPECT_EQ(std::get<Split>(state->step(0)).lengths[1], 5);
  }
  EXPECT_GT(traces.size(), 10u);
}

// Without fixed knobs it is as good as a sample of the structure.
TEST(PlanKnobsTest, CompletionsAreSensible) {
  const KnobSpace space = FirstSpace("matmul(m=96,n=96,k=64)");
  Rng rng(1);
  int vectors = 0;
  for (int i = 0; i < 40; ++i) {
    const auto state = space.Complete({}, rng);
    ASSERT_TRUE(state.ok());
    vectors += !Annotated(*state, Annotation::kVectorize).empty();
  }
  EXPECT_GT(vectors, 30);
}

}  // namespace
}  // namespace schedulegym
