#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kMatmul[] =
    "input A[8, 64]\ninput B[64, 32]\nC[i:8, j:32] = sum(k:64) A[i, k] * B[k, j]\n";

TEST(PackTest, AddsACopyInAnotherLayout) {
  EXPECT_EQ(
      LoopsOf(StateAfter(kMatmul, "pack(stage=B, readers=[C], tile=[1, 16], order=[1, 0, 2])")),
      "B.pack[64, 32] global packed by [1, 16] in order [1, 0, 2]:\n"
      "for i0 in 0..64\n"
      "  for i1 in 0..32\n"
      "    B.pack[i0, i1] = B[i0, i1]\n"
      "C[8, 32] global:\n"
      "for i in 0..8\n"
      "  for j in 0..32\n"
      "    for k in 0..64  # reduction\n"
      "      C[i, j] = sum A[i, k] * B.pack[k, j]\n");
}

TEST(PackTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kMatmul, "");
  EXPECT_EQ(RefusalOf(state, "pack(stage=B, readers=[C], tile=[16], order=[1, 0])"),
            "found 1 tiles, but B has 2 dimensions");
  EXPECT_EQ(RefusalOf(state, "pack(stage=B, readers=[C], tile=[1, 0], order=[0, 1])"),
            "found tile 0, expected 1..32");
  EXPECT_EQ(RefusalOf(state, "pack(stage=B, readers=[C], tile=[65, 1], order=[0, 1, 2])"),
            "found tile 65, expected 1..64");
  EXPECT_EQ(RefusalOf(state, "pack(stage=B, readers=[C], tile=[1, 16], order=[0, 1])"),
            "order must name each of the 3 resulting dimensions once");
  EXPECT_EQ(RefusalOf(state, "pack(stage=B, readers=[C], tile=[1, 16], order=[0, 1, 1])"),
            "order must name each of the 3 resulting dimensions once");
  EXPECT_EQ(RefusalOf(state, "pack(stage=B, readers=[C], tile=[1, 16], order=[0, 1, 3])"),
            "order must name each of the 3 resulting dimensions once");
  EXPECT_EQ(RefusalOf(state, "pack(stage=B, readers=[], tile=[1, 1], order=[0, 1])"),
            "found no readers, expected at least one");
  const ScheduleState packed =
      StateAfter(state, "pack(stage=B, readers=[C], tile=[1, 16], order=[1, 0, 2])");
  EXPECT_EQ(RefusalOf(packed, "pack(stage=B.pack, readers=[C], tile=[1, 1], order=[1, 0])"),
            "B.pack is packed already");
  EXPECT_EQ(RefusalOf(packed, "pack(stage=B, readers=[C], tile=[1, 1], order=[1, 0])"),
            "C does not read B itself");
}

}  // namespace
}  // namespace schedulegym
