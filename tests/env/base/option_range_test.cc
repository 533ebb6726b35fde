#include "env/base/option_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

double Read(const std::string& text, bool is_integer) {
  SpecReader reader(ParseSpec(text).value(), "agent");
  RangedReader ranged(reader, "agent some");
  const double value = is_integer ? ranged.Integer("n", 7, 1, 9) : ranged.Number("n", 0.7, 0, 1);
  reader.Finish();
  return value;
}

std::string FaultOf(const std::string& text, bool is_integer) {
  return InputFaultOf([&] { Read(text, is_integer); });
}

TEST(OptionRangeTest, TakesWhatLiesWithinOrTheDefault) {
  EXPECT_EQ(Read("some", true), 7);
  EXPECT_EQ(Read("some(n=1)", true), 1);
  EXPECT_EQ(Read("some(n=9)", true), 9);
  EXPECT_EQ(Read("some", false), 0.7);
  EXPECT_EQ(Read("some(n=0)", false), 0);
  EXPECT_EQ(Read("some(n=1)", false), 1);
}

TEST(OptionRangeTest, SaysWhatWasFoundAndWhatIsExpected) {
  EXPECT_EQ(FaultOf("some(n=10)", true), "agent some: n=10, expected 1 to 9");
  EXPECT_EQ(FaultOf("some(n=0)", true), "agent some: n=0, expected 1 to 9");
  EXPECT_EQ(FaultOf("some(n=-0.5)", false), "agent some: n=-0.5, expected 0.0 to 1.0");
  EXPECT_EQ(FaultOf("some(n=1.5)", false), "agent some: n=1.5, expected 0.0 to 1.0");
  EXPECT_THAT(FaultOf("some(n=0.5)", true), testing::HasSubstr("n"));
}

}  // namespace
}  // namespace schedulegym
