#include "env/base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace schedulegym {
namespace {

TEST(TextTest, Joins) {
  EXPECT_EQ(Join(std::vector<std::string>{"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(Join(std::vector<int64_t>{1, -2}, "x"), "1x-2");
  EXPECT_EQ(Join(std::vector<std::string>{}, ", "), "");
}

TEST(TextTest, FormatsDoublesSoThatTheyReadBack) {
  for (const double value : {0.0, -0.0, 1.0, 0.1, 1e-5, 1e300, -3.25, 1.0 / 3}) {
    const std::string text = FormatDouble(value);
    EXPECT_EQ(*ParseDouble(text), value);
    EXPECT_FALSE(ParseInteger(text)) << text;
  }
  EXPECT_EQ(FormatDouble(2), "2.0");
  EXPECT_EQ(FormatDouble(HUGE_VAL), "inf");
  EXPECT_EQ(FormatDouble(-HUGE_VAL), "-inf");
  EXPECT_EQ(FormatDouble(std::nan("")), "nan");
}

TEST(TextTest, FindsTheNearestName) {
  EXPECT_EQ(NearestName("randon", {"tiles", "random"}), "random");
  EXPECT_EQ(NearestName("xyz", {"tiles", "random"}), std::nullopt);
  EXPECT_EQ(NearestName("a", {}), std::nullopt);
}

TEST(TextTest, NamesWhatExists) {
  EXPECT_EQ(UnknownName("agent", "randon", {"tiles", "random"}),
            "unknown agent 'randon': expected one of tiles, random (did you mean 'random'?)");
  EXPECT_EQ(UnknownName("agent", "qqqq", {"random"}), "unknown agent 'qqqq': expected random");
  EXPECT_EQ(UnknownName("agent", "x", {}), "unknown agent 'x': expected none");
}

TEST(TextTest, SplitsLines) {
  EXPECT_EQ(SplitLines("a\n\nb\n"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(SplitLines("a\nb"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(SplitLines("").empty());
}

TEST(TextTest, Trims) {
  EXPECT_EQ(Trim(" \ta b\r\n"), "a b");
  EXPECT_EQ(Trim(" \n"), "");
}

TEST(TextTest, ParsesWholeNumbersOnly) {
  EXPECT_EQ(ParseInteger("-12"), -12);
  EXPECT_FALSE(ParseInteger("12x"));
  EXPECT_FALSE(ParseInteger(""));
  EXPECT_FALSE(ParseInteger("9223372036854775808"));
  EXPECT_EQ(ParseInteger("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ParseDouble("1e3"), 1000);
  EXPECT_FALSE(ParseDouble("1e3 "));
  EXPECT_FALSE(ParseDouble("1e999"));
}

TEST(CutTest, AtTheFirstSeparator) {
  EXPECT_EQ(Cut("a:b:c", ':'), std::pair(std::string_view("a"), std::string_view("b:c")));
  EXPECT_EQ(Cut("abc", ':'), std::pair(std::string_view("abc"), std::string_view()));
  EXPECT_EQ(Cut(":b", ':'), std::pair(std::string_view(), std::string_view("b")));
  EXPECT_EQ(Cut("", ':'), std::pair(std::string_view(), std::string_view()));
}

TEST(TextTest, AnEmptyVariableIsNone) {
  constexpr const char* kName = "SCHEDULEGYM_TEXT_TEST";
  unsetenv(kName);
  EXPECT_EQ(FindVariable(kName), std::nullopt);
  setenv(kName, "", 1);
  EXPECT_EQ(FindVariable(kName), std::nullopt);
  setenv(kName, "a value", 1);
  EXPECT_EQ(FindVariable(kName), "a value");
  unsetenv(kName);
}

}  // namespace
}  // namespace schedulegym
