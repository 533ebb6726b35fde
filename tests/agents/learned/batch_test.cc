#include "agents/learned/batch.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace schedulegym {
namespace {

TEST(BatchTest, RowsAreWrittenWhereTheyLie) {
  RowBatch batch(3, 2);
  EXPECT_EQ(batch.rows(), 2);
  for (float& number : batch[1]) number = 4;
  batch[0][2] = 7;
  EXPECT_EQ(std::vector<float>(batch.values().begin(), batch.values().end()),
            (std::vector<float>{0, 0, 7, 4, 4, 4}));
}

TEST(BatchTest, FewerRowsForgetTheLastAndMoreAreZero) {
  MaskBatch batch(2, 2);
  batch[0][1] = 1;
  batch[1][0] = 1;
  batch.Resize(1);
  EXPECT_EQ(batch.rows(), 1);
  batch.Resize(3);
  EXPECT_EQ(std::vector<uint8_t>(batch.values().begin(), batch.values().end()),
            (std::vector<uint8_t>{0, 1, 0, 0, 0, 0}));
}

TEST(BatchTest, ThereIsNoRowBeyond) {
  RowBatch batch(3, 2);
  EXPECT_THROW(batch[2], std::logic_error);
  EXPECT_THROW(batch[-1], std::logic_error);
  EXPECT_THROW(RowBatch(0), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
