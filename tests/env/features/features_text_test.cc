#include <gtest/gtest.h>

#include "env/features/ansor_features.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

TEST(FeaturesTextTest, NamesWhatIsNotZero) {
  const ScheduleState state =
      StateAfter("input A[3]\nP[i:3] = A[i] + 1\nD[i:1] = P[0] * P[2]\n", "");
  const std::string text = AnsorFeatures(state).ToText(state);
  // log2(1 + 3) additions of P; D multiplies once and reads the values of P.
  EXPECT_EQ(text.find("P:\n  float_add = 2\n  vector.at_none = 1\n"), 0u) << text;
  EXPECT_NE(text.find("\nD:\n  float_multiply = 1\n  vector.at_none = 1\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("select"), std::string::npos);
}

}  // namespace
}  // namespace schedulegym
