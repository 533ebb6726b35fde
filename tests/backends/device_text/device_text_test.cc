#include "backends/device_text/device_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/lower/lower.h"
#include "tests/env/lower/gpu_matmul.h"
#include "tests/support/count_of.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

DeviceProgram TextOf(const std::string& dag, const std::string& trace) {
  const ScheduleState state = StateAfter(TaskOf(dag, BackendKind::kOpenCl), trace);
  Result<DeviceProgram> program = DeviceText(Lower(state).value(), OpenClDialect());
  EXPECT_TRUE(program.ok()) << program.error().message;
  return *std::move(program);
}

std::string RefusalOf(const std::string& dag, const std::string& trace) {
  const ScheduleState state = StateAfter(TaskOf(dag, BackendKind::kOpenCl), trace);
  const Result<DeviceProgram> program = DeviceText(Lower(state).value(), OpenClDialect());
  return program ? "none" : program.error().message;
}

constexpr char kScaled[] = "input A[64]\nC[i:64] = A[i] * 2\n";

TEST(DeviceTextTest, BindsLoopsToTheGrid) {
  const DeviceProgram program =
      TextOf(kScaled,
             "split(stage=C, loop=0, lengths=[16])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
             "bind(stage=C, loop=1, thread=threadIdx.x)");
  EXPECT_EQ(program.source,
            "\n__kernel __attribute__((reqd_work_group_size(16, 1, 1)))\n"
            "void kernel_0(__global const float* restrict A, __global float* restrict C) {\n"
            "  const int i_0 = (int)get_group_id(0);\n"
            "  const int i_1 = (int)get_local_id(0);\n"
            "  C[i_0 * 16 + i_1] = A[i_0 * 16 + i_1] * 2.0f;\n"
            "}\n");
  ASSERT_EQ(program.kernels.size(), 1u);
  EXPECT_EQ(program.kernels[0].blocks, (std::vector<int64_t>{4, 1, 1}));
  EXPECT_EQ(program.kernels[0].threads, (std::vector<int64_t>{16, 1, 1}));
  EXPECT_EQ(program.kernels[0].arguments, (std::vector<int32_t>{0, 1}));
}

// 64 = 4 * 15 + 4: the last block has threads without work.
TEST(DeviceTextTest, GuardsWhatTheGridHasTooMuch) {
  const DeviceProgram program =
      TextOf(kScaled,
             "split(stage=C, loop=0, lengths=[15])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
             "bind(stage=C, loop=1, thread=threadIdx.x)");
  EXPECT_EQ(program.kernels[0].blocks[0], 5);
  EXPECT_EQ(program.kernels[0].threads[0], 15);
  EXPECT_THAT(program.source, HasSubstr("if (i_0 * 15 + i_1 < 64) {"));
}

// Constant divisors other than 0 and -1 use the language's own operator.
TEST(DeviceTextTest, QuotientsOfDataAskForDivisors) {
  const auto quotient = [](const std::string& by) {
    return TextOf("input A[8] : i32\nC[i:8] = A[i] / " + by + "\n", "").source;
  };
  EXPECT_THAT(quotient("3"), HasSubstr("C[i] = A[i] / 3;"));
  EXPECT_THAT(quotient("-1"), HasSubstr("C[i] = truncated_divide(A[i], -1);"));
  EXPECT_THAT(quotient("A[0]"), HasSubstr("int truncated_divide(int a, int b) {\n"
                                          "  if (b == 0) return 0;\n"
                                          "  if (b == -1) return (int)(0u - (uint)a);\n"
                                          "  return a / b;\n"));
}

TEST(DeviceTextTest, PutsBracketsWhereCompilersAskForThem) {
  EXPECT_THAT(
      TextOf("input A[8]\nC[i:8] = select(A[i] > 1 && A[i] < 2 || A[i] > 5, A[i], 0)\n", "").source,
      HasSubstr("(A[i] > 1.0f && A[i] < 2.0f) || A[i] > 5.0f ? A[i] : 0.0f"));
}

TEST(DeviceTextTest, MakesAKernelOfEachStageAtTheRoot) {
  const DeviceProgram program =
      TextOf("input A[8, 32]\nM[i:8] = max(r:32) A[i, r]\nC[i:8, j:32] = A[i, j] - M[i]\n", "");
  ASSERT_EQ(program.kernels.size(), 2u);
  EXPECT_EQ(program.temporaries, (std::vector<int64_t>{32}));
  EXPECT_EQ(program.kernels[0].arguments, (std::vector<int32_t>{0, ~0}));
  EXPECT_EQ(program.kernels[1].arguments, (std::vector<int32_t>{0, 1, ~0}));
}

