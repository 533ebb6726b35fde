// Pragma and storage_align: annotations of a stage or its buffer.
#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr char kChain[] =
    "input A[8, 64]\nP[i:8, j:64] = A[i, j] + 1\nC[i:8, j:64] = P[i, j] * 2\n";

TEST(PragmaTest, SetsTheLimit) {
  const ScheduleState state =
      StateAfter(kChain, "pragma(stage=C, name=auto_unroll_max_step, value=16)");
  EXPECT_NE(LoopsOf(state).find("C[8, 64] global auto_unroll_max_step=16:\n"), std::string::npos);
  const ScheduleState reset =
      StateAfter(state, "pragma(stage=C, name=auto_unroll_max_step, value=0)");
  EXPECT_EQ(LoopsOf(reset), LoopsOf(StateAfter(kChain, "")));
}

TEST(PragmaTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kChain, "");
  EXPECT_EQ(RefusalOf(state, "pragma(stage=C, name=auto_roll, value=16)"),
            "unknown pragma 'auto_roll': expected auto_unroll_max_step");
  EXPECT_EQ(RefusalOf(state, "pragma(stage=C, name=auto_unroll_max_step, value=-1)"),
            "found value -1, expected 0..1024");
  EXPECT_EQ(RefusalOf(state, "pragma(stage=C, name=auto_unroll_max_step, value=1025)"),
            "found value 1025, expected 0..1024");
  EXPECT_EQ(RefusalOf(state, "pragma(stage=A, name=auto_unroll_max_step, value=16)"),
            "A is an input without loops");
}

TEST(StorageAlignTest, PrintsAlignment) {
  const ScheduleState state =
      StateAfter(kChain, "storage_align(stage=P, axis=0, factor=16, offset=1)");
  EXPECT_NE(LoopsOf(state).find("P[8, 64] global align(0, 16, 1):\n"), std::string::npos);
  const ScheduleState again =
      StateAfter(state, "storage_align(stage=P, axis=0, factor=32, offset=0)");
  EXPECT_NE(LoopsOf(again).find("P[8, 64] global align(0, 32, 0):\n"), std::string::npos);
}

TEST(StorageAlignTest, SaysWhyNot) {
  const ScheduleState state = StateAfter(kChain, "");
  EXPECT_EQ(RefusalOf(state, "storage_align(stage=C, axis=0, factor=16, offset=0)"),
            "C is an output, its layout is fixed");
  EXPECT_EQ(RefusalOf(state, "storage_align(stage=A, axis=0, factor=16, offset=0)"),
            "A is an input without loops");
  EXPECT_EQ(RefusalOf(state, "storage_align(stage=P, axis=1, factor=16, offset=0)"),
            "found axis 1, expected one before the last of 2 dimensions");
  EXPECT_EQ(RefusalOf(state, "storage_align(stage=P, axis=-1, factor=16, offset=0)"),
            "found axis -1, expected one before the last of 2 dimensions");
  EXPECT_EQ(RefusalOf(state, "storage_align(stage=P, axis=2147483647, factor=16, offset=0)"),
            "found axis 2147483647, expected one before the last of 2 dimensions");
  EXPECT_EQ(RefusalOf(state, "storage_align(stage=P, axis=0, factor=0, offset=0)"),
            "found factor 0, expected 1..65536");
  EXPECT_EQ(RefusalOf(state, "storage_align(stage=P, axis=0, factor=65537, offset=0)"),
            "found factor 65537, expected 1..65536");
  EXPECT_EQ(RefusalOf(state, "storage_align(stage=P, axis=0, factor=16, offset=16)"),
            "found offset 16, expected 0 or more and less than the factor");
  EXPECT_EQ(RefusalOf(state, "storage_align(stage=P, axis=0, factor=16, offset=-1)"),
            "found offset -1, expected 0 or more and less than the factor");
  const ScheduleState packed =
      StateAfter(state, "pack(stage=A, readers=[P], tile=[1, 8], order=[1, 0, 2])");
  EXPECT_EQ(RefusalOf(packed, "storage_align(stage=A.pack, axis=0, factor=16, offset=0)"),
            "A.pack is packed, its layout is its own");
}

}  // namespace
}  // namespace schedulegym
