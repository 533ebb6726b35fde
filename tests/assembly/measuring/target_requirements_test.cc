#include "assembly/measuring/measurer_factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

TEST(MissingForTargetTest, WhatRunsHereLacksNothing) {
  EXPECT_EQ(MissingForTarget({"interpreter", {}}), std::nullopt);
}

TEST(MissingForTargetTest, WhatDoesNotSaysWhy) {
  const std::optional<std::string> lack = MissingForTarget(ParseSpec("cuda(card=a100)").value());
  ASSERT_TRUE(lack);
  // The program that runs device code is missing, or its CUDA driver.
  EXPECT_THAT(*lack, testing::AnyOf(testing::HasSubstr("schedulegym-device"),
                                    testing::HasSubstr("no CUDA driver")));
  EXPECT_THAT(*lack, testing::Not(testing::HasSubstr("\n")));
}

}  // namespace
}  // namespace schedulegym
