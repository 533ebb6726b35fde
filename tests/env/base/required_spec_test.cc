#include "env/base/spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

TEST(RequiredSpecTest, GivesWhatParses) {
  EXPECT_EQ(RequireSpec("--agent", "random(retries=5)").ToText(), "random(retries=5)");
}

TEST(RequiredSpecTest, NamesTheOptionWhereItDoesNot) {
  try {
    RequireSpec("--agent", "random(");
    FAIL();
  } catch (const InputError& fault) {
    EXPECT_THAT(fault.what(), testing::StartsWith("--agent: "));
  }
}

}  // namespace
}  // namespace schedulegym
