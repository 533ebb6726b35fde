#include "env/lower/uneven_splits.h"

#include <gtest/gtest.h>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr const char* kSum =
    "input A[60, 7]\n"
    "C[i:60] = sum(k:7) A[i, k]\n";

int UnevenAfter(const std::string& steps) { return UnevenSplits(StateAfter(kSum, steps).stage(1)); }

TEST(UnevenSplitsTest, CountsWhatLeavesATail) {
  EXPECT_EQ(UnevenAfter(""), 0);
  EXPECT_EQ(UnevenAfter("split(stage=C, loop=0, lengths=[5, 6])"), 0);
  EXPECT_EQ(UnevenAfter("split(stage=C, loop=0, lengths=[7])"), 1);
  EXPECT_EQ(UnevenAfter("split(stage=C, loop=0, lengths=[8, 4])"), 1) << "32 does not divide 60";
  EXPECT_EQ(UnevenAfter("split(stage=C, loop=1, lengths=[2])"), 1) << "reductions, too";
  EXPECT_EQ(UnevenAfter("split(stage=C, loop=0, lengths=[7])\nsplit(stage=C, loop=1, lengths=[2])"),
            2);
}

}  // namespace
}  // namespace schedulegym
