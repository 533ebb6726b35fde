#include "env/base/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace schedulegym {
namespace {

constexpr const char* kName = "SCHEDULEGYM_ENVIRONMENT_TEST";

TEST(EnvironmentTest, AnEmptyVariableIsNone) {
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
