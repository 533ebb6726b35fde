// Reductions that the threads of a block share, against the naive program, in sequential form.
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/lower/place_barriers.h"
#include "env/lower/sequential_form.h"
#include "env/lower/validate.h"
#include "tests/env/lower/lowered.h"
#include "tests/support/program_runner.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

struct Shared {
  const char* name;
  const char* dag;
  const char* steps;
};

std::vector<GuardedMemory> ResultsOf(const LoopProgram& program) {
  const auto interpreter = MakeInterpreter(TargetOf("interpreter"));
  auto results = RunOn(*interpreter, program, {}, MakeArguments(program, 1));
  EXPECT_TRUE(results.ok()) << results.error().message << "\n" << program.ToText();
  return results ? *std::move(results) : MakeArguments(program, 1);
}

LoopProgram LoweredFor(BackendKind backend, const char* dag, const char* steps) {
  return Lower(StateAfter(TaskOf(dag, backend), steps)).value();
}

constexpr char kRows[] = "input A[4, 16] : i32\nC[i:4] = sum(k:16) A[i, k]\n";
constexpr char kRowsSteps[] =
    "split(stage=C, loop=1, lengths=[8])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
    "bind(stage=C, loop=2, thread=threadIdx.x)";

// Each of eight threads sums two of sixteen values; thread 0 adds up the eight sums.
TEST(WalkThreadsTest, EachThreadSumsAndOneAddsUp) {
  const LoopProgram program = LoweredFor(BackendKind::kOpenCl, kRows, kRowsSteps);
  EXPECT_EQ(BodyOf(program), R"(blockIdx.x i in 0..4
  allocate C.partial[8] : i32 shared
  threadIdx.x k.1 in 0..8
    allocate C.tile[] : i32 local
    C.tile[] = 0
    for k.0 in 0..2
      C.tile[] = C.tile[] + A[i, k.1 + k.0 * 8]
    C.partial[k.1] = C.tile[]
    barrier
    allocate C.sum[] : i32 local
    C.sum[] = 0
    for k.1_1 in 0..8
      C.sum[] = C.sum[] + C.partial[k.1_1]
    if k.1 == 0
      C[i] = C.sum[]
)");
}

