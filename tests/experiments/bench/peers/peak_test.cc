#include "experiments/bench/peers/peak.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(PeakTest, CountsTwoOperationsForEachLaneOfEachCore) {
  const SteadyClock clock;
  const PeakLoop single(DType::kF64, 1, clock);
  const PeakLoop pair(DType::kF64, 2, clock);
  EXPECT_GT(single.flops(), 0);
  // The numbers of accumulators may differ, and so may the remainders of the division by them.
  EXPECT_NEAR(pair.flops() / single.flops(), 2, 1e-3);
}

TEST(PeakTest, SaysWhatItRan) {
  const SteadyClock clock;
  EXPECT_NE(PeakLoop(DType::kF32, 1, clock).detail().find("accumulators"), std::string::npos);
}

TEST(PeakTest, TakesNoWiderVectorsThanAsked) {
  const SteadyClock clock;
  EXPECT_EQ(PeakLoop(DType::kF32, 1, clock, 128).detail().find("sse2"), 0u);
  // Four lanes of SSE; other machines have twice or four times as many, unless they are as old.
  EXPECT_GE(PeakLoop(DType::kF32, 1, clock).flops(),
            0.99 * PeakLoop(DType::kF32, 1, clock, 128).flops());
}

TEST(PeakTest, MeasuresSomething) {
  const SteadyClock clock;
  EXPECT_GT(MeasurePeakGflops(DType::kF32, 1, clock, 3), 0);
}

TEST(PeakTest, IntegersHaveNoPeak) {
  const SteadyClock clock;
  EXPECT_THROW(PeakLoop(DType::kI32, 1, clock), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
