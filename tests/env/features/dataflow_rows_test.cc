#include "env/features/dataflow_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Place = DataflowLayout;
using Buffer = AnsorBufferLayout;

float Log(double value) { return static_cast<float>(std::log2(1 + value)); }

class DataflowRowsTest : public testing::Test {
 protected:
  void Take(const char* dag, const char* steps = "") {
    const ScheduleState state = StateAfter(dag, steps);
    rows_ = DataflowRows(state, FindLoopNests(state));
  }
  float At(int row, int place) const {
    return rows_.at(static_cast<size_t>(row * Place::kWidth + place));
  }
  float BufferAt(int row, int place) const { return At(row, Place::kBuffer + place); }
  bool IsEmpty(int row) const {
    return std::ranges::all_of(
        std::span(rows_).subspan(static_cast<size_t>(row * Place::kWidth), Place::kWidth),
        [](float value) { return value == 0; });
  }

  std::vector<float> rows_;
};

TEST_F(DataflowRowsTest, OfAProductAreItsCellsAndItsInputs) {
  Take("input A[8, 32]\ninput B[32, 16]\nC[i:8, j:16] = sum(k:32) A[i, k] * B[k, j]\n");
  constexpr double kSteps = 8 * 16 * 32;
  EXPECT_EQ(At(0, Place::kFlops), 0);
  EXPECT_EQ(BufferAt(0, Buffer::kAccess + 1), 1) << "cells are written";
  for (const int row : {1, 2, 3, 4}) EXPECT_TRUE(IsEmpty(row)) << row;
  for (const int row : {5, 6, 7}) {
    EXPECT_EQ(At(row, Place::kFlops), Log(2 * kSteps)) << row;
    EXPECT_EQ(At(row, Place::kLocation), 1) << "memory of the caller";
    EXPECT_EQ(BufferAt(row, Buffer::kBytes), Log(4 * kSteps)) << row;
    EXPECT_EQ(At(row, Place::kAllocation), 0) << row;
  }
  EXPECT_EQ(BufferAt(5, Buffer::kUniqueBytes), Log(4 * 8 * 32));
  EXPECT_EQ(BufferAt(6, Buffer::kUniqueBytes), Log(4 * 32 * 16));
  EXPECT_EQ(BufferAt(7, Buffer::kAccess + 2), 1) << "cells are read and written";
}

TEST_F(DataflowRowsTest, WhatTheProgramMakesHasAStoreAndARead) {
  constexpr char kChain[] =
      "input A[8, 16]\nP[i:8, k:16] = A[i, k] + 1\nC[i:8] = sum(k:16) P[i, k]\n";
  Take(kChain);
  EXPECT_EQ(At(1, Place::kFlops), Log(128));
  EXPECT_EQ(At(1, Place::kLocation + 1), 1);
  EXPECT_EQ(At(1, Place::kAllocation), Log(8 * 16 * 4));
  EXPECT_EQ(BufferAt(1, Buffer::kAccess + 1), 1);
  EXPECT_EQ(At(2, Place::kLocation), 1) << "A";
  EXPECT_EQ(BufferAt(2, Buffer::kAccess), 1);
  EXPECT_EQ(At(5, Place::kLocation + 1), 1) << "P";
  for (const int row : {3, 4, 6}) EXPECT_TRUE(IsEmpty(row)) << row;
  Take(kChain, "compute_at(stage=P, target=C, loop=0)");
  EXPECT_EQ(At(1, Place::kLocation + 2), 1) << "within a loop";
  EXPECT_EQ(At(1, Place::kAllocation), Log(16 * 4));
}

TEST_F(DataflowRowsTest, WithoutAReductionAllAreZero) {
  Take("input A[8]\nC[i:8] = A[i] + 1\n");
  EXPECT_EQ(rows_.size(), static_cast<size_t>(Place::kAccesses * Place::kWidth));
  for (int row = 0; row < Place::kAccesses; ++row) EXPECT_TRUE(IsEmpty(row)) << row;
}

}  // namespace
}  // namespace schedulegym
