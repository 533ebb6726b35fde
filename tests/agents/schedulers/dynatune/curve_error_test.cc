#include "agents/schedulers/dynatune/curve_error.h"

#include <gtest/gtest.h>

#include <cmath>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

// Trials 1 to `count`.
std::vector<double> Positions(size_t count) {
  std::vector<double> x;
  for (size_t i = 0; i < count; ++i) x.push_back(static_cast<double>(i + 1));
  return x;
}

TEST(CurveErrorTest, IsTheWeightedSumOfSquaresByHand) {
  // 2 x^0 = 2, compared with 1, 4 and 2.
  const std::vector<double> x = {1, 2, 3}, y = {1, 4, 2}, weights = {1, 0.5, 7};
  CurveError error(x, y, weights);
  const std::vector<double> constant = {2, 0};
  const WeightedCurve curve = {CurveFamily::kPow2, 1, constant};
  EXPECT_FLOAT_EQ(error.Of({&curve, 1}), 1 + 0.5 * 4 + 0);
  // Weight 0.5: 1, compared with 1, 4 and 2.
  const WeightedCurve half = {CurveFamily::kPow2, 0.5, constant};
  EXPECT_FLOAT_EQ(error.Of({&half, 1}), 0 + 0.5 * 9 + 7);
  const std::vector<WeightedCurve> both = {half, half};
  EXPECT_FLOAT_EQ(error.Of(both), error.Of({&curve, 1}));
}

// Every family, random parameters, lengths around a whole number of blocks.
TEST(CurveErrorTest, AgreesWithDoublePrecision) {
  Rng rng(7);
  for (const CurveFamilyEntry& entry : CurveFamilies()) {
    for (size_t count : {1u, 15u, 16u, 17u, 300u}) {
      std::vector<double> parameters;
      for (const CurveParameter& bounds : entry.parameters) {
        const double width = std::min(bounds.high, bounds.start + 1) - bounds.start;
        parameters.push_back(bounds.start + width * rng.Uniform());
      }
      const std::vector<double> x = Positions(count), y(count, 0.25), weights(count, 1);
      CurveError error(x, y, weights);
      double expected = 0;
      for (double each : x) {
        expected += std::pow(CurveValue(entry.family, parameters, each) - 0.25, 2);
      }
      const WeightedCurve curve = {entry.family, 1, parameters};
      EXPECT_NEAR(error.Of({&curve, 1}), expected, 1e-5 * expected + 1e-6)
          << entry.name << " over " << count;
    }
  }
}

TEST(CurveErrorTest, GivesTheSameBitsAtAnyWidth) {
  const std::vector<double> x = Positions(100), y(100, 0.7), weights(100, 1);
  std::vector<std::vector<double>> starts;
  std::vector<WeightedCurve> curves;
  for (CurveFamily family : CombinedFamilies()) {
    starts.emplace_back();
    for (const CurveParameter& each : EntryOf(family).parameters) {
      starts.back().push_back(each.start + 0.013);
    }
  }
  for (size_t i = 0; i < starts.size(); ++i) {
    curves.push_back({CombinedFamilies()[i], 0.1, starts[i]});
  }
  const double widest = CurveError(x, y, weights).Of(curves);
  EXPECT_EQ(CurveError(x, y, weights, 256).Of(curves), widest);
  EXPECT_EQ(CurveError(x, y, weights, 128).Of(curves), widest);
}

TEST(CurveErrorTest, IsLargeRatherThanWrongFarOutside) {
  const std::vector<double> x = Positions(20), y(20, 1), weights(20, 1);
  CurveError error(x, y, weights);
  // (1e-6)^-10 = 1e60, which overflows single precision.
  const std::vector<double> steep = {1, 1e-6, 0, 10};
  const WeightedCurve curve = {CurveFamily::kPow4, 1, steep};
  const double far = error.Of({&curve, 1});
  EXPECT_GT(far, 1e30);
  EXPECT_TRUE(std::isfinite(far));
}

TEST(CurveErrorTest, RefusesValuesWithoutPoints) {
  const std::vector<double> two = {1, 2}, one = {1};
  EXPECT_THROW(CurveError(two, one, two), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
