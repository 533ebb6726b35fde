#include "env/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

namespace schedulegym {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return Illegal(std::to_string(value) + " is odd");
  return value / 2;
}

TEST(ResultTest, HoldsAValueOrAnError) {
  EXPECT_TRUE(Half(4).ok());
  EXPECT_EQ(*Half(4), 2);
  const Result<int> odd = Half(3);
  EXPECT_FALSE(odd);
  EXPECT_EQ(odd.error().kind, ErrorKind::kIllegal);
  EXPECT_EQ(odd.error().message, "3 is odd");
}

TEST(ResultTest, ReadingAnAbsentValueIsABug) {
  try {
    (void)Half(3).value();
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_NE(std::string(error.what()).find("3 is odd"), std::string::npos);
  }
}

TEST(ResultTest, MovesItsValueOut) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  const std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 7);
}

TEST(ResultTest, SucceedsWithoutAValue) {
  EXPECT_TRUE(Result<void>().ok());
  const Result<void> failure = InvalidSchedule("no");
  EXPECT_FALSE(failure.ok());
  EXPECT_EQ(failure.error().kind, ErrorKind::kInvalidSchedule);
}

TEST(ResultTest, NamesKinds) {
  EXPECT_STREQ(ErrorKindName(ErrorKind::kCompile), "compile_error");
  EXPECT_STREQ(ErrorKindName(ErrorKind::kParse), "parse");
}

TEST(ResultTest, ChecksNameConditionAndPlace) {
  const auto fail = [] { SG_CHECK(1 + 1 == 3, "sums " + std::string("differ")); };
  try {
    fail();
    FAIL();
  } catch (const std::logic_error& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("result_test.cc"), std::string::npos);
    EXPECT_NE(what.find("1 + 1 == 3: sums differ"), std::string::npos);
  }
}

}  // namespace
}  // namespace schedulegym
