// Which copies of CUDA kernels are asynchronous, and where threads wait for them.
#include "backends/device_text/async_copy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/device_text/device_text.h"
#include "env/lower/lower.h"
#include "tests/env/lower/gpu_matmul.h"
#include "tests/support/count_of.h"
#include "tests/support/program_runner.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(const std::string& dag, const std::string& trace,
                   const DeviceDialect& dialect = AsyncCudaDialect()) {
  return DeviceText(Lower(StateAfter(TaskOf(dag, BackendKind::kCuda), trace)).value(), dialect)
      .value()
      .source;
}

// Rows of 16 go through shared memory in four lanes of four, and are read backwards.
constexpr char kReversed[] = "input A[4, 16]\nC[i:4, j:16] = A[i, 15 - j]\n";
constexpr char kReversedSteps[] =
    "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.x)\n"
    "cache_read(stage=A, scope=shared, readers=[C])\n"
    "compute_at(stage=A.shared, target=C, loop=0)\n"
    "split(stage=A.shared, loop=1, lengths=[4])\n"
    "bind(stage=A.shared, loop=1, thread=threadIdx.x)\nvectorize(stage=A.shared, loop=2)\n";

TEST(AsyncCopyTest, ArrivesBeforeTheBarrier) {
  EXPECT_EQ(TextOf(kReversed, kReversedSteps), "\n" + std::string(AsyncCopyText()) + R"(
extern "C" __global__ void __launch_bounds__(16, 1)
kernel_0(const float* __restrict__ A, float* __restrict__ C) {
  __shared__ __align__(16) unsigned char shared_memory[64];
  const int i = (int)blockIdx.x;
  float* const A_shared = (float*)(shared_memory + 0);
  const int j = (int)threadIdx.x;
  if (j < 4) {
    const int i1_0 = j;
    copy_async<16>(A_shared + i1_0 * 4, A + i * 16 + i1_0 * 4);
  }
  copy_wait();
  __syncthreads();
  C[i * 16 + j] = A_shared[15 - j];
}
)");
}

// One half (two bytes) is too small for an asynchronous copy; four halves in four lanes are not.
TEST(AsyncCopyTest, CopiesOfHalvesNeedLanes) {
  const std::string dag = "input A[4, 16] : f16\nC[i:4, j:16] = A[i, 15 - j]\n";
  const std::string steps = kReversedSteps;
  EXPECT_THAT(TextOf(dag, steps),
              HasSubstr("copy_async<8>(A_shared + i1_0 * 4, A + i * 16 + i1_0 * 4);"));
  const std::string narrow = TextOf(dag, steps.substr(0, steps.find("split(")));
  EXPECT_THAT(narrow, HasSubstr("A_shared["));
  EXPECT_THAT(narrow, Not(HasSubstr("copy_async")));
}

TEST(AsyncCopyTest, IsNamedInTheText) {
  EXPECT_THAT(AsyncCopyText(), HasSubstr("cp.async.cg.shared.global [%0], [%1], 16;"));
  EXPECT_THAT(AsyncCopyText(), HasSubstr("cp.async.wait_all;"));
}

// Two tiles of 4-byte elements in each step; the second barrier publishes them.
TEST(AsyncCopyTest, WaitsOnceAStep) {
  const std::string text = TextOf(kMatmul128, kMatmul128Steps);
  EXPECT_GE(CountOf("copy_async<4>(&", text), 2);
  EXPECT_EQ(CountOf("copy_wait();\n", text), 1);
  EXPECT_EQ(CountOf("__syncthreads();", text), 2);
  EXPECT_THAT(text, HasSubstr("    copy_wait();\n    __syncthreads();\n"));
}

TEST(AsyncCopyTest, IsChosenByTheTarget) {
  const auto dialect = [](const char* target) -> const DeviceDialect& {
    return DialectOf(TargetOf(target));
  };
  EXPECT_EQ(&dialect("cuda(card=h100)"), &CudaDialect());
  EXPECT_EQ(&dialect("cuda(card=h100,features=async_copy)"), &AsyncCudaDialect());
  EXPECT_TRUE(IsCuda(AsyncCudaDialect()));
  EXPECT_THAT(TextOf(kMatmul128, kMatmul128Steps, CudaDialect()), Not(HasSubstr("copy_")));
}