TEST(DeviceTextTest, UnrollsByPragma) {
  const DeviceProgram program =
      TextOf("input A[4, 8]\nC[i:4] = sum(r:8) A[i, r]\n", "unroll(stage=C, loop=1)");
  EXPECT_THAT(program.source, HasSubstr("#pragma unroll\n    for (int r = 0; r < 8; ++r) {"));
}

// A local copy is the thread's registers: no second tile, no branch on the first step.
TEST(DeviceTextTest, AccumulatesInPlace) {
  const DeviceProgram program =
      TextOf("input A[8, 16]\nC[i:8] = sum(r:16) A[i, r]\n",
             "cache_write(stage=C, scope=local)\ncompute_at(stage=C.local, target=C, loop=0)\n"
             "bind(stage=C, loop=0, thread=threadIdx.x)");
  EXPECT_THAT(program.source, HasSubstr("C_local[0] = 0.0f;"));
  EXPECT_THAT(program.source, Not(HasSubstr("tile")));
  EXPECT_THAT(program.source, Not(HasSubstr("if (")));
}

TEST(DeviceTextTest, WrapsIntegers) {
  const DeviceProgram program =
      TextOf("input A[4] : i32\ninput B[4] : i8\nC[i:4] = A[i] * A[i]\nD[i:4] = B[i] + B[i]\n", "");
  EXPECT_THAT(program.source, HasSubstr("(int)((uint)A[i] * (uint)A[i])"));
  EXPECT_THAT(program.source, HasSubstr("(char)((uint)B[i] + (uint)B[i])"));
}

TEST(DeviceTextTest, LeavesNanOutOfMaxima) {
  const DeviceProgram program =
      TextOf("input A[4]\ninput B[4] : i32\nC[i:4] = max(A[i], 0)\nD[i:4] = min(B[i], 3)\n", "");
  EXPECT_THAT(program.source, HasSubstr("C[i] = fmax(A[i], 0.0f);"));
  EXPECT_THAT(program.source, HasSubstr("D[i] = min(B[i], 3);"));
}

// max(char, int) would be ambiguous; `padded ? A[i] : 0` is an int.
TEST(DeviceTextTest, ComparesBytesWithBytes) {
  const DeviceProgram program = TextOf(
      "input A[4] : i8\nC[i:4] = max(select(i < 3, A[i + 1], 0), A[i])\n"
      "D[i:4] = min(A[i] / 2, 3)\n",
      "");
  EXPECT_THAT(program.source, HasSubstr("max((char)(i < 3 ? A[i + 1] : 0), A[i])"));
  EXPECT_THAT(program.source, HasSubstr("min((char)(A[i] / 2), (char)3)"));
}

TEST(DeviceTextTest, RenamesWhatTheLanguageKnows) {
  const DeviceProgram program = TextOf("input half[4]\nkernel[i:4] = half[i] + 1\n", "");
  EXPECT_THAT(program.source, HasSubstr("kernel_[i] = half_[i] + 1.0f;"));
}

TEST(DeviceTextTest, TakesLongIndicesWhereTheyMayBeNeeded) {
  const DeviceProgram program = TextOf("input A[65536, 65536] : i8\nC[i:65536] = A[i, i]\n", "");
  EXPECT_THAT(program.source, HasSubstr("for (long i = 0; i < 65536; ++i) {"));
  EXPECT_THAT(program.source, HasSubstr("A[i * 65537L]"));
}

TEST(DeviceTextTest, SharesMemoryBetweenBarriers) {
  const DeviceProgram program = TextOf(kMatmul128, kMatmul128Steps);
  EXPECT_THAT(program.source,
              HasSubstr("__local uchar shared_memory[4096] __attribute__((aligned(16)));"));
  EXPECT_THAT(program.source,
              HasSubstr("__local float* const B_shared = (__local float*)(shared_memory + 2048);"));
  EXPECT_EQ(CountOf("barrier(CLK_LOCAL_MEM_FENCE);", program.source), 2);
  ASSERT_EQ(program.kernels.size(), 1u);
  EXPECT_EQ(program.kernels[0].threads, (std::vector<int64_t>{256, 1, 1}));
  EXPECT_EQ(program.kernels[0].shared_bytes, (64 * 8 + 8 * 64) * 4);
}

TEST(DeviceTextTest, RefusesWhatItCannotSay) {
  EXPECT_THAT(RefusalOf(kScaled,
                        "cache_read(stage=A, scope=global, readers=[C])\n"
                        "compute_at(stage=A.global, target=C, loop=0)"),
              HasSubstr("A.global in global memory"));
}

}  // namespace
}  // namespace schedulegym
