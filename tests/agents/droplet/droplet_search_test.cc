#include "agents/droplet/droplet_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "env/base/rng.h"
#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Cost = std::function<double(const KnobPoint&)>;

bool Always(const KnobPoint&) { return true; }

// Runs a search to its end.
struct Descent {
  int trials = 0;
  std::set<KnobPoint> measured;
  bool repeats = false;

  Descent(DropletSearch& search, const Cost& cost, int most = 100000, int batch = 16) {
    while (trials < most) {
      const std::vector<KnobPoint> points = search.Next(batch);
      if (points.empty()) return;
      std::vector<std::optional<Timing>> results;
      for (const KnobPoint& point : points) {
        repeats = !measured.insert(point).second || repeats;
        results.emplace_back(TimingOf(cost(point)));
        ++trials;
      }
      search.Tell(results);
    }
  }
};

double Bowl(const KnobPoint& point) {
  const KnobPoint bottom = {9, 4, 12};
  double cost = 1;
  for (size_t i = 0; i < point.size(); ++i) cost += std::pow(point[i] - bottom[i], 2);
  return cost;
}

// A falling valley along the diagonal: moving a single knob never improves.
double Ridge(const KnobPoint& point) {
  return 100 + 10 * std::abs(point[0] - point[1]) - point[0] - point[1];
}

class DropletModesTest : public testing::TestWithParam<bool> {
 protected:
  DropletOptions options_ = GetParam() ? DropletOptions::Published() : DropletOptions();
};

INSTANTIATE_TEST_SUITE_P(Modes, DropletModesTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Faithful" : "Fixed"; });

TEST_P(DropletModesTest, FindsTheBottomOfABowl) {
  DropletSearch search({16, 16, 16}, {0, 0, 0}, options_, Always);
  Descent run(search, Bowl, 400);
  EXPECT_THAT(*search.best(), ElementsAre(9, 4, 12));
  EXPECT_FALSE(run.repeats);
}

TEST_P(DropletModesTest, FollowsARidge) {
  DropletSearch search({32, 32}, {0, 0}, options_, Always);
  Descent run(search, Ridge);
  EXPECT_THAT(*search.best(), ElementsAre(31, 31));
}

TEST_P(DropletModesTest, BeginsWithTheStartAlone) {
  DropletSearch search({8, 8}, {0, 0}, options_, Always);
  EXPECT_THAT(search.Next(16), ElementsAre(KnobPoint{0, 0}));
}

TEST_P(DropletModesTest, AGridOfOnePointEnds) {
  DropletSearch search({}, {}, options_, Always);
  EXPECT_EQ(Descent(search, [](const KnobPoint&) { return 1.0; }).trials, 1);
}

TEST_P(DropletModesTest, FailuresAreNoImprovement) {
  DropletSearch search({8, 8}, {0, 0}, options_, Always);
  search.Next(4);
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(5)});
  const auto points = search.Next(4);
  ASSERT_FALSE(points.empty());
  search.Tell(std::vector<std::optional<Timing>>(points.size()));
  EXPECT_THAT(*search.best(), ElementsAre(0, 0));
}

TEST_P(DropletModesTest, GoesOnWhereTheStartFails) {
  DropletSearch search({8, 8}, {0, 0}, options_, Always);
  search.Next(4);
  search.Tell(std::vector<std::optional<Timing>>(1));
  EXPECT_FALSE(search.best());
  EXPECT_FALSE(search.Next(4).empty());
}

TEST_P(DropletModesTest, WithoutSpeculationEndsAtTheFirstValley) {
  options_.speculates = false;
  DropletSearch search({32}, {0}, options_, Always);
  // Falls until 3, rises until 10, falls again.
  Descent run(search, [](const KnobPoint& p) {
    return p[0] <= 3 ? 10 - p[0] : p[0] <= 10 ? 4 + p[0] : 20 - p[0] / 2.0;
  });
  EXPECT_THAT(*search.best(), ElementsAre(3));
  EXPECT_LT(run.trials, 8);
}

TEST_P(DropletModesTest, SpeculationJumpsOverAHill) {
  DropletSearch search({32}, {0}, options_, Always);
  Descent run(search, [](const KnobPoint& p) {
    return p[0] <= 3 ? 10.0 - p[0] : p[0] <= 10 ? 10.0 : 16 - p[0] / 2.0;
  });
  EXPECT_THAT(*search.best(), ElementsAre(31));
}

// --- the improved form ---

TEST(DropletSearchTest, TakesSingleKnobsFirst) {
  DropletSearch search({9, 9, 9}, {4, 4, 4}, DropletOptions(), Always);
  search.Next(6);
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(1)});
  EXPECT_THAT(search.Next(6),
              ElementsAre(KnobPoint{4, 4, 5}, KnobPoint{4, 4, 3}, KnobPoint{4, 5, 4},
                          KnobPoint{4, 3, 4}, KnobPoint{5, 4, 4}, KnobPoint{3, 4, 4}));
}

