#include "agents/schedulers/dynatune/curve_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "agents/normal.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kHorizon = 400;

struct Points {
  std::vector<double> x, y;
};

Points Of(CurveFamily family, const std::vector<double>& parameters, int count, double noise = 0) {
  Points points;
  Rng rng(11);
  for (int i = 1; i <= count; ++i) {
    points.x.push_back(i);
    points.y.push_back(CurveValue(family, parameters, i) + noise * DrawNormal(rng));
  }
  return points;
}

CurveModel Of(const CurveModelOptions& options, const Points& points, const CurvePrior& prior = {},
              uint64_t seed = 3) {
  return CurveModel(options, points.x, points.y, kHorizon, prior, Rng(seed));
}

// 0.9 / (1 + (x / e^2)^-0.8), at 400: 0.9 / (1 + (400 / 7.389)^-0.8) = 0.864.
const std::vector<double> kLogPower = {0.9, 2, -0.8};

TEST(CurveModelTest, FollowsTheCurveBeyondItsPoints) {
  const Points points = Of(CurveFamily::kLogPower, kLogPower, 60, 0.01);
  const CurveModel curve_model = Of(CurveModelOptions(), points);
  ASSERT_FALSE(curve_model.has_fallen_back());
  EXPECT_THAT(curve_model.families(), ElementsAre(CurveFamily::kLogPower));
  const Forecast end = curve_model.At(kHorizon);
  const double truth = CurveValue(CurveFamily::kLogPower, kLogPower, kHorizon);
  EXPECT_NEAR(end.mean, truth, 4 * end.deviation);
  EXPECT_NEAR(end.mean, truth, 0.05);
  EXPECT_GT(end.deviation, 0.001);
  EXPECT_LT(end.deviation, 0.1);
  EXPECT_LT(curve_model.At(30).deviation, end.deviation)
      << "surer among the points than beyond them";
  EXPECT_GT(curve_model.acceptance().value(), 0.1);
}

TEST(CurveModelTest, IsSurerWithMorePoints) {
  const CurveModel few = Of(CurveModelOptions(), Of(CurveFamily::kLogPower, kLogPower, 15, 0.01));
  const CurveModel many = Of(CurveModelOptions(), Of(CurveFamily::kLogPower, kLogPower, 200, 0.01));
  EXPECT_LT(many.At(kHorizon).deviation, few.At(kHorizon).deviation / 2);
}

// The power law a x^-alpha with so many points has a normal posterior around the least squares fit,
// with covariance noise^2 times the inverse of the sum of outer products of gradients (Laplace).
TEST(CurveModelTest, AgreesWithTheNormalLimit) {
  constexpr double kA = 0.3, kAlpha = -0.2, kNoise = 0.02;
  constexpr int kCount = 400;
  const Points points = Of(CurveFamily::kPow2, {kA, kAlpha}, kCount, kNoise);
  CurveModelOptions options;
  options.families = {CurveFamily::kPow2};
  options.ensemble = {.walkers = 40, .steps = 6000, .burn_in = 1000};
  const CurveModel curve_model = Of(options, points);
  double aa = 0, ab = 0, bb = 0;
  const double scale = *std::max_element(points.y.begin(), points.y.end());
  for (double x : points.x) {
    const double by_a = std::pow(x, -kAlpha);
    const double by_alpha = -kA / scale * std::log(x) * by_a;
    aa += by_a * by_a;
    ab += by_a * by_alpha;
    bb += by_alpha * by_alpha;
  }
  const double determinant = aa * bb - ab * ab, noise = kNoise / scale;
  const std::vector<NormalPrior> parameters = curve_model.Parameters();
  ASSERT_EQ(parameters.size(), 2u);
  EXPECT_NEAR(parameters[0].deviation, noise * std::sqrt(bb / determinant),
              0.1 * parameters[0].deviation);
  EXPECT_NEAR(parameters[1].deviation, noise * std::sqrt(aa / determinant),
              0.1 * parameters[1].deviation);
  EXPECT_NEAR(parameters[0].mean, kA / scale, 4 * parameters[0].deviation);
  EXPECT_NEAR(parameters[1].mean, kAlpha, 4 * parameters[1].deviation);
}

