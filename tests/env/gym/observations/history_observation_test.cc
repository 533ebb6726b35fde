#include "env/gym/observations/builtin_observations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "env/base/fault.h"
#include "tests/env/gym/fixed_episode.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

std::unique_ptr<Observation> History(const std::string& spec) {
  return MakeHistoryObservation(ParseSpec(spec).value());
}

// Observation after these actions, from a space of 0 to 10, with episodes of 7.
std::vector<float> Seen(const std::string& spec, const std::vector<int>& actions) {
  const auto task = TaskOf("input X[4]\nY[i:4] = X[i]\n");
  const FixedEpisode episode(Illegal("asks for no schedule"));
  const auto observation = History(spec);
  std::vector<float> numbers(observation->size(), -99);
  observation->Write({*task, episode, actions, 11, 7}, numbers);
  return numbers;
}

TEST(HistoryObservationTest, AnEpisodeBeginsWithoutActions) {
  // log2(1 + 7) = 3.
  EXPECT_THAT(Seen("history(length=2)", {}), ElementsAre(0, 0, 3.0F / 32, 0, 0, 0, 0, 0));
}

// Three actions taken, four left; the newest is half of those in the observation.
TEST(HistoryObservationTest, TheNewestActionComesFirst) {
  EXPECT_THAT(Seen("history(length=2)", {10, 4, 5}),
              ElementsAre(FloatEq(3.0F / 7), 2.0F / 32, FloatEq(std::log2(5.0F) / 32), 0.5F, 1,
                          0.5F, 1, 0.4F));
}

TEST(HistoryObservationTest, ShorterHistoriesAreFilledUp) {
  const std::vector<float> numbers = Seen("history(length=3)", {10});
  EXPECT_EQ(numbers[3], 1);
  EXPECT_THAT(std::vector(numbers.begin() + 4, numbers.end()), ElementsAre(1, 1, 0, 0, 0, 0));
}

TEST(HistoryObservationTest, RepeatsAreCountedAmongThoseSeen) {
  EXPECT_EQ(Seen("history(length=4)", {2, 3, 2, 2, 3, 3})[3], 0.5F);
  EXPECT_EQ(Seen("history(length=4)", {2, 2, 2})[3], 1);
}

TEST(HistoryObservationTest, EpisodesThatAreOverStayWithinTheBounds) {
  const std::vector<float> numbers = Seen("history(length=1)", std::vector<int>(9, 10));
  EXPECT_EQ(numbers[0], 1);
  EXPECT_EQ(numbers[2], 0);
}

TEST(HistoryObservationTest, OptionsAreChecked) {
  EXPECT_EQ(History("history")->size(), 4 + 2 * 16);
  for (const char* bad : {"history(length=0)", "history(length=1025)", "history(rows=1)"}) {
    EXPECT_THROW(History(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace schedulegym
