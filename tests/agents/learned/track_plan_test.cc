#include "agents/learned/track_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace schedulegym {
namespace {

using testing::ElementsAre;

int64_t Sum(const std::vector<int>& live) {
  return std::accumulate(live.begin(), live.end(), int64_t{0});
}

std::vector<int> Repeated(std::vector<std::pair<int, int>> parts) {
  std::vector<int> live;
  for (const auto& [steps, tracks] : parts) live.insert(live.end(), steps, tracks);
  return live;
}

TEST(StoppedTracksTest, TheDefaultsHalveTwice) {
  EXPECT_EQ(StoppedTracks(8960, {}), Repeated({{20, 256}, {20, 128}, {20, 64}}));
}

TEST(StoppedTracksTest, WhatIsOverGoesToTheLast) {
  // From 4 by 2: 3 * (4 + 2) = 18. From 5, of which floor(2.5) stop: 3 * (5 + 3 + 2) = 30.
  const StoppingOptions options = {.window = 3, .ratio = 0.5, .least = 2};
  EXPECT_EQ(StoppedTracks(18, options), Repeated({{3, 4}, {3, 2}}));
  EXPECT_EQ(StoppedTracks(29, options), Repeated({{3, 4}, {3, 2}, {5, 2}, {1, 1}}));
  EXPECT_EQ(StoppedTracks(30, options), Repeated({{3, 5}, {3, 3}, {3, 2}}));
}

TEST(StoppedTracksTest, OneAtLeastIsGivenUpAndNoneBelowTheLeast) {
  EXPECT_EQ(StoppedTracks(2 * (4 + 3 + 2), {.window = 2, .ratio = 0.01, .least = 2}),
            Repeated({{2, 4}, {2, 3}, {2, 2}}));
  EXPECT_EQ(StoppedTracks(2 * (10 + 4), {.window = 2, .ratio = 0.9, .least = 4}),
            Repeated({{2, 10}, {2, 4}}));
}

TEST(StoppedTracksTest, FewVisitsStopNothing) {
  EXPECT_EQ(StoppedTracks(2 * 30, {.window = 2, .least = 64}), Repeated({{2, 30}}));
  EXPECT_EQ(StoppedTracks(3, {.window = 20}), Repeated({{3, 1}})) << "less than a window";
  EXPECT_EQ(StoppedTracks(1, {}), Repeated({{1, 1}}));
}

// For all constants the number of visited schedules equals that of tracks of one length.
TEST(StoppedTracksTest, TheVisitsAreEqualForAnyWindowRatioAndLeastNumber) {
  for (const int window : {1, 2, 7, 20, 33}) {
    for (const double ratio : {0.001, 0.1, 0.37, 0.5, 0.75, 0.999}) {
      for (const int least : {1, 3, 64, 100}) {
        for (const int64_t visits : {1, 19, 640, 8960, 8961, 12345}) {
          const std::vector<int> live = StoppedTracks(visits, {window, ratio, least});
          EXPECT_EQ(Sum(live), visits) << window << " " << ratio << " " << least;
          EXPECT_EQ(Sum(live), Sum(SteadyTracks(visits, 140)));
          EXPECT_TRUE(std::is_sorted(live.rbegin(), live.rend()));
          EXPECT_GT(live.back(), 0);
        }
      }
    }
  }
}

// With one more track at the start not all windows would fit.
TEST(StoppedTracksTest, ItBeginsWithAsManyAsItCan) {
  const StoppingOptions options = {.window = 5, .ratio = 0.3, .least = 10};
  const auto needed = [&](int first) {
    int64_t sum = 0;
    for (int tracks = first;; tracks = std::max(10, tracks - static_cast<int>(0.3 * tracks))) {
      sum += tracks;
      if (tracks <= 10) return 5 * sum;
    }
  };
  for (int64_t visits = 100; visits < 3000; visits += 37) {
    const int first = StoppedTracks(visits, options)[0];
    EXPECT_LE(needed(first), visits);
    EXPECT_GT(needed(first + 1), visits);
  }
}

TEST(StoppedTracksTest, RefusesWhatMakesNoSense) {
  EXPECT_THROW(StoppedTracks(0, {}), std::logic_error);
  EXPECT_THROW(StoppedTracks(9, {.window = 0}), std::logic_error);
  EXPECT_THROW(StoppedTracks(9, {.ratio = 1}), std::logic_error);
  EXPECT_THROW(StoppedTracks(9, {.ratio = 0}), std::logic_error);
  EXPECT_THROW(StoppedTracks(9, {.least = 0}), std::logic_error);
}

TEST(SteadyTracksTest, TheLastStepMayBeShorter) {
  EXPECT_EQ(SteadyTracks(8960, 140), Repeated({{64, 140}}));
  EXPECT_EQ(SteadyTracks(10, 4), Repeated({{2, 4}, {1, 2}}));
  EXPECT_EQ(SteadyTracks(3, 4), Repeated({{1, 3}}));
  EXPECT_THROW(SteadyTracks(3, 0), std::logic_error);
}

TEST(SurvivorsTest, TheBestGoOnInTheirOrder) {
  EXPECT_THAT(Survivors(std::vector<double>{1, 5, -2, 4, 3}, 3), ElementsAre(1, 3, 4));
  EXPECT_THAT(Survivors(std::vector<double>{1, 5}, 2), ElementsAre(0, 1));
  EXPECT_THAT(Survivors(std::vector<double>{1, 5}, 0), ElementsAre());
  EXPECT_THROW(Survivors(std::vector<double>{1}, 2), std::logic_error);
}

TEST(SurvivorsTest, OfEqualsTheFirst) {
  EXPECT_THAT(Survivors(std::vector<double>{2, 1, 2, 2, 1}, 2), ElementsAre(0, 2));
}

TEST(SurvivorsTest, WhatIsNoNumberGoesFirst) {
  const double none = std::nan("");
  const double least = -std::numeric_limits<double>::infinity();
  EXPECT_THAT(Survivors(std::vector<double>{none, -9, none, -8}, 2), ElementsAre(1, 3));
  EXPECT_THAT(Survivors(std::vector<double>{none, least, 0}, 2), ElementsAre(0, 2));
}

}  // namespace
}  // namespace schedulegym
