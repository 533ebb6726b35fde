#include "backends/device_text/closed_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/device_text/device_text.h"
#include "env/lower/lower.h"
#include "tests/env/lower/gpu_matmul.h"
#include "tests/env/lower/shared_sum.h"
#include "tests/support/count_of.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

constexpr char kBarrier[] = "barrier(CLK_LOCAL_MEM_FENCE);";

std::string TextOf(const std::string& dag, const std::string& steps, const DeviceDialect& dialect) {
  return DeviceText(Lower(StateAfter(TaskOf(dag, BackendKind::kOpenCl), steps)).value(), dialect)
      ->source;
}

// Without the fourth barrier PoCL 3.1 does not store the sums.
TEST(ClosedLoopsTest, AGuardBehindALoopWithBarriersHasOneBeforeIt) {
  const std::string text = TextOf(kSum, kSharedSum, OpenClDialect());
  EXPECT_EQ(CountOf(kBarrier, text), 4) << text;
  EXPECT_THAT(text, HasSubstr(std::string("  }\n  ") + kBarrier + "\n  if (i0_i1_1 < 2) {\n"));
  EXPECT_EQ(CountOf("__syncthreads();", TextOf(kSum, kSharedSum, CudaDialect())), 3);
}

TEST(ClosedLoopsTest, WithoutGuardsNothingChanges) {
  EXPECT_EQ(CountOf(kBarrier, TextOf(kMatmul128, kMatmul128Steps, OpenClDialect())), 2);
  EXPECT_EQ(CountOf(kBarrier, TextOf(kSum, "", OpenClDialect())), 0);
}

}  // namespace
}  // namespace schedulegym
