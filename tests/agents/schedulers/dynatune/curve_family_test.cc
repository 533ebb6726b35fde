#include "agents/schedulers/dynatune/curve_family.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace schedulegym {
namespace {

using testing::ElementsAre;

double Value(CurveFamily family, std::vector<double> parameters, double x) {
  return CurveValue(family, parameters, x);
}

TEST(CurveFamilyTest, HasThePublishedShapesByHand) {
  // 0.9 - 0.7 exp(-(0.02 * 50)^2) = 0.9 - 0.7 / e
  EXPECT_NEAR(Value(CurveFamily::kWeibull, {0.9, 0.2, 0.02, 2}, 50), 0.9 - 0.7 / M_E, 1e-12);
  // 1 - (3 * 8 + 1)^-0.5 = 1 - 1 / 5
  EXPECT_NEAR(Value(CurveFamily::kPow4, {1, 3, 1, 0.5}, 8), 0.8, 1e-12);
  // 1 - 0.8 / (1 + (0.5 * 6)^2) = 1 - 0.8 / 10
  EXPECT_NEAR(Value(CurveFamily::kMmf, {1, 0.2, 0.5, 2}, 6), 0.92, 1e-12);
  // 0.9 - 0.6 / sqrt 9
  EXPECT_NEAR(Value(CurveFamily::kPow3, {0.9, 0.6, 0.5}, 9), 0.7, 1e-12);
  // ln(0.5 ln e^2 + 1) = ln 2
  EXPECT_NEAR(Value(CurveFamily::kLogLog, {0.5, 1}, std::exp(2)), std::log(2), 1e-12);
  // 1 - 0.9 exp(-0.25 * 16^0.5) = 1 - 0.9 / e
  EXPECT_NEAR(Value(CurveFamily::kJanoschek, {1, 0.1, 0.25, 0.5}, 16), 1 - 0.9 / M_E, 1e-12);
  // 2 * 4^2 / (2^2 + 4^2) = 32 / 20
  EXPECT_NEAR(Value(CurveFamily::kHill3, {2, 2, 2}, 4), 1.6, 1e-12);
  // 0.9 / (1 + (4 e / e)^-0.5) = 0.9 / 1.5
  EXPECT_NEAR(Value(CurveFamily::kLogPower, {0.9, 1, -0.5}, 4 * M_E), 0.6, 1e-12);
  // 1 - exp(-0.5 * 4^0.5 + 1) = 1 - 1, and 1 - exp(-0.5 * 16^0.5 + 1) = 1 - 1 / e
  EXPECT_NEAR(Value(CurveFamily::kExp4, {1, 0.5, 1, 0.5}, 4), 0, 1e-12);
  EXPECT_NEAR(Value(CurveFamily::kExp4, {1, 0.5, 1, 0.5}, 16), 1 - 1 / M_E, 1e-12);
  // 0.1 * 64^(1/3)
  EXPECT_NEAR(Value(CurveFamily::kPow2, {0.1, -1.0 / 3}, 64), 0.4, 1e-12);
}

// The published formulas, with powers.
double Published(CurveFamily family, std::span<const double> p, double x) {
  using std::exp, std::log, std::pow;
  switch (family) {
    case CurveFamily::kWeibull: return p[0] - (p[0] - p[1]) * exp(-pow(p[2] * x, p[3]));
    case CurveFamily::kPow4: return p[0] - pow(p[1] * x + p[2], -p[3]);
    case CurveFamily::kMmf: return p[0] - (p[0] - p[1]) / (1 + pow(p[2] * x, p[3]));
    case CurveFamily::kPow3: return p[0] - p[1] * pow(x, -p[2]);
    case CurveFamily::kLogLog: return log(p[0] * log(x) + p[1]);
    case CurveFamily::kJanoschek: return p[0] - (p[0] - p[1]) * exp(-p[2] * pow(x, p[3]));
    case CurveFamily::kHill3: return p[0] * pow(x, p[1]) / (pow(p[2], p[1]) + pow(x, p[1]));
    case CurveFamily::kLogPower: return p[0] / (1 + pow(x / exp(p[1]), p[2]));
    case CurveFamily::kExp4: return p[0] - exp(-p[1] * pow(x, p[3]) + p[2]);
    case CurveFamily::kPow2: return p[0] * pow(x, -p[1]);
  }
  return 0;
}

TEST(CurveFamilyTest, IsThePublishedFormulaAtItsPublishedStart) {
  for (const CurveFamilyEntry& entry : CurveFamilies()) {
    std::vector<double> start;
    for (const CurveParameter& parameter : entry.parameters) start.push_back(parameter.start);
    for (double x : {1.0, 2.0, 17.0, 300.0}) {
      const double expected = Published(entry.family, start, x);
      EXPECT_NEAR(CurveValue(entry.family, start, x), expected, 1e-12) << entry.name << " at " << x;
    }
  }
}

TEST(CurveFamilyTest, StartsWithinItsBounds) {
  for (const CurveFamilyEntry& entry : CurveFamilies()) {
    ASSERT_LE(entry.parameters.size(), size_t{kMostCurveParameters});
    for (const CurveParameter& parameter : entry.parameters) {
      EXPECT_LE(parameter.low, parameter.start) << entry.name << " " << parameter.name;
      EXPECT_GE(parameter.high, parameter.start) << entry.name << " " << parameter.name;
    }
  }
}

// At the corners of the bounds and in between.
TEST(CurveFamilyTest, RisesWhereverItIsPossible) {
  for (const CurveFamilyEntry& entry : CurveFamilies()) {
    const size_t size = entry.parameters.size();
    int tried = 0;
    for (int corner = 0; corner < 81; ++corner) {
      CurveParameters p = {};
      int digits = corner;
      for (size_t i = 0; i < size; ++i, digits /= 3) {
        const CurveParameter& bounds = entry.parameters[i];
        p[i] = bounds.low + (bounds.high - bounds.low) * (digits % 3) / 2;
      }
      if (!IsPossible(entry.family, std::span(p).first(size))) continue;
      ++tried;
      for (double x : {1.0, 10.0, 100.0}) {
        EXPECT_LE(CurveValue(entry.family, p, x), CurveValue(entry.family, p, 10 * x))
            << entry.name << " corner " << corner << " at " << x;
      }
    }
    EXPECT_GT(tried, 8) << entry.name;
  }
}

TEST(CurveFamilyTest, KnowsWhatIsImpossible) {
  const auto is_possible = [](CurveFamily family, std::vector<double> parameters) {
    return IsPossible(family, parameters);
  };
  EXPECT_TRUE(is_possible(CurveFamily::kLogPower, {1, 3, -0.5}));
  EXPECT_FALSE(is_possible(CurveFamily::kLogPower, {1, 3, 0.5}));
  EXPECT_FALSE(is_possible(CurveFamily::kLogPower, {-0.1, 3, -0.5}));
  EXPECT_FALSE(is_possible(CurveFamily::kLogPower, {1, 21, -0.5}));
  EXPECT_FALSE(is_possible(CurveFamily::kPow3, {std::numeric_limits<double>::quiet_NaN(), 1, 1}));
  for (CurveFamily family : {CurveFamily::kWeibull, CurveFamily::kMmf, CurveFamily::kJanoschek}) {
    EXPECT_TRUE(is_possible(family, {0.9, 0.9, 0.5, 1}));
    EXPECT_FALSE(is_possible(family, {0.8, 0.9, 0.5, 1})) << "it would fall";
  }
}

TEST(CurveFamilyTest, HasNames) {
  EXPECT_EQ(CurveFamilies().size(), 10u);
  for (const CurveFamilyEntry& entry : CurveFamilies()) {
    EXPECT_EQ(ParseCurveFamily(entry.name), entry.family);
    EXPECT_EQ(&EntryOf(entry.family), &entry);
  }
  EXPECT_EQ(ParseCurveFamily("log_power"), CurveFamily::kLogPower);
  EXPECT_EQ(ParseCurveFamily("logpower"), std::nullopt);
  EXPECT_EQ(CombinedFamilies().size(), 9u);
  EXPECT_THAT(CombinedFamilies(), testing::Not(testing::Contains(CurveFamily::kPow2)));
}

TEST(CurveStartsTest, BeginAtTheTableAndAtWhatIsSeen) {
  const std::vector<double> x = {1, 2, 3, 4}, y = {0.4, 0.5, 0.8, 1};
  const std::vector<CurveParameters> starts = CurveStarts(CurveFamily::kLogPower, x, y);
  ASSERT_EQ(starts.size(), 2u);
  EXPECT_THAT(starts[0], ElementsAre(0.77, 2.98, -0.51, 0));
  // Half of the distance from 0.4 to 1 is reached at x = 3.
  EXPECT_THAT(starts[1], ElementsAre(1.1, std::log(3), -1, 0));
}

TEST(CurveStartsTest, AreWithinBoundsForAnyPoints) {
  const std::vector<std::vector<double>> values = {{1}, {1, 1, 1}, {0, 0, 1}, {1e-9, 1e-9, 1}};
  for (const CurveFamilyEntry& entry : CurveFamilies()) {
    for (const std::vector<double>& y : values) {
      std::vector<double> x;
      for (size_t i = 0; i < y.size(); ++i) x.push_back(static_cast<double>(i + 1));
      for (const CurveParameters& start : CurveStarts(entry.family, x, y)) {
        EXPECT_TRUE(IsPossible(entry.family, start)) << entry.name;
      }
    }
  }
}

}  // namespace
}  // namespace schedulegym
