#include "spaces/schedulegym/row_nest.h"

#include <gtest/gtest.h>

#include "tests/spaces/space_tasks.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

ScheduleBuilder ScheduleBuilderOf(const std::string& dag) {
  return ScheduleBuilder(ScheduleState::Initial(DagTask(dag, Avx2Target())));
}
constexpr char kLarge[] = "input A[600, 700]\nB[i:600, j:700] = A[i, j] + 1\n";

TEST(MapNestTest, VectorizesAndShares) {
  ScheduleBuilder builder = ScheduleBuilderOf(kLarge);
  ApplyMap(builder, 1, {32, 16, true});
  const ScheduleState state = builder.Finish().value();
  EXPECT_EQ(Annotated(state, Annotation::kParallel), "B.0");
  EXPECT_EQ(Annotated(state, Annotation::kVectorize), "B.2");
  EXPECT_EQ(state.stage(1).nodes[state.stage(1).loops[2].node].extent, 32);
  EXPECT_EQ(state.stage(1).auto_unroll_max_step, 16);
}

TEST(MapNestTest, StaysSerialWhereAsked) {
  ScheduleBuilder alone = ScheduleBuilderOf(kLarge);
  ApplyMap(alone, 1, {32, 0, false});
  EXPECT_EQ(Annotated(alone.state(), Annotation::kParallel), "");
}

TEST(MapNestTest, LeavesScalarsAlone) {
  ScheduleBuilder builder = ScheduleBuilderOf("input A[]\nB[] = A[] + 1\n");
  ApplyMap(builder, 1, {8, 16, true});
  FinishBlock(builder, 1, {8, 0, true}, {});
  EXPECT_EQ(builder.Finish().value().trace_size(), 0);
}

// A block of 2 x 3 x 20: vectors of 8; loops around them are unrolled up to 16 copies.
TEST(MapNestTest, FinishesBlocks) {
  ScheduleBuilder builder =
      ScheduleBuilderOf("input A[9, 2, 3, 20]\nB[h:9, i:2, j:3, k:20] = A[h, i, j, k] + 1\n");
  FinishBlock(builder, 1, {8, 0, true}, {0});
  const ScheduleState state = builder.Finish().value();
  EXPECT_EQ(Annotated(state, Annotation::kVectorize), "B.4");
  EXPECT_EQ(Annotated(state, Annotation::kUnroll), "B.2 B.3");
}

}  // namespace
}  // namespace schedulegym