TEST(CurveModelTest, FindsEachFamilyByLeastSquares) {
  const std::vector<std::pair<CurveFamily, std::vector<double>>> curves = {
      {CurveFamily::kWeibull, {0.95, 0.2, 0.03, 0.8}},
      {CurveFamily::kPow4, {1, 2, 1, 0.4}},
      {CurveFamily::kMmf, {0.95, 0.2, 0.05, 1.2}},
      {CurveFamily::kPow3, {0.95, 0.7, 0.5}},
      // 1 at x = 100, because this curve, unlike the others, does not exceed its best.
      {CurveFamily::kLogLog, {(M_E - 1.3) / std::log(100), 1.3}},
      {CurveFamily::kJanoschek, {0.9, 0.1, 0.2, 0.6}},
      {CurveFamily::kHill3, {0.95, 0.8, 9}},
      {CurveFamily::kLogPower, kLogPower},
      {CurveFamily::kExp4, {0.9, 0.3, -0.2, 0.5}},
      {CurveFamily::kPow2, {0.3, -0.2}}};
  ASSERT_EQ(curves.size(), CurveFamilies().size());
  for (const auto& [family, parameters] : curves) {
    const CurveModel curve_model = Of(LeastSquaresCurveModel(family), Of(family, parameters, 100));
    ASSERT_FALSE(curve_model.has_fallen_back()) << EntryOf(family).name;
    const Forecast end = curve_model.At(kHorizon);
    EXPECT_NEAR(end.mean, CurveValue(family, parameters, kHorizon), 2e-3) << EntryOf(family).name;
    EXPECT_EQ(end.deviation, 0);
    EXPECT_FALSE(curve_model.acceptance());
  }
}

TEST(CurveModelTest, CombinesTheNine) {
  const std::vector<double> janoschek = {0.9, 0.1, 0.2, 0.6};
  const Points points = Of(CurveFamily::kJanoschek, janoschek, 100, 0.01);
  CurveModelOptions options = CombinedCurveModel();
  options.ensemble.steps = 1000;
  const CurveModel curve_model = Of(options, points);
  EXPECT_GE(curve_model.families().size(), 7u);
  for (double x : {50, 100, 150}) {
    const Forecast there = curve_model.At(x);
    EXPECT_NEAR(there.mean, CurveValue(CurveFamily::kJanoschek, janoschek, x), 0.03) << x;
    EXPECT_GT(there.deviation, 0);
    EXPECT_LT(there.deviation, 0.02);
  }
  EXPECT_TRUE(curve_model.Parameters().size() == 4) << "of the first family, weibull";
}

TEST(CurveModelTest, KnowsHowMuchTheCurveRises) {
  const Points points = Of(CurveFamily::kLogPower, kLogPower, 60, 0.01);
  const CurveModel fit = Of(LeastSquaresCurveModel(CurveFamily::kLogPower), points);
  EXPECT_NEAR(fit.Rise(60, 200).mean, fit.At(200).mean - fit.At(60).mean, 1e-12);
  const CurveModel curve_model = Of(CurveModelOptions(), points);
  const Forecast rise = curve_model.Rise(60, 200);
  EXPECT_NEAR(rise.mean, curve_model.At(200).mean - curve_model.At(60).mean, 1e-9);
  EXPECT_GT(rise.deviation, 0);
  EXPECT_LT(rise.deviation, curve_model.At(200).deviation + curve_model.At(60).deviation);
  EXPECT_EQ(Of(CurveModelOptions(), Points()).Rise(1, 2).mean, 0);
}

TEST(CurveModelTest, KnowsNoUnits) {
  Points points = Of(CurveFamily::kLogPower, kLogPower, 40, 0.01);
  const Forecast plain = Of(CurveModelOptions(), points).At(kHorizon);
  for (double& y : points.y) y *= 1024;
  const Forecast scaled = Of(CurveModelOptions(), points).At(kHorizon);
  EXPECT_NEAR(scaled.mean, 1024 * plain.mean, 1e-9);
  EXPECT_NEAR(scaled.deviation, 1024 * plain.deviation, 1e-6);
}

