#include "env/features/trace_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace schedulegym {
namespace {

using testing::ElementsAre;

constexpr int kFields = 8;

// The fields alone.
std::vector<float> FieldsOf(const Primitive& primitive, TokenScale scale, int fields = kFields) {
  std::vector<float> row(static_cast<size_t>(kTokenKinds + fields), -1);
  WriteToken(primitive, scale, row);
  for (int kind = 0; kind < kTokenKinds; ++kind) {
    EXPECT_EQ(row[static_cast<size_t>(kind)], kind == static_cast<int>(primitive.index()) ? 1 : 0);
  }
  return {row.begin() + kTokenKinds, row.end()};
}

// Stage 2, loop 1, the lengths, inner_to_outer; the rest is empty.
TEST(TraceTokensTest, PlainNumbersStandAsTheyAre) {
  const Split split = {StageRef{2}, 1, {4, 16}};
  EXPECT_THAT(FieldsOf(split, TokenScale::kPlain), ElementsAre(2, 1, 4, 16, 1, 0, 0, 0));
}

TEST(TraceTokensTest, SharesAreWithinOne) {
  const Split split = {StageRef{2}, 1, {3, 15}};
  EXPECT_THAT(FieldsOf(split, TokenScale::kShares),
              ElementsAre(3 / 64.0F, 2 / 64.0F, 2 / 64.0F, 2 / 32.0F, 4 / 32.0F, 1, 0, 0));
}

TEST(TraceTokensTest, WhatHasNoRoomIsLeftOut) {
  const Split split = {StageRef{2}, 1, {4, 16}};
  EXPECT_THAT(FieldsOf(split, TokenScale::kPlain, 3), ElementsAre(2, 1, 4));
  EXPECT_TRUE(FieldsOf(split, TokenScale::kPlain, 0).empty());
}

}  // namespace
}  // namespace schedulegym
