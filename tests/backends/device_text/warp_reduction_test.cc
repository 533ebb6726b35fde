// The loops of CUDA kernels that become shuffles, and the text of these.
#include "backends/device_text/warp_reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/device_text/device_text.h"
#include "env/lower/lower.h"
#include "tests/support/count_of.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(const std::string& dag, const std::string& trace,
                   const DeviceDialect& dialect = CudaDialect()) {
  return DeviceText(Lower(StateAfter(TaskOf(dag, BackendKind::kCuda), trace)).value(), dialect)
      .value()
      .source;
}

// One row per block; `threads` threads share its sum.
std::string TextOfRows(const std::string& combiner, const std::string& type, int threads,
                       const DeviceDialect& dialect = CudaDialect()) {
  return TextOf("input A[6, 192] : " + type + "\nC[i:6] = " + combiner + "(k:192) A[i, k]\n",
                "split(stage=C, loop=1, lengths=[" + std::to_string(threads) +
                    "])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
                    "bind(stage=C, loop=2, thread=threadIdx.x)",
                dialect);
}

TEST(WarpReductionTest, AWholeWarpSharesASum) {
  EXPECT_EQ(TextOfRows("sum", "f32", 32), R"(
// Combines `count` cells. The lanes of a warp share them out; each gets the result.
template <int count, int lanes>
static __device__ __forceinline__ float warp_sum(const float* cells, int stride) {
  const unsigned thread =
      threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int lane = (int)(thread % lanes);
  const unsigned mask = 0xffffffffu >> (32 - lanes) << (thread % 32 / lanes * lanes);
  float value = cells[lane * stride];
  for (int i = lane + lanes; i < count; i += lanes) value = value + cells[i * stride];
  #pragma unroll
  for (int step = lanes / 2; step > 0; step /= 2) {
    const float other = __shfl_xor_sync(mask, value, step, lanes);
    value = value + other;
  }
  return value;
}

extern "C" __global__ void __launch_bounds__(32, 1)
kernel_0(const float* __restrict__ A, float* __restrict__ C) {
  __shared__ __align__(16) unsigned char shared_memory[128];
  const int i = (int)blockIdx.x;
  float* const C_partial = (float*)(shared_memory + 0);
  const int k_1 = (int)threadIdx.x;
  float C_tile[1];
  C_tile[0] = 0.0f;
  for (int k_0 = 0; k_0 < 6; ++k_0) {
    C_tile[0] = C_tile[0] + A[i * 192 + k_1 + k_0 * 32];
  }
  C_partial[k_1] = C_tile[0];
  __syncthreads();
  float C_sum[1];
  C_sum[0] = 0.0f;
  C_sum[0] = C_sum[0] + warp_sum<32, 32>(&C_partial[0], 1);
  if (k_1 == 0) {
    C[i] = C_sum[0];
  }
}
)");
}

TEST(WarpReductionTest, HasAFunctionForEachCombinerAndType) {
  EXPECT_THAT(TextOfRows("max", "f32", 64), HasSubstr("fmaxf(C_sum[0], warp_max<64, 32>(&C_"));
  EXPECT_THAT(TextOfRows("min", "f64", 8), HasSubstr("value = fmin(value, other);"));
  EXPECT_THAT(TextOfRows("prod", "f32", 96), HasSubstr("C_sum[0] * warp_product<96, 32>(&C_"));
  EXPECT_THAT(TextOfRows("sum", "i32", 48),
              HasSubstr("value = (int)((unsigned)value + (unsigned)other);"));
}

// 48 is three times 16, 24 three times 8; of 12 and 6 threads groups would have four lanes or two.
TEST(WarpReductionTest, LanesAreAPowerOfTwoThatDividesTheBlock) {
  EXPECT_THAT(TextOfRows("sum", "i32", 48), HasSubstr("warp_sum<48, 16>("));
  EXPECT_THAT(TextOfRows("sum", "i32", 24), HasSubstr("warp_sum<24, 8>("));
  EXPECT_THAT(TextOfRows("sum", "i32", 12), HasSubstr("warp_sum<12, 4>("));
  EXPECT_THAT(TextOfRows("sum", "i32", 6), Not(HasSubstr("warp_sum")));
  EXPECT_THAT(TextOfRows("sum", "i32", 3), Not(HasSubstr("warp_sum")));
}