TEST(CurveModelTest, RepeatsItself) {
  const Points points = Of(CurveFamily::kLogPower, kLogPower, 40, 0.01);
  const double mean = Of(CurveModelOptions(), points).At(kHorizon).mean;
  EXPECT_EQ(Of(CurveModelOptions(), points).At(kHorizon).mean, mean);
  EXPECT_NE(Of(CurveModelOptions(), points, {}, 4).At(kHorizon).mean, mean);
}

TEST(CurveModelTest, CountsTheLatestMoreWhereAsked) {
  Points points;
  // A bent curve: slow at first, then fast.
  for (int i = 1; i <= 60; ++i) {
    points.x.push_back(i);
    points.y.push_back(i <= 30 ? 0.2 : 0.2 + 0.02 * (i - 30));
  }
  CurveModelOptions options = LeastSquaresCurveModel();
  const double plain = Of(options, points).At(60).mean;
  options.recency = true;
  EXPECT_GT(Of(options, points).At(60).mean, plain + 0.005) << "nearer to the 0.8 there";
}

TEST(CurveModelTest, FallsBackWhereNoFitConverges) {
  const Points points = Of(CurveFamily::kLogPower, kLogPower, 40, 0.01);
  CurveModelOptions options;
  options.most_fit_iterations = 1;
  const CurveModel curve_model = Of(options, points);
  EXPECT_TRUE(curve_model.has_fallen_back());
  EXPECT_THAT(curve_model.families(), IsEmpty());
  EXPECT_THAT(curve_model.Parameters(), IsEmpty());
  EXPECT_EQ(curve_model.At(kHorizon).mean, *std::max_element(points.y.begin(), points.y.end()));
  EXPECT_EQ(curve_model.At(kHorizon).deviation, 0);
}

TEST(CurveModelTest, FallsBackWithoutPointsOrASpeed) {
  EXPECT_TRUE(Of(CurveModelOptions(), Points()).has_fallen_back());
  EXPECT_EQ(Of(CurveModelOptions(), Points()).At(kHorizon).mean, 0);
  EXPECT_TRUE(Of(CurveModelOptions(), {{1, 2}, {5, 6}}).has_fallen_back());
  EXPECT_EQ(Of(CurveModelOptions(), {{1, 2}, {5, 6}}).At(kHorizon).mean, 6);
  EXPECT_TRUE(Of(CurveModelOptions(), {{1, 2, 3, 4}, {0, 0, 0, 0}}).has_fallen_back());
}

TEST(CurveModelTest, ExpectsLittleOfAFlatCurve) {
  const Points points = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, std::vector<double>(10, 7)};
  const Forecast end = Of(CurveModelOptions(), points).At(20);
  EXPECT_NEAR(end.mean, 7, 0.1);
}

TEST(CurveModelTest, LearnsFromAPriorWhatFewPointsDoNotSay) {
  const Points points = Of(CurveFamily::kLogPower, kLogPower, 6);
  const CurvePrior prior = {std::nullopt, NormalPrior{2, 0.05}, NormalPrior{-0.8, 0.02}};
  const double truth = CurveValue(CurveFamily::kLogPower, kLogPower, kHorizon);
  Points noisy = points;
  noisy.y[5] -= 0.01;
  noisy.y[0] += 0.02;
  const Forecast alone = Of(CurveModelOptions(), noisy).At(kHorizon);
  const Forecast told = Of(CurveModelOptions(), noisy, prior).At(kHorizon);
  EXPECT_LT(told.deviation, alone.deviation / 2);
  EXPECT_LT(std::abs(told.mean - truth), std::abs(alone.mean - truth));
}

TEST(SharedPriorTest, IsTheMixtureOfTheOthersButForTheHeight) {
  // Means 1 and 3, deviations 1 and 2: mean 2, variance (1 + 1 + 9 + 4) / 2 - 4 = 3.5.
  const std::vector<std::vector<NormalPrior>> others = {{{5, 1}, {1, 1}}, {{7, 1}, {3, 2}}};
  const CurvePrior prior = SharedPrior(others);
  ASSERT_EQ(prior.size(), 2u);
  EXPECT_FALSE(prior[0]);
  EXPECT_DOUBLE_EQ(prior[1].value().mean, 2);
  EXPECT_DOUBLE_EQ(prior[1].value().deviation, std::sqrt(3.5));
  EXPECT_THAT(SharedPrior({}), IsEmpty());
}

}  // namespace
}  // namespace schedulegym
