#include "agents/plan/annealing_explorer.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/agents/plan/surface_book.h"

namespace schedulegym {
namespace {

TEST(AnnealingExplorerTest, CoolsFromOneToNothing) {
  EXPECT_DOUBLE_EQ(TemperatureAt(0, 500), 1);
  EXPECT_NEAR(TemperatureAt(500, 500), 1.0 / 501, 1e-12);
}

// exp(-0.1 / (0.5 + 1e-5)); gains are always accepted.
TEST(AnnealingExplorerTest, AcceptsByTheTemperature) {
  EXPECT_NEAR(Acceptance(0.4, 0.3, 0.5), 0.818734, 1e-5);
  EXPECT_EQ(Acceptance(0.3, 0.4, 0.5), 1);
  EXPECT_EQ(Acceptance(0.3, 1e9, 0), 1);
  EXPECT_NEAR(Acceptance(0.4, 0.3, 0), 0, 1e-300);
}

// The surface itself as model; it has one valley.
class TrueSurface : public Surrogate {
 public:
  void Fit(const PlaceBook&) override {}
  std::vector<double> Score(const PlaceBook&, std::span<const FieldPlace> places) override {
    asked += static_cast<int>(places.size());
    std::vector<double> scores;
    for (const FieldPlace& place : places) scores.push_back(1 / ValleySeconds(place.point));
    return scores;
  }
  int asked = 0;
};

TEST(AnnealingExplorerTest, FindsTheBestOpenPlaces) {
  SurfaceBook surface;
  AnnealingExplorer explorer({});
  TrueSurface scores;
  Rng rng(1);
  const std::vector<ScoredPlace> first = explorer.Explore(surface.book, scores, 8, rng);
  ASSERT_EQ(first.size(), 8u);
  EXPECT_GE(first[0].score, 0.97);  // one of the 39 best
  std::set<FieldPlace> distinct;
  for (size_t i = 0; i < first.size(); ++i) {
    distinct.insert(first[i].place);
    EXPECT_LE(first[i].score, first[i == 0 ? 0 : i - 1].score);
    surface.book.Claim(first[i].place);
  }
  EXPECT_EQ(distinct.size(), 8u);
  for (const ScoredPlace& one : explorer.Explore(surface.book, scores, 8, rng)) {
    EXPECT_FALSE(distinct.contains(one.place));
  }
}

TEST(AnnealingExplorerTest, PatienceEndsTheWalk) {
  SurfaceBook surface;
  TrueSurface scores;
  Rng rng(1);
  AnnealingExplorer({.chains = 4, .steps = 500, .patience = 5})
      .Explore(surface.book, scores, 1, rng);
  EXPECT_LT(scores.asked, 4 * 200);
}

TEST(AnnealingExplorerTest, FewerPlacesThanAskedFor) {
  GridSpace grid(2);
  grid.has_sketch = true;
  SurfaceBook small(grid, GridTask());
  class Even : public Surrogate {
   public:
    void Fit(const PlaceBook&) override {}
    std::vector<double> Score(const PlaceBook&, std::span<const FieldPlace> places) override {
      return std::vector<double>(places.size());
    }
  } even;
  Rng rng(1);
  EXPECT_EQ(AnnealingExplorer({}).Explore(small.book, even, 64, rng).size(), 4u);
}

}  // namespace
}  // namespace schedulegym
