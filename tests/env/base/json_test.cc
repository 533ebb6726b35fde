#include "env/base/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Json Parsed(std::string_view text) { return ParseJson(text).value(); }

std::string Again(std::string_view text) { return Parsed(text).ToText(); }

std::string FaultOf(std::string_view text) {
  const Result<Json> json = ParseJson(text);
  EXPECT_FALSE(json.ok()) << text;
  return json.ok() ? "" : json.error().message;
}

TEST(JsonTest, IsSmall) { EXPECT_EQ(sizeof(Json), 16u); }

TEST(JsonTest, TextsReadBackAsTheyWereWritten) {
  for (const char* text : {"null", "true", "false", "0", "-1", "18446744073709551615",
                           "-9223372036854775808", "1.5", "1e-07", "\"\"", "\"text\"", "[]", "{}",
                           "[1,[2,[]],{}]", R"({"b":[1,2.0,"x"],"a":{"c":null,"":true}})"}) {
    EXPECT_EQ(Again(text), text);
  }
}

TEST(JsonTest, BlanksAndAByteOrderMarkAreSkipped) {
  EXPECT_EQ(Again("\xef\xbb\xbf { \"a\" :\t[ 1 ,\r\n2 ] } "), R"({"a":[1,2]})");
}

TEST(JsonTest, KeysStandInTheirOrderOrSorted) {
  const Json json = Parsed(R"({"b":1,"a":{"d":2,"c":3},"B":4})");
  EXPECT_EQ(json.ToText(), R"({"b":1,"a":{"d":2,"c":3},"B":4})");
  EXPECT_EQ(json.ToText({.sort_keys = true}), R"({"B":4,"a":{"c":3,"d":2},"b":1})");
}

TEST(JsonTest, OfEqualKeysTheLastValueCountsInTheFirstOnesPlace) {
  EXPECT_EQ(Again(R"({"a":1,"b":2,"a":[3]})"), R"({"a":[3],"b":2})");
}

TEST(JsonTest, DoublesReadBackAndStayDoubles) {
  const auto written = [](double number) { return Json(number).ToText(); };
  EXPECT_EQ(written(0), "0.0");
  EXPECT_EQ(written(-0.0), "-0.0");
  EXPECT_EQ(written(2), "2.0");
  EXPECT_EQ(written(0.1), "0.1");
  EXPECT_EQ(written(1e15), "1e+15");
  EXPECT_EQ(written(123456789012345), "123456789012345.0");
  EXPECT_EQ(written(1e-5), "1e-05");
  EXPECT_EQ(written(0.1f), "0.10000000149011612");
  EXPECT_EQ(written(5e-324), "5e-324");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written(std::nan("")), "null");
  for (double number : {1.0 / 3, 6.02e23, 1.7976931348623157e308, 2.2250738585072014e-308}) {
    EXPECT_EQ(Parsed(written(number)).As<double>(), number);
  }
}

TEST(JsonTest, IntegersBeyond64BitsAreDoubles) {
  EXPECT_TRUE(Parsed("18446744073709551615").is_unsigned());
  EXPECT_TRUE(Parsed("18446744073709551616").is_double());
  EXPECT_TRUE(Parsed("-9223372036854775808").is_integer());
  EXPECT_TRUE(Parsed("-9223372036854775809").is_double());
}

TEST(JsonTest, NumbersAreConverted) {
  EXPECT_EQ(Parsed("7").As<int>(), 7);
  EXPECT_EQ(Parsed("7").As<double>(), 7.0);
  EXPECT_EQ(Parsed("-7.9").As<int64_t>(), -7);
  EXPECT_EQ(Parsed("18446744073709551615").As<uint64_t>(), UINT64_MAX);
  EXPECT_EQ(Parsed("18446744073709551615").As<int64_t>(), -1);
  EXPECT_THROW((void)Parsed("1e300").As<int64_t>(), JsonError);
  EXPECT_THROW((void)Parsed("-1.5").As<uint64_t>(), JsonError);
  EXPECT_THROW((void)Parsed("true").As<int>(), JsonError);
  EXPECT_THROW((void)Parsed("\"7\"").As<double>(), JsonError);
  EXPECT_THROW((void)Parsed("1").As<bool>(), JsonError);
}

