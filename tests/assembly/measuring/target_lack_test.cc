#include "assembly/measuring/measurer_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(TargetLackTest, WhatRunsHereLacksNothing) {
  EXPECT_EQ(TargetLack({"interpreter", {}}), std::nullopt);
}

TEST(TargetLackTest, WhatDoesNotSaysWhy) {
  const std::optional<std::string> lack = TargetLack({"cuda", {}});
  ASSERT_TRUE(lack);
  EXPECT_THAT(*lack, testing::HasSubstr("cuda"));
  EXPECT_THAT(*lack, testing::Not(testing::HasSubstr("\n")));
}

}  // namespace
}  // namespace schedulegym