TEST(WarpReductionTest, BytesAndOpenClDoNotShuffle) {
  EXPECT_THAT(TextOfRows("sum", "i8", 32), Not(HasSubstr("warp_")));
  EXPECT_THAT(TextOfRows("sum", "i32", 32, OpenClDialect()), Not(HasSubstr("warp_")));
}

// Threads along y share the sum of a column that belongs to a thread along x: lanes read other
// cells.
TEST(WarpReductionTest, LanesOfOtherSumsDoNot) {
  EXPECT_THAT(TextOf("input A[8, 32] : i32\nC[i:32] = sum(k:8) A[k, i]\n",
                     "bind(stage=C, loop=0, thread=threadIdx.x)\n"
                     "bind(stage=C, loop=1, thread=threadIdx.y)"),
              Not(HasSubstr("warp_sum")));
}

// Eight of 32 threads fill the sums; all of them read these.
TEST(WarpReductionTest, LanesThatFillNothingShareTheSumToo) {
  EXPECT_THAT(
      TextOf("input A[4, 8] : i32\nS[i:4] = sum(k:8) A[i, k]\nC[i:4, j:32] = S[i] + A[i, j % 8]\n",
             "bind(stage=C, loop=0, thread=blockIdx.x)\nbind(stage=C, loop=1, thread=threadIdx.x)\n"
             "compute_at(stage=S, target=C, loop=0)\nbind(stage=S, loop=1, thread=threadIdx.x)"),
      HasSubstr("warp_sum<8, 8>(&S_partial[0], 1)"));
}

// for t in 0..8: S[0] = S[0] + P[t], for threads below `bound` of 32.
std::map<int, WarpReduction> FoundUnder(int64_t bound) {
  LoopProgram program;
  program.buffers = {{"P", DType::kF32, {8}, {1}, MemoryScope::kShared},
                     {"S", DType::kF32, {1}, {1}, MemoryScope::kLocal}};
  program.variables = {{"x", {0, 31}}, {"t", {0, 7}}};
  const std::vector<Expr> cell = {IndexConstant(0)};
  const Expr sum =
      Binary(Op::kAdd, Read(DType::kF32, 1, cell), Read(DType::kF32, 0, {Variable(1)}));
  StatementPtr body =
      MakeStatement(For{1, 0, 8, LoopKind::kSerial, MakeStatement(Store{1, cell, sum})});
  body = MakeStatement(If{Binary(Op::kLess, Variable(0), IndexConstant(bound)), body, nullptr});
  body = MakeStatement(For{0, 0, 32, LoopKind::kThreadX, body});
  return FindWarpReductions(program, {body, {1, 1, 1}, {32, 1, 1}});
}

TEST(WarpReductionTest, LanesUnderAGuardDoNot) { EXPECT_TRUE(FoundUnder(8).empty()); }

// Each of the six cells of a tile has its sum; the stride is that of the threads.
TEST(WarpReductionTest, SharesEachSumOfATile) {
  const std::string text = TextOf(
      "input A[4, 8] : i32\ninput B[8, 6] : i32\n"
      "C[i:4, j:6] = sum(k:8) A[i, k] * B[k, j]\n",
      "reorder(stage=C, order=[0, 2, 1])\nbind(stage=C, loop=0, thread=blockIdx.x)\n"
      "bind(stage=C, loop=1, thread=threadIdx.x)\nunroll(stage=C, loop=2)");
  EXPECT_THAT(text, HasSubstr("warp_sum<8, 8>(&C_partial[j"));
}

}  // namespace
}  // namespace schedulegym
