#include "agents/plan/adatune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/plan/forest_surrogate.h"
#include "env/base/fault.h"
#include "tests/agents/plan/surface_book.h"

namespace schedulegym {
namespace {

TEST(ForestSurrogateTest, ASingleLeafIsTheMeanOfItsRows) {
  SurfaceBook surface;
  // One row: each tree predicts its label, log(1) = 0.
  surface.Measure({0, {1, 2, 3, 4}}, 2);
  ForestSurrogate forest({.has_log_labels = true, .is_bounded = true});
  forest.Fit(surface.book);
  const std::vector<FieldPlace> places = {{0, {9, 9, 9, 9}}};
  const Posterior found = forest.Predict(surface.book, places)[0];
  EXPECT_NEAR(found.mean, 0, 1e-6);
  EXPECT_NEAR(found.deviation, 0, 1e-6);
  EXPECT_EQ(forest.Score(surface.book, places)[0], 0);
}

TEST(ForestSurrogateTest, PublishedLabelsAreGigaflops) {
  SurfaceBook surface;
  // 64^4 additions in 2 seconds.
  surface.Measure({0, {1, 2, 3, 4}}, 2);
  ForestSurrogate forest({});
  forest.Fit(surface.book);
  const std::vector<FieldPlace> places = {{0, {9, 9, 9, 9}}};
  EXPECT_NEAR(forest.Predict(surface.book, places)[0].mean, 64.0 * 64 * 64 * 64 / 2 / 1e9, 1e-5);
}

TEST(ForestSurrogateTest, LearnsWhatIsMeasured) {
  SurfaceBook surface;
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    const FieldPlace place = surface.book.field().Draw(rng).value();
    surface.Measure(place, ValleySeconds(place.point));
  }
  ForestSurrogate forest({.columns = 100, .score = ForestScore::kMean, .has_log_labels = true});
  forest.Fit(surface.book);
  const std::vector<FieldPlace> places = {{0, {11, 6, 9, 4}}, {0, {0, 15, 0, 15}}};
  const std::vector<double> scores = forest.Score(surface.book, places);
  EXPECT_GT(scores[0], scores[1] + 0.5);
  const double share = forest.ShareByChance(surface.book, rng).value();
  EXPECT_GE(share, 1.0 / 32);
  EXPECT_LE(share, 0.3);
}

TEST(ForestSurrogateTest, ContextIsASwitch) {
  SurfaceBook surface;
  Rng rng(1);
  EXPECT_FALSE(ForestSurrogate({.is_contextual = false}).ShareByChance(surface.book, rng));
}

TEST(AdatuneAgentTest, EitherModelFindsTheBestOfASmoothGrid) {
  GridSpace grid(20);
  grid.has_sketch = true;
  for (const char* spec :
       {"adatune(plan=8)", "adatune(plan=8,model=rank)", "autotvm(plan=8,model=forest)",
        "autotvm(plan=8,model=forest,trees=5)"}) {
    const std::vector<GridPlace> all = GridSearch(*GridAgent(spec, grid), 120, 8, AwayFrom({7, 9}));
    EXPECT_THAT(all, testing::Contains(GridPlace{7, 9})) << spec;
  }
}

TEST(AdatuneAgentTest, BadOptionsAreRefused) {
  GridSpace grid(3);
  grid.has_sketch = true;
  for (const char* spec :
       {"adatune(trees=0)", "adatune(acquire=lcb)", "adatune(columns=0)",
        "adatune(model=rank,trees=5)", "adatune(model=regression)", "adatune(settle=cv)"}) {
    EXPECT_THROW(GridAgent(spec, grid), InputError) << spec;
  }
}

}  // namespace
}  // namespace schedulegym