TEST(JsonTest, ListsAreConverted) {
  EXPECT_EQ((Parsed("[[1,2],[]]").As<std::vector<std::vector<int>>>()),
            (std::vector<std::vector<int>>{{1, 2}, {}}));
  EXPECT_EQ(Parsed("[true,false]").As<std::vector<bool>>(), (std::vector<bool>{true, false}));
  EXPECT_EQ((Parsed("[1,2,3]").As<std::array<uint64_t, 2>>()), (std::array<uint64_t, 2>{1, 2}));
  EXPECT_THROW((void)(Parsed("[1]").As<std::array<uint64_t, 2>>()), JsonError);
  EXPECT_THROW((void)Parsed("{}").As<std::vector<int>>(), JsonError);
  EXPECT_THROW((void)Parsed("[1,\"x\"]").As<std::vector<int>>(), JsonError);
}

TEST(JsonTest, ValuesAreBuilt) {
  Json json = Json::Object({{"flags", std::vector<bool>{true, false}},
                            {"floats", std::vector<float>{0.5f}},
                            {"nothing", std::optional<int>()},
                            {"something", std::optional<int>(3)},
                            {"mixed", Json::Array(1, "x", nullptr, Json::Array())}});
  EXPECT_EQ(json.ToText(), R"({"flags":[true,false],"floats":[0.5],"nothing":null,"something":3,)"
                           R"("mixed":[1,"x",null,[]]})");
  json.Set("floats", "none");
  json.Set("new", uint64_t{5});
  json.Erase("flags");
  json.Erase("mixed");
  json.Erase("unknown");
  EXPECT_EQ(json.ToText(), R"({"floats":"none","nothing":null,"something":3,"new":5})");
}

TEST(JsonTest, MembersAreFound) {
  const Json json = Parsed(R"({"a":[10,20],"n":null})");
  EXPECT_EQ(json["a"][1], 20);
  EXPECT_TRUE(json.Has("n"));
  EXPECT_EQ(json.Find("b"), nullptr);
  EXPECT_EQ(json["a"].Find("b"), nullptr);
  EXPECT_EQ(json.ValueOr("b", 7), 7);
  EXPECT_THROW((void)json["b"], JsonError);
  EXPECT_THROW((void)json["a"]["b"], JsonError);
  EXPECT_THROW((void)json["a"][2], JsonError);
  EXPECT_THROW((void)json[0], JsonError);
  EXPECT_THROW((void)json.ValueOr("a", 7), JsonError);
  EXPECT_THROW((void)json["a"].ValueOr("b", 7), JsonError);
}

TEST(JsonTest, SizesAreOfElementsAndMembers) {
  EXPECT_EQ(Parsed("[1,2]").size(), 2u);
  EXPECT_EQ(Parsed(R"({"a":1})").size(), 1u);
  EXPECT_TRUE(Json().empty());
  EXPECT_FALSE(Json("").empty());
}

TEST(JsonTest, CopiesAreDeep) {
  Json one = Parsed(R"({"a":[1]})");
  const Json copy = one;
  one.Find("a")->Add(2);
  EXPECT_EQ(one.ToText(), R"({"a":[1,2]})");
  EXPECT_EQ(copy.ToText(), R"({"a":[1]})");
  one = Json(one["a"]);
  EXPECT_EQ(one.ToText(), "[1,2]");
  one = std::move(one.elements()[1]);
  EXPECT_EQ(one.ToText(), "2");
}

