#include "backends/runner/verification/trusted_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

AlignedBuffer Numbers(const std::vector<double>& numbers) {
  AlignedBuffer buffer(static_cast<int64_t>(numbers.size() * sizeof(double)));
  std::copy(numbers.begin(), numbers.end(), buffer.As<double>().begin());
  return buffer;
}

// One output of four cells, f32 by default.
class RealOutputsTest : public testing::Test {
 protected:
  static RealOutputs Made(const std::vector<double>& values, const std::vector<double>& bounds) {
    RealOutputs real;
    real.values.push_back(Numbers(values));
    real.bounds.emplace_back();
    if (!bounds.empty()) real.bounds.back() = Numbers(bounds);
    return real;
  }

  std::optional<std::string> Difference(const std::vector<double>& values,
                                        const std::vector<double>& bounds) const {
    return DifferenceBetween(dag_, Made(values, bounds), Made({1, 2, 3, 4}, {1, 1, 1, 1}));
  }

  ComputeDag dag_ = DagOf("input A[4]\nC[i:4] = A[i] * 0.5\n");
};

TEST_F(RealOutputsTest, CellsWithoutANumberOrABoundAreCounted) {
  const CellShare none = MostUnbounded(dag_, Made({1, 2, 3, 4}, {1, 1, 1, 1}));
  EXPECT_EQ(none.cells, 0);
  const CellShare some = MostUnbounded(dag_, Made({1, kNan, kInfinity, 4}, {1, 1, 1, kInfinity}));
  EXPECT_EQ(some.cells, 3);
  EXPECT_EQ(some.all, 4);
  EXPECT_EQ(some.share(), 0.75);
  EXPECT_EQ(MostUnbounded(dag_, Made({1, 2, 3, 4}, {kNan, 1, 1, 1})).cells, 1);
  EXPECT_EQ(MostUnbounded(dag_, Made({1, 2, 3, 4}, {})).cells, 0);
}

TEST_F(RealOutputsTest, ZerosAreCounted) {
  EXPECT_EQ(MostZeros(dag_, Made({0, -0.0, 1, 2}, {})).cells, 2);
  EXPECT_TRUE(AllFinite(dag_, Made({0, 1, 2, 3}, {kInfinity, 1, 1, 1})));
  EXPECT_FALSE(AllFinite(dag_, Made({0, kInfinity, 2, 3}, {})));
}

TEST_F(RealOutputsTest, MakersAgreeToAThousandthOfTheBound) {
  EXPECT_EQ(Difference({1, 2, 3, 4}, {1, 1, 1, 1}), std::nullopt);
  EXPECT_EQ(Difference({1, 2.0009, 3, 4}, {1, 1, 1.0009, 1}), std::nullopt);
  EXPECT_THAT(Difference({1, 2.002, 3, 4}, {1, 1, 1, 1}).value_or(""),
              HasSubstr("C[1] is 2.002, expected 2.0"));
  EXPECT_THAT(Difference({1, kNan, 3, 4}, {1, 1, 1, 1}).value_or(""), HasSubstr("C[1]"));
  EXPECT_THAT(Difference({1, 2, 3, 4}, {1, 1, 1, 1.002}).value_or(""),
              HasSubstr("the bound of C[3] is 1.002, expected 1.0"));
  EXPECT_THAT(Difference({1, 2, 3, 4}, {1, 1, 0.5, 1}).value_or(""), HasSubstr("C[2]"));
  EXPECT_TRUE(Difference({1, 2, 3, 4}, {}).has_value());
}

// In double precision both computations round as coarsely as the kernel under test.
TEST_F(RealOutputsTest, OfDoublesMakersAgreeToTheBound) {
  dag_ = DagOf("input A[4]: f64\nC[i:4] = A[i] * 0.5\n");
  EXPECT_EQ(Difference({1, 2.9, 3, 4}, {1, 1, 1, 1}), std::nullopt);
  EXPECT_TRUE(Difference({1, 3.1, 3, 4}, {1, 1, 1, 1}).has_value());
}

TEST_F(RealOutputsTest, WhereTheTrustedOnesHaveNoBoundNothingIsSaid) {
  const RealOutputs trusted = Made({1, 2, 3, kNan}, {kInfinity, 1, 1, kNan});
  EXPECT_EQ(DifferenceBetween(dag_, Made({7, 2, 3, kNan}, {2, 1, 1, kNan}), trusted), std::nullopt);
  EXPECT_TRUE(DifferenceBetween(dag_, Made({7, 9, 3, kNan}, {2, 1, 1, kNan}), trusted).has_value());
}

}  // namespace
}  // namespace schedulegym
