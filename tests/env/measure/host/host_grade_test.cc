#include "env/measure/host/session_probe.h"

#include <gtest/gtest.h>

#include <vector>

namespace schedulegym {
namespace {

TEST(QuantileTest, LiesBetweenTheNearest) {
  const std::vector<double> values = {4, 1, 3, 2, 5};
  EXPECT_DOUBLE_EQ(Quantile(values, 0), 1);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.5), 3);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.625), 3.5);
  EXPECT_DOUBLE_EQ(Quantile(values, 1), 5);
  EXPECT_DOUBLE_EQ(Quantile(std::vector<double>{7}, 0.95), 7);
  EXPECT_THROW(Quantile({}, 0.5), std::logic_error);
}

HostGrade GradeOfAll(double error) { return GradeOf(std::vector<double>(20, error)); }

TEST(HostGradeTest, ByTheErrorOfEqualKernels) {
  EXPECT_EQ(GradeOfAll(0), HostGrade::kA);
  EXPECT_EQ(GradeOfAll(0.005), HostGrade::kA);
  EXPECT_EQ(GradeOfAll(0.0051), HostGrade::kB);
  EXPECT_EQ(GradeOfAll(0.02), HostGrade::kB);
  EXPECT_EQ(GradeOfAll(0.021), HostGrade::kC);
}

TEST(HostGradeTest, OneInAHundredMayBeOff) {
  std::vector<double> errors(100, 0.001);
  errors[50] = 0.5;
  EXPECT_EQ(GradeOf(errors), HostGrade::kA);
  for (int i = 0; i < 10; ++i) errors[i] = 0.5;
  EXPECT_EQ(GradeOf(errors), HostGrade::kC);
}

TEST(HostGradeTest, Names) {
  EXPECT_STREQ(GradeName(HostGrade::kA), "A");
  EXPECT_STREQ(GradeName(HostGrade::kB), "B");
  EXPECT_STREQ(GradeName(HostGrade::kC), "C");
}

}  // namespace
}  // namespace schedulegym
