#include "agents/droplet/single_step_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/agents/timed_record.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void Answer(SingleStepSearch& search, const std::vector<KnobPoint>& points,
            const std::function<double(const KnobPoint&)>& cost) {
  std::vector<std::optional<Timing>> results;
  for (const KnobPoint& point : points) results.emplace_back(TimingOf(cost(point)));
  search.Tell(results);
}

// One knob at a time, one step each, then two steps, until the batch is full.
TEST(SingleStepSearchTest, StepsUpAlongSingleKnobs) {
  SingleStepSearch search({3, 2, 4}, TimingOf(1), {.batch = 5});
  EXPECT_THAT(search.Next(1),
              ElementsAre(KnobPoint{1, 0, 0}, KnobPoint{0, 1, 0}, KnobPoint{0, 0, 1},
                          KnobPoint{2, 0, 0}, KnobPoint{0, 0, 2}));
}

TEST(SingleStepSearchTest, TheFirstRoundWithoutAGainIsTheLast) {
  SingleStepSearch search({3, 3}, TimingOf(1), {.batch = 2});
  Answer(search, search.Next(1), [](const KnobPoint& point) { return point[1] == 1 ? 0.9 : 1.1; });
  EXPECT_EQ(search.best(), (KnobPoint{0, 1}));
  const std::vector<KnobPoint> next = search.Next(1);
  EXPECT_THAT(next, ElementsAre(KnobPoint{1, 1}, KnobPoint{0, 2}));
  Answer(search, next, [](const KnobPoint&) { return 0.95; });
  EXPECT_THAT(search.Next(1), IsEmpty());
  EXPECT_EQ(search.best(), (KnobPoint{0, 1}));
}

// Gains of any size count; failures do not.
TEST(SingleStepSearchTest, NothingIsTested) {
  SingleStepSearch search({2, 2}, TimingOf(1), {.batch = 2});
  search.Next(1);
  const std::optional<Timing> results[] = {std::nullopt, TimingOf(0.9999)};
  search.Tell(results);
  EXPECT_EQ(search.best(), (KnobPoint{0, 1}));
}

TEST(SingleStepSearchTest, TrialsEndIt) {
  SingleStepSearch search({9}, TimingOf(1), {.batch = 4, .trials = 6});
  int measured = 0;
  double cost = 1;
  for (auto points = search.Next(1); !points.empty(); points = search.Next(1)) {
    measured += static_cast<int>(points.size());
    Answer(search, points, [&](const KnobPoint&) { return cost *= 0.9; });
  }
  EXPECT_EQ(measured, 6);
}

}  // namespace
}  // namespace schedulegym
