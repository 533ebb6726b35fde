// Pragmas of loops in CUDA text.
#include "backends/device_text/unrolling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/device_text/device_text.h"
#include "env/lower/lower.h"
#include "tests/env/lower/gpu_matmul.h"
#include "tests/support/count_of.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(const std::string& dag, const std::string& steps) {
  const ScheduleState state = StateAfter(TaskOf(dag, BackendKind::kCuda), steps);
  return DeviceText(Lower(state).value(), CudaDialect()).value().source;
}

// 2 x 2 cells of a thread, of 2 x 2 virtual threads: all loops that move C_local.
TEST(UnrollingTest, LoopsThatIndexRegisters) {
  const std::string text = TextOf(kMatmul128, kMatmul128Steps);
  EXPECT_THAT(text, HasSubstr("#pragma unroll\n  for (int i_j_1 = 0; i_j_1 < 4; ++i_j_1) {"));
  EXPECT_THAT(text, Not(HasSubstr("}\n      for (int i")));
  // The compiler decides about eight terms of four stores.
  EXPECT_THAT(text, HasSubstr("for (int k_1 = 0; k_1 < 8; ++k_1) {"));
}

TEST(UnrollingTest, LongCopiesByFour) {
  const std::string text = TextOf("input A[4, 256]\nC[i:4, j:256] = A[i, j] * 2\n", "");
  EXPECT_THAT(text, HasSubstr("#pragma unroll 4\n    for (int j = 0; j < 256; ++j) {"));
  // 4 * 256 stores stay a loop around the loop.
  EXPECT_EQ(CountOf("#pragma unroll", text), 1);
}

// A thread of 64 x 64 terms: 4096 steps are more than the bound.
TEST(UnrollingTest, AtMostTheBound) {
  const char* dag = "input A[64, 64]\nC[i:1] = sum(p:64, q:64) A[p, q]\n";
  EXPECT_THAT(TextOf(dag, "unroll(stage=C, loop=2)"),
              HasSubstr("#pragma unroll\n    for (int q = 0; q < 64; ++q) {"));
  EXPECT_THAT(TextOf(dag, "unroll(stage=C, loop=1)\nunroll(stage=C, loop=2)"),
              HasSubstr("#pragma unroll 4\n    for (int q = 0; q < 64; ++q) {"));
}

TEST(UnrollingTest, OpenClHasTheProgramsOwn) {
  const ScheduleState state = StateAfter(TaskOf(kMatmul128, BackendKind::kOpenCl), kMatmul128Steps);
  const std::string text = DeviceText(Lower(state).value(), OpenClDialect()).value().source;
  EXPECT_THAT(text, Not(HasSubstr("#pragma unroll 4")));
}

}  // namespace
}  // namespace schedulegym
