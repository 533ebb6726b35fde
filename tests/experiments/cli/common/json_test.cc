#include "experiments/cli/common/json.h"

#include <gtest/gtest.h>

#include <cmath>

namespace schedulegym {
namespace {

TEST(JsonTest, FieldsKeepTheirOrder) {
  EXPECT_EQ(ToJson({{"zebra", 1}, {"ant", true}, {"bee", "x"}}),
            R"({"zebra":1,"ant":true,"bee":"x"})");
}

TEST(JsonTest, UnknownNumbersAreNull) {
  EXPECT_EQ(ToJson({{"nan", std::nan("")},
                    {"inf", HUGE_VAL},
                    {"none", std::optional<double>()},
                    {"some", std::optional<double>(0.5)},
                    {"null", JsonValue()}}),
            R"({"nan":null,"inf":null,"none":null,"some":0.5,"null":null})");
}

TEST(JsonTest, TextsAreEscapedAndStayOnOneLine) {
  EXPECT_EQ(ToJson({{"trace", "trace 1\nsplit(\"a\")"}}), R"-({"trace":"trace 1\nsplit(\"a\")"})-");
}

TEST(JsonTest, BytesThatAreNotUtf8AreShown) {
  EXPECT_EQ(ToJson({{"path",
                     "a\xff"
                     "b"}}),
            R"({"path":"a\\xffb"})");
}

TEST(JsonTest, ObjectsAndArraysNest) {
  const JsonObject inner = {{"seconds", 1.5}};
  EXPECT_EQ(ToJson({{"best", inner}, {"list", std::vector<JsonValue>{1, "two", inner}}}),
            R"({"best":{"seconds":1.5},"list":[1,"two",{"seconds":1.5}]})");
}

TEST(JsonTest, DecimalsReadBackAsTheSameNumber) {
  EXPECT_EQ(ToJson({{"a", 0.1}, {"b", 1.0}, {"c", 1e-9}}), R"({"a":0.1,"b":1.0,"c":1e-09})");
  EXPECT_EQ(ToJson({{"large", int64_t{9007199254740993}}}), R"({"large":9007199254740993})");
}

}  // namespace
}  // namespace schedulegym
