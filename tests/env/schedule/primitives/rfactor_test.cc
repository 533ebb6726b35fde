#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kSum[] = "input A[128]\nS[] = sum(k:128) A[k]\n";
constexpr char kRows[] = "input A[6, 32]\nS[i:6] = max(k:32) A[i, k]\n";

TEST(RfactorTest, MakesPartialResults) {
  EXPECT_EQ(LoopsOf(StateAfter(kSum,
                               "split(stage=S, loop=0, lengths=[16])\n"
                               "rfactor(stage=S, loop=1, axis=0)")),
            "S.rf[16] global:\n"
            "for k.1 in 0..16\n"
            "  for k.0 in 0..8  # reduction\n"
            "    S.rf[k.1] = sum A[k.0 * 16 + k.1]\n"
            "S[] global:\n"
            "for k.1 in 0..16  # reduction\n"
            "  S[] = sum S.rf[k.1]\n");
}

// The new axis may be any dimension of the partial results; the combiner stays.
TEST(RfactorTest, PlacesTheNewAxis) {
  EXPECT_EQ(LoopsOf(StateAfter(kRows,
                               "split(stage=S, loop=1, lengths=[4])\n"
                               "rfactor(stage=S, loop=1, axis=1)")),
            "S.rf[6, 8] global:\n"
            "for i in 0..6\n"
            "  for k.0 in 0..8\n"
            "    for k.1 in 0..4  # reduction\n"
            "      S.rf[i, k.0] = max A[i, k.0 * 4 + k.1]\n"
            "S[6] global:\n"
            "for i in 0..6\n"
            "  for k.0 in 0..8  # reduction\n"
            "    S[i] = max S.rf[i, k.0]\n");
}

// With nothing left to reduce, the partial stage is elementwise.
TEST(RfactorTest, TakesAWholeReduction) {
  EXPECT_EQ(LoopsOf(StateAfter(kRows, "rfactor(stage=S, loop=1, axis=0)")),
            "S.rf[32, 6] global:\n"
            "for k in 0..32\n"
            "  for i in 0..6\n"
            "    S.rf[k, i] = A[i, k]\n"
            "S[6] global:\n"
            "for i in 0..6\n"
            "  for k in 0..32  # reduction\n"
            "    S[i] = max S.rf[k, i]\n");
}

TEST(RfactorTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kRows, "");
  EXPECT_EQ(RefusalOf(state, "rfactor(stage=S, loop=0, axis=0)"),
            "loop 0 of S is spatial, expected a reduction");
  EXPECT_EQ(RefusalOf(state, "rfactor(stage=S, loop=1, axis=2)"), "found axis 2, expected 0..1");
  EXPECT_EQ(RefusalOf(state, "rfactor(stage=S, loop=1, axis=-1)"), "found axis -1, expected 0..1");
  EXPECT_EQ(RefusalOf(StateAfter(state, "split(stage=S, loop=0, lengths=[2])"),
                      "rfactor(stage=S, loop=2, axis=0)"),
            "the spatial loops of S have been changed: rfactor comes first");
  EXPECT_EQ(
      RefusalOf(StateAfter(state, "parallel(stage=S, loop=0)"), "rfactor(stage=S, loop=1, axis=0)"),
      "the spatial loops of S have been changed: rfactor comes first");
  EXPECT_EQ(RefusalOf(StateAfter(state, "split(stage=S, loop=1, lengths=[5])"),
                      "rfactor(stage=S, loop=1, axis=0)"),
            "a split of the reduction of S does not divide 32");
  EXPECT_EQ(
      RefusalOf(StateAfter(state, "unroll(stage=S, loop=1)"), "rfactor(stage=S, loop=1, axis=0)"),
      "loop 1 of S is annotated already (unrolled)");
}

TEST(RfactorTest, KeepsProducersInReach) {
  const ScheduleState state = StateAfter(
      "input A[6, 32]\nP[i:6, k:32] = A[i, k] + 1\nS[i:6] = sum(k:32) P[i, k]\nC[i:6] = S[i] + 1\n",
      "");
  EXPECT_EQ(RefusalOf(StateAfter(state, "compute_at(stage=P, target=S, loop=0)"),
                      "rfactor(stage=S, loop=1, axis=0)"),
            "P is computed at a loop of S, which would vanish");
  EXPECT_EQ(RefusalOf(StateAfter(StateAfter(state, "compute_at(stage=S, target=C, loop=0)"),
                                 "compute_at(stage=P, target=C, loop=0)"),
                      "rfactor(stage=S, loop=1, axis=0)"),
            "the new stage would read P outside of the loop of C that computes it");
}

}  // namespace
}  // namespace schedulegym
