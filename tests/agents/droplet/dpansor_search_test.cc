#include "agents/droplet/dpansor_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Ge;
using testing::IsEmpty;
using testing::Le;

using Cost = std::function<double(const KnobPoint&)>;

std::vector<std::optional<Timing>> Measured(const std::vector<KnobPoint>& points,
                                            const Cost& cost) {
  std::vector<std::optional<Timing>> results;
  for (const KnobPoint& point : points) results.emplace_back(TimingOf(cost(point)));
  return results;
}

// Runs to its end; returns all points in the order of measurement.
std::vector<KnobPoint> Exhaust(DpansorSearch& search, const Cost& cost) {
  std::vector<KnobPoint> all;
  while (true) {
    const auto points = search.Next(16);
    if (points.empty()) return all;
    all.insert(all.end(), points.begin(), points.end());
    search.Tell(Measured(points, cost));
  }
}

// Positions of the moved knobs, counted from the last, which is 1.
std::set<int> MovedKnobs(const std::vector<KnobPoint>& points) {
  std::set<int> moved;
  for (const KnobPoint& point : points) {
    for (size_t i = 0; i < point.size(); ++i) {
      if (point[i] != 0) moved.insert(static_cast<int>(point.size() - i));
    }
  }
  return moved;
}

// As in a matrix product on CPUs: three and three lengths, one, and the unrolling.
std::vector<int> MatmulKnobs() { return {8, 8, 8, 8, 8, 8, 8, 5}; }

TEST(DpansorSearchTest, BeginsWithTheOrigin) {
  DpansorSearch search(MatmulKnobs(), TimingOf(1), {});
  EXPECT_EQ(search.Next(16).front(), KnobPoint(8, 0));
}

TEST(DpansorSearchTest, FaultOneTheFirstRoundMovesOnlyTheLastKnobs) {
  DpansorSearch matmul(MatmulKnobs(), TimingOf(1), {});
  EXPECT_THAT(MovedKnobs(matmul.Next(16)), ElementsAre(1, 2, 3, 4));
  // As in a matrix product on GPUs: thirteen knobs.
  std::vector<int> many(13, 8);
  many.back() = 5;
  DpansorSearch gpu(many, TimingOf(1), {});
  EXPECT_THAT(MovedKnobs(gpu.Next(16)), ElementsAre(1, 2, 3, 4));
  DpansorSearch wide(many, TimingOf(1), {.batch = 32});
  EXPECT_THAT(MovedKnobs(wide.Next(16)), ElementsAre(1, 2, 3, 4, 5));
}

TEST(DpansorSearchTest, FaultOneTheFirstRoundLeavesOutStrideOne) {
  DpansorSearch search(MatmulKnobs(), TimingOf(1), {});
  for (const KnobPoint& point : search.Next(16)) {
    for (int value : point) EXPECT_NE(value, 1);
  }
}

TEST(DpansorSearchTest, FaultOneTheFirstRoundWithoutAGainIsTheLast) {
  DpansorSearch search(MatmulKnobs(), TimingOf(1), {});
  // Only the first knob improves the result.
  const auto all = Exhaust(search, [](const KnobPoint& p) { return p[0] > 0 ? 0.5 : 1.0; });
  EXPECT_THAT(all.size(), AllOf(Ge(16), Le(2 * 17)));
  EXPECT_EQ(search.best(), KnobPoint(8, 0));
}

TEST(DpansorSearchTest, FaultTwoPointsOfOneNumberCountAsOne) {
  // With 3 values each the first knob's number equals the second's; moving all at once is left out;
  // a stride of 3 leads back to the start.
  DpansorSearch search({3, 3, 3}, TimingOf(1), {});
  EXPECT_THAT(search.Next(16),
              ElementsAre(KnobPoint{0, 0, 0}, KnobPoint{0, 0, 2}, KnobPoint{0, 2, 0},
                          KnobPoint{0, 2, 2}, KnobPoint{2, 2, 0}));
}

