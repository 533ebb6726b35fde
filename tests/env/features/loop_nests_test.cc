#include "env/features/loop_nests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/lower/lower.h"
#include "spaces/schedulegym/schedulegym_space.h"
#include "tests/spaces/space_tasks.h"
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

// Two reads of one buffer are a single access that covers both.
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

void CountIntegers(const Expr& value, OperationCounts& counts) {
  Visit(value, [&](const ExprNode& node) {
    if (node.type != DType::kIndex) return;
    if (node.op == Op::kAdd || node.op == Op::kSubtract) ++counts[Kind::kIntegerAdd];
    if (node.op == Op::kMultiply) ++counts[Kind::kIntegerMultiply];
    if (node.op == Op::kFloorDivide || node.op == Op::kModulo) ++counts[Kind::kIntegerDivide];
  });
}

bool ReadsTile(const Expr& value, const LoopProgram& program, const std::string& tile) {
  bool found = false;
  Visit(value, [&](const ExprNode& node) {
    found = found || (node.op == Op::kRead && program.buffers[node.id].name == tile);
  });
  return found;
}

// Index operations of each update of a stage in the lowered program.
void CollectUpdates(const StatementPtr& statement, const LoopProgram& program,
                    const std::string& stage, std::vector<OperationCounts>& updates) {
  const auto visit = [&](const StatementPtr& inner) {
    if (inner) CollectUpdates(inner, program, stage, updates);
  };
  if (const auto* loop = std::get_if<For>(&statement->node)) visit(loop->body);
  if (const auto* let = std::get_if<Let>(&statement->node)) visit(let->body);
  if (const auto* memory = std::get_if<Allocate>(&statement->node)) visit(memory->body);
  if (const auto* branch = std::get_if<If>(&statement->node)) {
    visit(branch->then_body);
    visit(branch->else_body);
  }
  if (const auto* block = std::get_if<Block>(&statement->node)) {
    for (const StatementPtr& inner : block->statements) visit(inner);
  }
  const auto* store = std::get_if<Store>(&statement->node);
  if (!store || IsConstant(store->value)) return;
  const std::string& name = program.buffers[store->buffer].name;
  const bool in_tile = name == stage + ".tile";
  if (!in_tile && (name != stage || ReadsTile(store->value, program, stage + ".tile"))) return;
  updates.emplace_back();
  CountIntegers(store->value, updates.back());
}

// Compares stages with one update: those without tails or repeated statements.
TEST(LoopNestsTest, IndexOperationsAreThoseOfLoweredPrograms) {
  const auto space = MakeSchedulegymSpace(ParseSpec("schedulegym").value());
  int compared = 0;
  for (const char* workload : {"matmul(m=64,n=64,k=64)", "softmax(n=32,m=64)",
                               "conv_layer(h=8,w=8,ci=16,co=32,k=3,p=1)"}) {
    const auto task = WorkloadTask(workload, Avx2Target());
    Rng rng(5);
    for (int i = 0; i < 60; ++i) {
      const ScheduleState state = space->Sample(task, rng).value();
      const LoopProgram program = Lower(state).value();
      for (const LoopNest& nest : FindLoopNests(state).nests) {
        const std::string& name = state.stage(nest.stage).op->name;
        std::vector<OperationCounts> updates;
        CollectUpdates(program.body, program, name, updates);
        if (updates.size() != 1) continue;
        ++compared;
        for (Kind kind : {Kind::kIntegerAdd, Kind::kIntegerMultiply, Kind::kIntegerDivide}) {
          ASSERT_EQ(nest.operations[kind], updates[0][kind])
              << name << " " << static_cast<int>(kind) << "\n"
              << program.ToText() << state.TraceText();
        }
      }
    }
  }
  EXPECT_GE(compared, 200);
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
