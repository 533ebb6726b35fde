#include "env/features/curve_row.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Place = CurveLayout;

// i:8, j:16, k:32 from the outermost in; 4096 iterations.
constexpr char kProduct[] =
    "input A[8, 32]\ninput B[32, 16]\nC[i:8, j:16] = sum(k:32) A[i, k] * B[k, j]\n";

std::vector<float> RowOf(const char* dag, const char* steps = "") {
  const ScheduleState state = StateAfter(dag, steps);
  return CurveRow(state, FindLoopNests(state));
}
// The entry, in doublings (log2).
double At(const std::vector<float>& row, int buffer, int curve, int sample) {
  return 32 * row.at(static_cast<size_t>(Place::Curve(buffer, curve) + sample));
}

TEST(CurveRowTest, TouchedElementsByIterationsWithin) {
  const std::vector<float> row = RowOf(kProduct);
  // A: 32 iterations of k touch 32, 512 of j the same, 4096 all 256.
  EXPECT_EQ(At(row, 1, 0, 4), 0) << "no level has so few";
  EXPECT_EQ(At(row, 1, 0, 5), 5);
  EXPECT_EQ(At(row, 1, 0, 9), 5);
  EXPECT_EQ(At(row, 1, 0, 12), 8);
  EXPECT_EQ(At(row, 1, 0, 29), 8);
  // C: one cell, 16, 128.
  EXPECT_EQ(At(row, 0, 0, 5), 0);
  EXPECT_EQ(At(row, 0, 0, 9), 4);
  EXPECT_EQ(At(row, 0, 0, 12), 7);
}

TEST(CurveRowTest, IterationsByReuseAndTouchedElementsByThoseOutside) {
  const std::vector<float> row = RowOf(kProduct);
  // A: a reuse of 1 in k, of 16 from j on, all 4096 iterations.
  EXPECT_EQ(At(row, 1, 1, 0), 5);
  EXPECT_EQ(At(row, 1, 1, 3), 5);
  EXPECT_EQ(At(row, 1, 1, 4), 12);
  // No loop stands outside of i; outside of j are 8 iterations.
  EXPECT_EQ(At(row, 1, 2, 0), 8);
  EXPECT_EQ(At(row, 1, 2, 7), 8);
}

TEST(CurveRowTest, NumbersOfTheTraceAreRightAligned) {
  const std::vector<float> row =
      RowOf(kProduct, "split(stage=C, loop=0, lengths=[3])\nsplit(stage=C, loop=2, lengths=[7])\n");
  const size_t last = row.size() - 1;
  EXPECT_FLOAT_EQ(row[last], 3.0F / 32) << "log2(1 + 7)";
  EXPECT_FLOAT_EQ(row[last - 1], 2.0F / 32);
  EXPECT_EQ(row[last - 2], 0);
}

TEST(CurveRowTest, BuffersThatAreNotThereAreZero) {
  const std::vector<float> row = RowOf(kProduct);
  for (int sample = 0; sample < Place::kSamples; ++sample) EXPECT_EQ(At(row, 3, 0, sample), 0);
}

}  // namespace
}  // namespace schedulegym
