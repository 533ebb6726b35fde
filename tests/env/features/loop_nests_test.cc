#include "env/features/loop_nests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Kind = OperationKind;
using ::testing::ElementsAre;

constexpr char kChain[] =
    "input A[8, 16]\nP[i:8, k:16] = A[i, k] + 1\nC[i:8] = sum(k:16) P[i, k]\n"
    "D[i:8] = C[i] * 2\n";

// "P", "C0" for the initialisation of C, ... in the program's order.
std::vector<std::string> StepsOf(const ScheduleState& state) {
  const LoopNests nests = FindLoopNests(state);
  std::vector<std::string> steps;
  for (const NestStep& step : nests.steps) {
    steps.push_back(state.stage(nests.nests[step.nest].stage).op->name +
                    (step.initializes ? "0" : ""));
  }
  return steps;
}

TEST(LoopNestsTest, StatementsInOrder) {
  EXPECT_THAT(StepsOf(StateAfter(kChain, "")), ElementsAre("P", "C0", "C", "D"));
  // Within C's reduction the cells are initialised before; within its spatial loop, after.
  EXPECT_THAT(StepsOf(StateAfter(kChain, "compute_at(stage=P, target=C, loop=1)")),
              ElementsAre("C0", "P", "C", "D"));
  EXPECT_THAT(StepsOf(StateAfter(kChain, "compute_at(stage=P, target=C, loop=0)")),
              ElementsAre("P", "C0", "C", "D"));
  EXPECT_THAT(StepsOf(StateAfter(kChain,
                                 "compute_at(stage=C, target=D, loop=0)\n"
                                 "compute_at(stage=P, target=C, loop=1)")),
              ElementsAre("C0", "P", "C", "D"));
}

TEST(LoopNestsTest, LoopsAndBuffers) {
  const ScheduleState state = StateAfter(kChain,
                                         "compute_at(stage=C, target=D, loop=0)\n"
                                         "compute_at(stage=P, target=C, loop=1)");
  const LoopNests nests = FindLoopNests(state);
  ASSERT_EQ(nests.nests.size(), 3u);
  const LoopNest &p = nests.nests[0], &c = nests.nests[1], &d = nests.nests[2];
  EXPECT_EQ(p.stage, state.Find("P"));
  // C and P keep no spatial loop of more than one iteration: i of D and k of C stand around P.
  EXPECT_EQ(p.loops.size(), 2u);
  EXPECT_EQ(p.outer, 2);
  EXPECT_EQ(p.iterations, 128);
  EXPECT_EQ(p.outer_iterations, 128);
  EXPECT_EQ(p.stored_elements, 1);
  EXPECT_EQ(c.first_reduction, 1);
  EXPECT_EQ(c.outer, 1);
  EXPECT_FALSE(c.is_parameter);
  EXPECT_TRUE(d.is_parameter);
  ASSERT_EQ(c.accesses.size(), 2u);
  EXPECT_TRUE(c.accesses[0].is_store && c.accesses[0].is_read);
  EXPECT_EQ(c.accesses[1].buffer, p.stage);
  EXPECT_EQ(nests.loops, 2);
}

// Two reads of one buffer are one access over both.
TEST(LoopNestsTest, JoinsReadsOfOneBuffer) {
  const ScheduleState state =
      StateAfter("input A[10, 16]\nD[i:8, j:16] = A[i, j] + A[i + 2, j]\n", "");
  const LoopNests nests = FindLoopNests(state);
  ASSERT_EQ(nests.nests[0].accesses.size(), 2u);
  // Rows i and i + 2 while only j runs are three rows from the first to the last.
  EXPECT_THAT(nests.nests[0].accesses[1].touched, ElementsAre(10 * 16, 3 * 16));
  EXPECT_THAT(nests.nests[0].accesses[1].strides, ElementsAre(16, 1));
}

TEST(LoopNestsTest, NamesOfFusedAxesCostNothing) {
  const ScheduleState state =
      StateAfter("input A[12, 10]\nD[i:12, j:10] = A[i, j] + 1\n", "fuse(stage=D, loops=[0, 1])");
  const LoopNests nests = FindLoopNests(state);
  EXPECT_EQ(nests.nests[0].operations[Kind::kIntegerDivide], 0);
  EXPECT_EQ(nests.nests[0].operations[Kind::kIntegerAdd], 0);
  EXPECT_THAT(nests.nests[0].accesses[1].strides, ElementsAre(1));
}

// Without a tile the sum's own index is counted: C[i.0 * 2 + i.1] beside A[i.0 * 2 + i.1, k].
TEST(LoopNestsTest, SumsInMemoryHaveIndices) {
  const char* dag = "input A[8, 16]\nC[i:8] = sum(k:16) A[i, k]\n";
  const ScheduleState state =
      StateAfter(dag, "split(stage=C, loop=0, lengths=[2])\nreorder(stage=C, order=[0, 2, 1])");
  const OperationCounts in_memory = FindLoopNests(state).nests[0].operations;
  EXPECT_EQ(in_memory[Kind::kIntegerMultiply], 2);
  EXPECT_EQ(in_memory[Kind::kIntegerAdd], 2);
  const OperationCounts in_tile =
      FindLoopNests(StateAfter(state, "unroll(stage=C, loop=2)")).nests[0].operations;
  EXPECT_EQ(in_tile[Kind::kIntegerMultiply], 1);
  EXPECT_EQ(in_tile[Kind::kIntegerAdd], 1);
}

TEST(LoopNestsTest, TellsWhatIsPreparedOutside) {
  const char* steps = "pack(stage=W, readers=[C], tile=[1, 8], order=[1, 0, 2])";
  const auto is_prepared = [&](const std::string& kind) {
    const ScheduleState state = StateAfter(
        "input A[4, 16]\n" + kind + " W[16, 20]\nC[i:4, j:20] = sum(k:16) A[i, k] * W[k, j]\n",
        steps);
    return FindLoopNests(state).nests[0].is_prepared;
  };
  EXPECT_TRUE(is_prepared("weight"));
  EXPECT_FALSE(is_prepared("input"));
}

}  // namespace
}  // namespace schedulegym