TEST(JsonTest, EqualsDoNotDependOnTheOrderOfMembers) {
  EXPECT_EQ(Parsed(R"({"a":1,"b":[true]})"), Parsed(R"({"b":[true],"a":1.0})"));
  EXPECT_NE(Parsed(R"({"a":1})"), Parsed(R"({"a":1,"b":2})"));
  EXPECT_NE(Parsed("[1,2]"), Parsed("[2,1]"));
  EXPECT_NE(Json(-1), Json(UINT64_MAX));
  EXPECT_NE(Json(1), Json(true));
  EXPECT_NE(Json(), Json(0));
  EXPECT_EQ(Json("x"), "x");
}

TEST(JsonTest, TextsAreEscaped) {
  const std::string text("\"\\/\b\f\n\r\t\x01\x1f\x7f\0é", 14);
  EXPECT_EQ(Json(text).ToText(), "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\x7f\\u0000é\"");
  EXPECT_EQ(Parsed(Json(text).ToText()).Text(), text);
  EXPECT_EQ(Json("é\x7f😀").ToText({.ascii = true}), R"("\u00e9\u007f\ud83d\ude00")");
  EXPECT_EQ(Parsed(R"("\u00e9\/\ud83d\ude00")").Text(), "é/😀");
}

TEST(JsonTest, WhatIsNotUtf8IsRefusedOrReplaced) {
  for (const char* text : {"\xff", "a\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_THROW((void)Json(text).ToText(), JsonError);
    EXPECT_FALSE(ParseJson(std::string("\"") + text + "\"").ok());
  }
  EXPECT_EQ(Json("a\xff\xc3(").ToText({.replace_invalid = true}), R"("a\\xff\\xc3(")");
  EXPECT_EQ(Json("a\xff").ToText({.ascii = true, .replace_invalid = true}), R"("a\\xff")");
}

TEST(JsonTest, CharactersAreNamedWholeAndCounted) {
  EXPECT_THAT(FaultOf("[\"é€\", ü]"), AllOf(StartsWith("line 1, column 8: "), HasSubstr("ü'")));
  EXPECT_THAT(FaultOf("\"é\xff\""), AllOf(StartsWith("line 1, column 3: "), HasSubstr("é\\xff")));
  EXPECT_EQ(Parsed("\ufeff[1]"), Parsed("[1]"));
}

TEST(JsonTest, FaultsHaveAPlace) {
  EXPECT_THAT(FaultOf(""), StartsWith("line 1, column 1: "));
  EXPECT_THAT(FaultOf("[1,]"), StartsWith("line 1, column 4: "));
  EXPECT_THAT(FaultOf("{\"a\":1,\n \"b\" 2}"), StartsWith("line 2, column 6: "));
  EXPECT_THAT(FaultOf("[1,\n1e999]"), HasSubstr("number overflow"));
  EXPECT_THAT(FaultOf("[1,\n1e999]"), StartsWith("line 2, column "));
}

TEST(JsonTest, OnlyTheSyntaxOfJsonIsRead) {
  for (const char* text :
       {"NaN",     "[Infinity]", "-",          "01",      "1.",          "+1",   "'a'",
        "{a:1}",   "[1,]",       "{\"a\":1,}", "// c\n1", "1 2",         "[",    "]",
        "{\"a\"}", "\"\n\"",     "nul",        "\"\\x\"", "\"\\ud800\"", "1e999"}) {
    EXPECT_FALSE(ParseJson(text).ok()) << text;
    EXPECT_FALSE(IsJson(text)) << text;
  }
}

TEST(JsonTest, WhatNestsTooDeepIsRefused) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(Again(nested(1000)), nested(1000));
  EXPECT_EQ(FaultOf(nested(1001)), "it nests deeper than 1000 levels");
  EXPECT_FALSE(ParseJson(std::string(1 << 20, '[')).ok());
  EXPECT_TRUE(IsJson(nested(1 << 17)));
}

}  // namespace
}  // namespace schedulegym