TEST(DpansorSearchTest, FaultThreeALuckyReadingOfTheOriginStands) {
  // Its second measurement, with all others, is slower than most, which does not help these.
  const auto cost = [](const KnobPoint& p) { return p[3] > 0 ? 0.95 : 1.0; };
  DpansorSearch lucky({8, 8, 8, 8}, TimingOf(0.9), {});
  Exhaust(lucky, cost);
  EXPECT_THAT(lucky.best(), ElementsAre(0, 0, 0, 0));
  DpansorSearch fair({8, 8, 8, 8}, TimingOf(1), {});
  Exhaust(fair, cost);
  EXPECT_GT(fair.best()[3], 0);
}

TEST(DpansorSearchTest, FaultFourPointsBeyondABatchAreMeasuredTwiceAndTheLastIsLost) {
  // Numbers 2, 14, 16, 18, 20, all different.
  DpansorSearch search({11, 9, 7, 6}, TimingOf(1), {.batch = 4});
  const auto first = search.Next(4);
  ASSERT_THAT(first,
              ElementsAre(KnobPoint{0, 0, 0, 0}, KnobPoint{0, 0, 0, 2}, KnobPoint{0, 0, 2, 0},
                          KnobPoint{0, 0, 2, 2}, KnobPoint{0, 2, 0, 0}, KnobPoint{0, 2, 0, 2}));
  search.Tell(Measured(first, [](const KnobPoint& p) { return p[3] > 0 ? 0.5 : 1.0; }));
  const auto second = search.Next(4);
  EXPECT_EQ(second.front(), first[4]);
  EXPECT_EQ(std::count(second.begin(), second.end(), first[5]), 0);
}

TEST(DpansorSearchTest, GoesOnFromWhatIsBetter) {
  DpansorSearch search({8, 8}, TimingOf(10), {});
  const auto all = Exhaust(search, [](const KnobPoint& p) { return 10.0 - p[1]; });
  EXPECT_EQ(search.best()[1], 7);
}

TEST(DpansorSearchTest, AfterAGainItTakesStrideOne) {
  DpansorSearch search({9, 9}, TimingOf(10), {});
  const auto first = search.Next(16);
  search.Tell(Measured(first, [](const KnobPoint& p) { return p == KnobPoint{0, 2} ? 5.0 : 10; }));
  EXPECT_EQ(search.best(), (KnobPoint{0, 2}));
  const auto second = search.Next(16);
  EXPECT_EQ(second.front(), (KnobPoint{0, 1})) << "2 + 1 has been visited";
}

TEST(DpansorSearchTest, WrapsAtTheTop) {
  DpansorSearch search({7, 7, 7}, TimingOf(10), {});
  search.Tell(Measured(search.Next(16), [](const KnobPoint& p) {
    return p == KnobPoint{0, 0, 5} ? 5.0 : 10;
  }));
  ASSERT_EQ(search.best(), (KnobPoint{0, 0, 5}));
  // At stride 3 along the last two knobs: the first rises, the second wraps around.
  EXPECT_THAT(search.Next(16), Contains(KnobPoint{0, 3, 1}));
}

TEST(DpansorSearchTest, MeasuresOneLessThanItsTrials) {
  DpansorSearch search(MatmulKnobs(), TimingOf(1), {.trials = 10});
  EXPECT_EQ(Exhaust(search, [](const KnobPoint&) { return 0.5; }).size(), 9u);
}

TEST(DpansorSearchTest, FailuresAreNoGain) {
  DpansorSearch search(MatmulKnobs(), TimingOf(1), {});
  search.Tell(std::vector<std::optional<Timing>>(search.Next(16).size()));
  EXPECT_THAT(search.Next(16), IsEmpty());
  EXPECT_EQ(search.best(), KnobPoint(8, 0));
}

TEST(DpansorSearchTest, WithoutKnobsItMeasuresTheOrigin) {
  DpansorSearch search({}, TimingOf(1), {});
  EXPECT_EQ(Exhaust(search, [](const KnobPoint&) { return 1.0; }).size(), 1u);
}

TEST(DpansorSearchTest, HundredsOfKnobsTakeNoLongerThanFew) {
  DpansorSearch search(std::vector<int>(300, 3), TimingOf(1), {});
  EXPECT_LT(Exhaust(search, [](const KnobPoint&) { return 1.0; }).size(), 40u);
}

}  // namespace
}  // namespace schedulegym