// There is no asynchronous copy of single bytes, nor of values that are computed on the way.
TEST(AsyncCopyTest, CopiesFourBytesOrMore) {
  const std::string steps =
      "bind(stage=C, loop=0, thread=threadIdx.x)\ncache_read(stage=A, scope=shared, readers=[C])\n";
  EXPECT_THAT(TextOf("input A[8] : i8\nC[i:8] = A[7 - i]\n", steps), Not(HasSubstr("copy_")));
}

using Statements = std::vector<StatementPtr>;

// Memory: A of global memory, S and T of shared memory in the same bytes, L local.
LoopProgram BuffersOfTest() {
  LoopProgram program;
  program.parameters = {{"A", DType::kF32, false, 128}};
  program.buffers = {{"A", DType::kF32, {32}, {1}, MemoryScope::kGlobal, 0},
                     {"S", DType::kF32, {8}, {1}, MemoryScope::kShared},
                     {"T", DType::kF32, {8}, {1}, MemoryScope::kShared},
                     {"L", DType::kF32, {8}, {1}, MemoryScope::kLocal}};
  program.variables = {{"x", {0, 7}}, {"t", {0, 3}}};
  return program;
}

StatementPtr CopyOf(int to, int from, const Expr& from_place = Variable(0)) {
  return MakeStatement(Store{to, {Variable(0)}, Read(DType::kF32, from, {from_place})});
}

size_t CopiesIn(Statements statements) {
  const StatementPtr body =
      MakeStatement(For{0, 0, 8, LoopKind::kThreadX, MakeStatement(Block{std::move(statements)})});
  return FindAsyncCopies(BuffersOfTest(), {body, {1, 1, 1}, {8, 1, 1}}).copies.size();
}

constexpr int kA = 0, kS = 1, kT = 2, kL = 3;
StatementPtr Wait() { return MakeStatement(Barrier{}); }

TEST(AsyncCopyTest, CellsAreUsedBehindABarrier) {
  EXPECT_EQ(CopiesIn({CopyOf(kS, kA), Wait(), CopyOf(kL, kS)}), 1u);
  EXPECT_EQ(CopiesIn({CopyOf(kS, kA), CopyOf(kL, kS)}), 0u) << "a cell of the thread's own";
  EXPECT_EQ(CopiesIn({CopyOf(kS, kA), CopyOf(kS, kL), Wait()}), 0u) << "stored to on the way";
  EXPECT_EQ(CopiesIn({CopyOf(kS, kA), CopyOf(kL, kT), Wait()}), 0u) << "the same bytes";
  EXPECT_EQ(CopiesIn({CopyOf(kS, kA), CopyOf(kT, kA), Wait()}), 0u) << "the same bytes";
}

TEST(AsyncCopyTest, SourcesAreNotStoredTo) {
  EXPECT_EQ(CopiesIn({CopyOf(kS, kA), Wait(), CopyOf(kA, kS)}), 0u);
}

StatementPtr Repeated(Statements statements) {
  return MakeStatement(
      For{1, 0, 4, LoopKind::kSerial, MakeStatement(Block{std::move(statements)})});
}

TEST(AsyncCopyTest, IterationsMeet) {
  EXPECT_EQ(CopiesIn({Repeated({CopyOf(kL, kS), Wait(), CopyOf(kS, kA), Wait()})}), 1u);
  EXPECT_EQ(CopiesIn({Repeated({Wait(), CopyOf(kL, kS), CopyOf(kS, kA)})}), 1u);
  EXPECT_EQ(CopiesIn({Repeated({CopyOf(kL, kS), Wait(), CopyOf(kS, kA)})}), 0u);
}

// Otherwise the order in which copies arrive would be undefined.
TEST(AsyncCopyTest, CellsAreCopiedOnce) {
  const Expr moved = Variable(0) + Variable(1) * IndexConstant(8);
  EXPECT_EQ(CopiesIn({Repeated({CopyOf(kS, kA, moved)}), Wait()}), 0u);
  EXPECT_EQ(CopiesIn({Repeated({CopyOf(kS, kA, moved), Wait()})}), 1u);
}

}  // namespace
}  // namespace schedulegym