TEST(DropletSearchTest, ReachesEveryKnobOfMany) {
  // Twenty knobs, more than fit into a batch; the cost depends on the first alone.
  DropletSearch search(std::vector<int>(20, 4), KnobPoint(20, 0), DropletOptions(), Always);
  Descent run(
      search, [](const KnobPoint& p) { return 10.0 - p[0]; }, 3000);
  EXPECT_EQ((*search.best())[0], 3);
}

TEST(DropletSearchTest, MeasuresAllOfASmallGridInTheEnd) {
  DropletSearch search({3, 4}, {0, 0}, DropletOptions(), Always);
  // Singles and pairs around the start, at strides up to 4; the other points are off both axes.
  const Descent run(search, [](const KnobPoint&) { return 1.0; });
  EXPECT_EQ(run.trials, 1 + 2 + 3 + 2);  // start, first knob, second, both alike
}

TEST(DropletSearchTest, SkipsWhatIsNoSchedule) {
  DropletSearch search({8, 8}, {0, 0}, DropletOptions(),
                       [](const KnobPoint& p) { return p[0] != 1; });
  const Descent run(search, [](const KnobPoint& p) { return 20.0 - p[0] - p[1]; });
  for (const KnobPoint& point : run.measured) EXPECT_NE(point[0], 1);
  EXPECT_THAT(*search.best(), ElementsAre(7, 7));
}

TEST(DropletSearchTest, AVerdictNeedsIntervalsApart) {
  DropletSearch search({8}, {0}, DropletOptions(), Always);
  search.Next(4);
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(1.00, 0.02)});
  search.Next(1);
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(0.97, 0.02)});  // 1 to 1.05 overlaps 1.02
  EXPECT_THAT(*search.best(), ElementsAre(0));
  search.Next(1);
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(0.90, 0.02)});
  EXPECT_THAT(*search.best(), testing::Not(ElementsAre(0)));
}

TEST(DropletSearchTest, NoiseDoesNotLeadItAstray) {
  Rng rng(3);
  DropletSearch search({16, 16, 16}, {0, 0, 0}, DropletOptions(), Always);
  for (int trials = 0; trials < 600;) {
    const auto points = search.Next(16);
    if (points.empty()) break;
    std::vector<std::optional<Timing>> results;
    for (const KnobPoint& point : points) {
      // Up to 3 % off, with intervals that cover it.
      results.emplace_back(TimingOf(Bowl(point) * (0.97 + 0.06 * rng.Uniform()), 0.03));
      ++trials;
    }
    search.Tell(results);
  }
  EXPECT_LE(Bowl(*search.best()), 2);
}

// --- the published form ---

TEST(PublishedDropletTest, StepsAlongAllKnobsFirst) {
  DropletSearch search({9, 9}, {4, 4}, DropletOptions::Published(), Always);
  search.Next(6);
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(1)});
  // Patterns 11, 10, 01 with either sign.
  EXPECT_THAT(search.Next(6), ElementsAre(KnobPoint{5, 5}, KnobPoint{3, 3}, KnobPoint{5, 4},
                                          KnobPoint{3, 4}, KnobPoint{4, 5}, KnobPoint{4, 3}));
}

TEST(PublishedDropletTest, WrapsAtTheTopAndStopsAtTheBottom) {
  DropletSearch search({3}, {2}, DropletOptions::Published(), Always);
  search.Next(6);
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(1)});
  // 2 + 1 is 0 again; 2 - 1.
  EXPECT_THAT(search.Next(6), ElementsAre(KnobPoint{0}, KnobPoint{1}));
}

TEST(PublishedDropletTest, LosesTheLastPointThatWaits) {
  DropletSearch search({9, 9}, {4, 4}, DropletOptions::Published(), Always);
  search.Next(2);
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(1)});
  // Three are queued, one more than a batch; two are proposed, the third is lost.
  EXPECT_EQ(search.Next(2).size(), 2u);
  search.Tell(std::vector<std::optional<Timing>>(2));
  const auto next = search.Next(2);
  EXPECT_EQ(search.stride(), 2);
  EXPECT_THAT(next[0], ElementsAre(6, 6));
}

TEST(PublishedDropletTest, ResultsShiftAgainstPointsThatAreNoSchedules) {
  DropletSearch search({9}, {4}, DropletOptions::Published(),
                       [](const KnobPoint& p) { return p[0] != 5; });
  search.Next(4);
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(2)});
  const auto points = search.Next(4);
  EXPECT_THAT(points[0], ElementsAre(3));
  // The result of 3 is assigned to 5, which is first in the queue.
  search.Tell(std::vector<std::optional<Timing>>{TimingOf(1)});
  EXPECT_THAT(*search.best(), ElementsAre(5));
}

TEST(PublishedDropletTest, ManyKnobsTakeNoLongerThanFew) {
  DropletSearch search(std::vector<int>(40, 3), KnobPoint(40, 0), DropletOptions::Published(),
                       Always);
  const Descent run(
      search, [](const KnobPoint&) { return 1.0; }, 200);
  EXPECT_GT(run.trials, 1);
}

}  // namespace
}  // namespace schedulegym