const Shared kShared[] = {
    {"Rows", kRows, kRowsSteps},
    {"UnevenParts", "input A[3, 13] : i32\nC[i:3] = sum(k:13) A[i, k]\n",
     "split(stage=C, loop=1, lengths=[4])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
     "bind(stage=C, loop=2, thread=threadIdx.x)"},
    {"OuterPartUneven", "input A[3, 13] : i32\nC[i:3] = sum(k:13) A[i, k]\n",
     "split(stage=C, loop=1, lengths=[4])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
     "bind(stage=C, loop=1, thread=threadIdx.x)"},
    {"MoreThreadsThanTerms", "input A[3, 7] : i32\nC[i:3] = sum(k:7) A[i, k]\n",
     "split(stage=C, loop=1, lengths=[8])\nbind(stage=C, loop=2, thread=threadIdx.x)"},
    {"NoLoopLeft", "input A[3, 8] : i32\nC[i:3] = max(k:8) A[i, k]\n",
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.x)"},
    {"WholeSum", "input A[4, 6] : i32\nC[] = sum(i:4, k:6) A[i, k]\n",
     "bind(stage=C, loop=0, thread=threadIdx.y)\nbind(stage=C, loop=1, thread=threadIdx.x)"},
    {"BesideRowsOfThreads", "input A[6, 12] : i32\nC[i:6] = sum(k:12) A[i, k]\n",
     "split(stage=C, loop=1, lengths=[4])\nsplit(stage=C, loop=0, lengths=[3])\n"
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.y)\n"
     "bind(stage=C, loop=3, thread=threadIdx.x)"},
    // Rows do not divide evenly, and barriers are inside the sums.
    {"UnderAGuard",
     "input A[5, 9] : i32\ninput B[9, 7] : i32\nC[i:5, j:7] = sum(k:9) A[i, k] * B[k, j]\n",
     "split(stage=C, loop=2, lengths=[4])\nsplit(stage=C, loop=0, lengths=[3])\n"
     "cache_read(stage=A, scope=shared, readers=[C])\n"
     "compute_at(stage=A.shared, target=C, loop=3)\n"
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.y)\n"
     "bind(stage=C, loop=4, thread=threadIdx.x)"},
    {"UnderAGuardWithoutBarriers", "input A[5, 9] : i32\nC[i:5] = sum(k:9) A[i, k]\n",
     "split(stage=C, loop=1, lengths=[4])\nsplit(stage=C, loop=0, lengths=[3])\n"
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.y)\n"
     "bind(stage=C, loop=3, thread=threadIdx.x)"},
    {"InVirtualThreads", "input A[6, 12] : i32\nC[i:6] = sum(k:12) A[i, k]\n",
     "split(stage=C, loop=1, lengths=[4])\nsplit(stage=C, loop=0, lengths=[3])\n"
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=vthread)\n"
     "bind(stage=C, loop=3, thread=threadIdx.x)"},
    {"InASerialLoop", "input A[6, 12] : i32\nC[i:6] = sum(k:12) A[i, k]\n",
     "split(stage=C, loop=1, lengths=[4])\nsplit(stage=C, loop=0, lengths=[3])\n"
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=3, thread=threadIdx.x)"},
    {"TilesWithin",
     "input A[4, 8] : i32\ninput B[8, 6] : i32\n"
     "C[i:4, j:6] = sum(k:8) A[i, k] * B[k, j]\n",
     "split(stage=C, loop=2, lengths=[4])\nreorder(stage=C, order=[0, 2, 3, 1])\n"
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=2, thread=threadIdx.x)\n"
     "unroll(stage=C, loop=3)"},
    {"ThreadsOfCellsWithin",
     "input A[4, 8] : i32\ninput B[8, 6] : i32\n"
     "C[i:4, j:6] = sum(k:8) A[i, k] * B[k, j]\n",
     "split(stage=C, loop=2, lengths=[4])\nreorder(stage=C, order=[0, 2, 3, 1])\n"
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=2, thread=threadIdx.x)\n"
     "bind(stage=C, loop=3, thread=threadIdx.y)"},
    {"WithSharedCopies", "input A[4, 16] : i32\nC[i:4, j:3] = sum(k:16) A[i, k] * A[j, k]\n",
     "split(stage=C, loop=2, lengths=[4])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
     "bind(stage=C, loop=3, thread=threadIdx.x)\ncache_read(stage=A, scope=shared, readers=[C])\n"
     "compute_at(stage=A.shared, target=C, loop=2)\nbind(stage=A.shared, loop=1, "
     "thread=threadIdx.x)"},
    {"IntoRegisters", "input A[4, 16] : i32\nC[i:4] = sum(k:16) A[i, k]\n",
     "cache_write(stage=C, scope=local)\nsplit(stage=C.local, loop=1, lengths=[4])\n"
     "bind(stage=C, loop=0, thread=blockIdx.x)\n"
     "compute_at(stage=C.local, target=C, loop=0)\nbind(stage=C.local, loop=2, "
     "thread=threadIdx.x)"},
    {"WithPadding",
     "input A[10] : i32\n"
     "C[i:10] = sum(r:8) select(i + r >= 4 && i + r < 14, A[i + r - 4], 0)\n",
     "split(stage=C, loop=1, lengths=[4])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
     "bind(stage=C, loop=2, thread=threadIdx.x)"},
    // The first of the threads' loops decides on the padding; the second begins in both branches.
    {"WithPaddingOfTheOuterThreads",
     "input A[10, 4] : i32\n"
     "C[i:10] = sum(r:3, c:4) select(i + r >= 1 && i + r < 11, A[i + r - 1, c], 0)\n",
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.y)\n"
     "bind(stage=C, loop=2, thread=threadIdx.x)"},
    {"ReadByTheSameBlock",
     "input A[4, 8] : i32\nS[i:4] = sum(k:8) A[i, k]\nC[i:4, j:8] = A[i, j] * S[i]\n",
     "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.x)\n"
     "compute_at(stage=S, target=C, loop=0)\nbind(stage=S, loop=1, thread=threadIdx.x)"},
};

class WalkThreadsShareTest : public testing::TestWithParam<Shared> {};

TEST_P(WalkThreadsShareTest, ComputesWhatTheNaiveProgramDoes) {
  const Shared& shared = GetParam();
  const LoopProgram program = LoweredFor(BackendKind::kOpenCl, shared.dag, shared.steps);
  const auto valid = Validate(program);
  ASSERT_TRUE(valid.ok()) << valid.error().message << "\n" << program.ToText();
  EXPECT_GE(CountBarriers(*program.body), 1) << program.ToText();
  const LoopProgram naive = LoweredFor(BackendKind::kLlvm, shared.dag, "");
  std::vector<GuardedMemory> got = ResultsOf(SequentialForm(program));
  ExpectEqualMemories(naive, got, ResultsOf(naive), program.ToText());
}

INSTANTIATE_TEST_SUITE_P(Cases, WalkThreadsShareTest, testing::ValuesIn(kShared),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(WalkThreadsTest, AllThreadsOfTheBlockComeBy) {
  const ScheduleState state = StateAfter(
      TaskOf("input A[4, 8] : i32\nS[i:4] = sum(k:8) A[i, k]\nC[i:4] = S[i] + 1\n",
             BackendKind::kOpenCl),
      "bind(stage=C, loop=0, thread=threadIdx.y)\ncompute_at(stage=S, target=C, loop=0)\n"
      "bind(stage=S, loop=1, thread=threadIdx.x)");
  const Result<LoopProgram> program = Lower(state);
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().message,
            "threads share the reduction of S, which is computed within threads of another stage");
}

}  // namespace
}  // namespace schedulegym
