// Legal changes to the loops of a reduction: one thread may add each term once, in any order; more
// than one thread needs separate partial results.
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr const char* kCombiners[] = {"sum", "prod", "max", "min"};

std::string Reduction(const std::string& combiner) {
  return "input A[6, 8, 5] : i32\nC[i:6] = " + combiner + "(k:8, r:5) A[i, k, r]\n";
}

// "" if the schedule computes the same as the naive program, in an interpreter that detects races
// between iterations of a parallel loop.
std::string FaultOf(const std::string& dag, std::string_view steps) {
  const auto task = TaskOf(dag, BackendKind::kInterpreter);
  const auto interpreter = MakeInterpreter(task->target);
  return Differential(task, 3).Run(StateAfter(task, steps), *interpreter).message;
}

TEST(ReductionsTest, RunInAnyOrder) {
  for (const char* combiner : kCombiners) {
    for (const char* steps : {
             "reorder(stage=C, order=[1, 2, 0])",
             "reorder(stage=C, order=[2, 0, 1])",
             "reorder(stage=C, order=[0, 2, 1])",
             "split(stage=C, loop=1, lengths=[3])\nreorder(stage=C, order=[2, 0, 1, 3])",
             "fuse(stage=C, loops=[1, 2])\nsplit(stage=C, loop=1, lengths=[7])",
             "unroll(stage=C, loop=2)\nunroll(stage=C, loop=1)",
         }) {
      EXPECT_EQ(FaultOf(Reduction(combiner), steps), "") << combiner << "\n" << steps;
    }
  }
}

// A reduction loop, whole, split, fused or reordered, is never run by several threads or lanes,
// except for those of a GPU's block.
TEST(ReductionsTest, RunByOneThreadOrByABlock) {
  for (const char* combiner : kCombiners) {
    for (const char* steps : {
             "",
             "split(stage=C, loop=2, lengths=[2])",
             "fuse(stage=C, loops=[1, 2])",
             "split(stage=C, loop=1, lengths=[4])\nfuse(stage=C, loops=[2, 3])",
             "reorder(stage=C, order=[0, 2, 1])",
         }) {
      const auto task = TaskOf(Reduction(combiner), BackendKind::kCuda);
      const ScheduleState state = StateAfter(task, steps);
      const int last = static_cast<int>(state.stage(1).loops.size()) - 1;
      const std::string loop = "loop " + std::to_string(last) + " of C is a reduction";
      const std::string meet = loop + ": its iterations write the same cells";
      EXPECT_EQ(RefusalOf(state, Parallel{{1}, last}), meet);
      EXPECT_EQ(RefusalOf(state, Bind{{1}, last, Annotation::kThreadX}), "");
      const std::string shared =
          ": expected threadIdx.x, threadIdx.y or threadIdx.z, whose threads share their sums, "
          "found vthread";
      EXPECT_EQ(RefusalOf(state, Bind{{1}, last, Annotation::kVthread}), loop + shared);
      EXPECT_EQ(RefusalOf(state, Vectorize{{1}, last}), loop + ": use rfactor first");
    }
  }
}

// Other loops may be parallel, around the reduction or within it.
TEST(ReductionsTest, LeaveOtherLoopsFree) {
  for (const char* combiner : kCombiners) {
    for (const char* steps : {
             "parallel(stage=C, loop=0)",
             "reorder(stage=C, order=[1, 0, 2])\nparallel(stage=C, loop=1)",
             "reorder(stage=C, order=[1, 2, 0])\nvectorize(stage=C, loop=2)",
             "split(stage=C, loop=0, lengths=[2])\nreorder(stage=C, order=[0, 2, 3, 1])\n"
             "parallel(stage=C, loop=0)\nvectorize(stage=C, loop=3)",
         }) {
      EXPECT_EQ(FaultOf(Reduction(combiner), steps), "") << combiner << "\n" << steps;
    }
  }
}

// A spatial and a reduction loop cannot be fused: a cell's terms would be spread over the loop.
TEST(ReductionsTest, StayApartFromOtherLoops) {
  const ScheduleState state = StateAfter(Reduction("sum"), "");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[0, 1])"),
            "a spatial loop and a reduction cannot be fused");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[0, 1, 2])"),
            "a spatial loop and a reduction cannot be fused");
  EXPECT_EQ(RefusalOf(state, "fuse(stage=C, loops=[1, 2])"), "");
}

// Partial results have separate cells; the remaining reduction does not.
TEST(ReductionsTest, RunByManyThreadsOverPartialResults) {
  for (const char* combiner : kCombiners) {
    const std::string dag = Reduction(combiner);
    const std::string factored =
        "split(stage=C, loop=1, lengths=[2])\nrfactor(stage=C, loop=1, axis=0)\n";
    const ScheduleState state = StateAfter(dag, factored);
    const int partial = state.Find("C.rf");
    EXPECT_EQ(RefusalOf(state, Parallel{{partial}, 0}), "");
    EXPECT_EQ(RefusalOf(state, Parallel{{partial}, 2}),
              "loop 2 of C.rf is a reduction: its iterations write the same cells");
    EXPECT_EQ(RefusalOf(state, Parallel{{1}, 1}),
              "loop 1 of C is a reduction: its iterations write the same cells");
    EXPECT_EQ(FaultOf(dag, factored + "parallel(stage=C.rf, loop=0)"), "") << combiner;
    EXPECT_EQ(FaultOf(dag, factored + "compute_at(stage=C.rf, target=C, loop=0)\n"
                                      "parallel(stage=C, loop=0)"),
              "")
        << combiner;
  }
}

// A sum with other readers is not an expression.
TEST(ReductionsTest, AreNotInlined) {
  for (const char* combiner : kCombiners) {
    const ScheduleState state = StateAfter(Reduction(combiner) + "D[i:6] = C[i] + 1\n", "");
    EXPECT_EQ(RefusalOf(state, "compute_inline(stage=C)"), "C is a reduction");
    EXPECT_EQ(RefusalOf(state, "compute_at(stage=C, target=D, loop=0)"), "");
  }
}

// The sum must be complete before its reader's loop, so the stage moves as a whole.
TEST(ReductionsTest, AreWholeWhereTheyAreRead) {
  const std::string dag = Reduction("sum") + "D[i:6] = C[5 - i] * 2\n";
  for (const char* steps : {
           "compute_at(stage=C, target=D, loop=0)",
           "split(stage=D, loop=0, lengths=[4])\ncompute_at(stage=C, target=D, loop=0)\n"
           "reorder(stage=C, order=[2, 0, 1])",
           "compute_at(stage=C, target=D, loop=0)\nparallel(stage=D, loop=0)",
       }) {
    EXPECT_EQ(FaultOf(dag, steps), "") << steps;
  }
}

}  // namespace
}  // namespace schedulegym
