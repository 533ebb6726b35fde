#include "env/base/option_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

int RowsOf(const std::string& spec) {
  SpecReader reader(ParseSpec(spec).value(), "thing");
  return ReadCount(reader, "thing t", {"rows", 4, 9});
}

TEST(CountOptionTest, IsReadOrTheDefault) {
  EXPECT_EQ(RowsOf("t"), 4);
  EXPECT_EQ(RowsOf("t(rows=1)"), 1);
  EXPECT_EQ(RowsOf("t(rows=9)"), 9);
}

TEST(CountOptionTest, StaysWithinItsBounds) {
  for (const char* rows : {"0", "10", "-1", "99999999999"}) {
    try {
      RowsOf("t(rows=" + std::string(rows) + ")");
      ADD_FAILURE() << rows;
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "thing t: rows=" + std::string(rows) + ", expected 1 to 9");
    }
  }
}

}  // namespace
}  // namespace schedulegym
