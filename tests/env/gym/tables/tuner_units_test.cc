#include "env/gym/tables/tuner_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(TunerUnitsTest, UnitsOfTimeAreKnown) {
  EXPECT_THAT(SecondsOfUnit("s"), Optional(1));
  EXPECT_THAT(SecondsOfUnit("ms"), Optional(1e-3));
  EXPECT_THAT(SecondsOfUnit("Milliseconds"), Optional(1e-3));
  EXPECT_THAT(SecondsOfUnit("miliseconds"), Optional(1e-3));
  EXPECT_THAT(SecondsOfUnit("microseconds"), Optional(1e-6));
  EXPECT_THAT(SecondsOfUnit("ns"), Optional(1e-9));
  EXPECT_EQ(SecondsOfUnit("GFLOP/s"), std::nullopt);
  EXPECT_EQ(SecondsOfUnit(""), std::nullopt);
}

TEST(TunerUnitsTest, OneValueHasOneText) {
  EXPECT_EQ(ValueText("16"), "16");
  EXPECT_EQ(ValueText(" 16.0 "), "16");
  EXPECT_EQ(ValueText("0.5"), "0.5");
  EXPECT_EQ(ValueText("-3"), "-3");
  EXPECT_EQ(ValueText("True"), "true");
  EXPECT_EQ(ValueText("false"), "false");
  EXPECT_EQ(ValueText("float4"), "float4");
  EXPECT_EQ(ValueText("nan"), "nan");
}

TEST(TunerUnitsTest, ListsOfLiteralsAreRead) {
  EXPECT_THAT(ParseValueList("[16, 32,48]"), Optional(ElementsAre("16", "32", "48")));
  EXPECT_THAT(ParseValueList("['a', \"b c\", True, 1.5]"),
              Optional(ElementsAre("a", "b c", "true", "1.5")));
  EXPECT_THAT(ParseValueList(" [7] "), Optional(ElementsAre("7")));
}

TEST(TunerUnitsTest, WhatIsNoListOfLiteralsIsNone) {
  for (const char* text : {"", "16", "[1, 2", "[i for i in range(3)]", "[2**i, 3]", "[1,,2]",
                           "list(range(1, 5))", "['a]"}) {
    EXPECT_EQ(ParseValueList(text), std::nullopt) << text;
  }
}

TEST(TunerUnitsTest, NumbersStandBeforeWords) {
  EXPECT_TRUE(IsValueBefore("2", "16"));
  EXPECT_FALSE(IsValueBefore("16", "2"));
  EXPECT_TRUE(IsValueBefore("16", "a"));
  EXPECT_FALSE(IsValueBefore("a", "16"));
  EXPECT_TRUE(IsValueBefore("a", "b"));
}

}  // namespace
}  // namespace schedulegym
