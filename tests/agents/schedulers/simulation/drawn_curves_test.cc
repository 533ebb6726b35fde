#include "agents/schedulers/simulation/recorded_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "agents/schedulers/simulation/curve_file.h"

namespace schedulegym {
namespace {

TEST(DrawnCurvesTest, TheSameSeedDrawsTheSame) {
  const DrawnCurveOptions options = {.trials = 100};
  EXPECT_EQ(CurveText(DrawCurves(options, 8, Rng(3))), CurveText(DrawCurves(options, 8, Rng(3))));
  EXPECT_NE(CurveText(DrawCurves(options, 8, Rng(3))), CurveText(DrawCurves(options, 8, Rng(4))));
}

// The reader of curve files checks their contents.
TEST(DrawnCurvesTest, AreSearchesThatCouldBe) {
  const std::vector<RecordedCurve> curves = DrawCurves({.trials = 100}, 60, Rng(1));
  EXPECT_EQ(ParseCurves(CurveText(curves), "drawn").size(), 60u);
  std::set<std::string> families;
  for (const RecordedCurve& curve : curves) {
    EXPECT_EQ(curve.trials(), 100);
    EXPECT_EQ(curve.whole.turns.size(), 7u) << "of 16 trials, the last of 4";
    ASSERT_TRUE(curve.whole.best);
    // From a little below the reference's speed to 30 times that, except for jumps.
    EXPECT_GT(curve.whole.best->ratio, 0.6) << curve.task;
    EXPECT_LT(curve.whole.best->ratio, 60.1) << curve.task;
    families.insert(curve.task.substr(curve.task.find(' ')));
  }
  EXPECT_EQ(families.size(), 9u);
}

TEST(DrawnCurvesTest, ChanceMakesFailuresOfTheirShare) {
  int64_t failures = 0;
  for (const RecordedCurve& curve : DrawCurves({.failures = 0.25}, 20, Rng(5))) {
    failures += curve.whole.failures();
  }
  // In 6000 trials; the standard deviation is 33.
  EXPECT_NEAR(static_cast<double>(failures), 1500, 170);
}

TEST(DrawnCurvesTest, APlateauKeepsWhatWas) {
  const DrawnCurveOptions options = {.trials = 1000, .jump = 0, .plateau = 1, .failures = 0};
  const DrawnCurveOptions none = {.trials = 1000, .jump = 0, .plateau = 0, .failures = 0};
  const auto longest = [](const RecordedCurve& curve) {
    int64_t most = 0, length = 0;
    for (int64_t i = 1; i < curve.trials(); ++i) {
      const bool same = curve.whole.best_by_trial[i] == curve.whole.best_by_trial[i - 1];
      length = same ? length + 1 : 0;
      most = std::max(most, length);
    }
    return most;
  };
  double with = 0, without = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    with += static_cast<double>(longest(DrawCurves(options, 1, Rng(seed))[0]));
    without += static_cast<double>(longest(DrawCurves(none, 1, Rng(seed))[0]));
  }
  EXPECT_GT(with, without);
}

TEST(DrawnCurvesTest, AlikeTasksHaveOneTagAndOneFamily) {
  const std::vector<RecordedCurve> curves = DrawCurves({.trials = 20, .alike = 1}, 5, Rng(2));
  for (const RecordedCurve& curve : curves) {
    EXPECT_EQ(curve.facts.tag, curves[0].facts.tag);
    EXPECT_EQ(curve.task.substr(6), curves[0].task.substr(6));
    EXPECT_NEAR(curve.facts.flops / *curve.reference, curves[0].facts.flops / *curves[0].reference,
                1);
  }
  EXPECT_NE(DrawCurves({.trials = 20, .alike = 0}, 2, Rng(2))[1].facts.tag, "0");
}

}  // namespace
}  // namespace schedulegym
