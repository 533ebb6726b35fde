#include "env/base/json_limits.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

constexpr JsonLimits kFew = {.most_depth = 3, .most_values = 6, .most_members = 2};

TEST(JsonLimitsTest, WhatIsWithinThemPasses) {
  for (const char* json : {"", "1", "[[[1]]]", R"({"a": [1, 2], "b": {"c": 3}})", "[1,2,3,4,5]"}) {
    EXPECT_EQ(BeyondLimits(json, kFew), std::nullopt) << json;
  }
}

TEST(JsonLimitsTest, WhatGoesBeyondIsNamed) {
  EXPECT_EQ(BeyondLimits("[[[[1]]]]", kFew), "it nests deeper than 3 levels");
  EXPECT_EQ(BeyondLimits(R"([{"a": [{}]}])", kFew), "it nests deeper than 3 levels");
  EXPECT_EQ(BeyondLimits("[1,2,3,4,5,6,7]", kFew), "it holds more than 6 values");
  EXPECT_EQ(BeyondLimits(R"({"a":1,"b":2,"c":3})", kFew),
            "it has an object of more than 2 members");
}

TEST(JsonLimitsTest, ListsMayBeLongerThanObjects) {
  EXPECT_EQ(BeyondLimits("[1,2,3,4]", kFew), std::nullopt);
  EXPECT_EQ(BeyondLimits(R"([{"a":1},{"b":2}])", kFew), std::nullopt);
}

TEST(JsonLimitsTest, BracketsWithinTextsDoNotCount) {
  EXPECT_EQ(BeyondLimits(R"(["[[[[[", "\"[[[[", "\\"])", kFew), std::nullopt);
  EXPECT_NE(BeyondLimits(R"(["\\", [[[1]]]])", kFew), std::nullopt);
}

// The parser reports their errors.
TEST(JsonLimitsTest, TakesWhatIsNoJson) {
  for (const char* text : {"]]]]", "\"", "\"\\", "}{", "[\"", "\xff\xfe"}) {
    EXPECT_EQ(BeyondLimits(text, kFew), std::nullopt) << text;
  }
}

TEST(JsonLimitsTest, TheUsualOnesRefuseWhatExhaustsTheStack) {
  EXPECT_EQ(BeyondLimits(std::string(64, '[')), std::nullopt);
  EXPECT_EQ(BeyondLimits(std::string(200000, '[')), "it nests deeper than 64 levels");
}

}  // namespace
}  // namespace schedulegym
