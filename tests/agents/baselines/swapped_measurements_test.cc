#include "agents/baselines/blind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/agents/grid_space.h"

namespace schedulegym {
namespace {

using testing::IsEmpty;

class SwappedMeasurementsTest : public testing::Test {
 protected:
  // The n-th schedule, measured at `seconds`; nullopt: failed.
  Trial Of(int number, std::optional<double> seconds,
           TrialStatus told = TrialStatus::kMeasured) const {
    Trial trial = KnownTrial(GridState(task_, {number, 1}), seconds);
    trial.told = told;
    return trial;
  }
  // Keeps the last seconds reported for each schedule; 0 for a failure.
  void Note(const std::vector<Trial>& trials) {
    for (const Trial& trial : trials) {
      const auto& timing = trial.record->measurement.timing;
      heard_[PlaceOf(trial.state).x] = timing ? timing->seconds : 0;
    }
  }
  SwappedMeasurements::Heard Swap(const std::vector<Trial>& trials) {
    SwappedMeasurements::Heard heard = swapped_.Swap(trials, rng_);
    EXPECT_EQ(heard.trials.size(), trials.size());
    Note(heard.trials);
    Note(heard.revised);
    return heard;
  }
  std::multiset<double> AllHeard() const {
    std::multiset<double> all;
    for (const auto& [number, seconds] : heard_) all.insert(seconds);
    return all;
  }

  std::shared_ptr<const Task> task_ = GridTask();
  SwappedMeasurements swapped_;
  Rng rng_{1};
  std::map<int, double> heard_;
};

TEST_F(SwappedMeasurementsTest, ARoundKeepsItsMeasurementsAndMixesThem) {
  std::vector<Trial> trials;
  for (int i = 0; i < 10; ++i) trials.push_back(Of(i, 1 + i));
  trials[4] = Of(4, std::nullopt);
  const auto heard = Swap(trials);
  EXPECT_THAT(heard.revised, IsEmpty());
  EXPECT_EQ(AllHeard(), (std::multiset<double>{0, 1, 2, 3, 4, 6, 7, 8, 9, 10}));
  int own = 0;
  for (int i = 0; i < 10; ++i) own += heard_[i] == 1 + i ? 1 : 0;
  EXPECT_LT(own, 6);
}

TEST_F(SwappedMeasurementsTest, StateKeyAndOriginStay) {
  std::vector<Trial> trials;
  for (int i = 0; i < 5; ++i) trials.push_back(Of(i, 1 + i));
  const auto heard = Swap(trials);
  for (size_t i = 0; i < trials.size(); ++i) {
    const Trial& trial = heard.trials[i];
    EXPECT_EQ(trial.key, trials[i].key);
    EXPECT_EQ(trial.told, trials[i].told);
    EXPECT_EQ(trial.state.TraceText(), trials[i].state.TraceText());
    Record record = *trial.record;
    record.measurement = trials[i].record->measurement;
    EXPECT_EQ(record, *trials[i].record);
    // The whole measurement is swapped, with its samples.
    EXPECT_EQ(trial.record->measurement.timing->samples.size(), 3u);
    EXPECT_FLOAT_EQ(trial.record->measurement.timing->samples[1],
                    static_cast<float>(trial.record->measurement.timing->seconds));
  }
}

// A record's id holds the number of its attempt, which readers check.
TEST_F(SwappedMeasurementsTest, RecordsKeepTheirIdsThoughSomeWereMeasuredAtASecondAttempt) {
  std::vector<Trial> trials;
  for (int i = 0; i < 8; ++i) {
    Trial trial = Of(i, 1 + i);
    auto record = std::make_shared<Record>(*trial.record);
    record->measurement.attempt = i % 3;
    record->id = RecordId(*record);
    trial.record = std::move(record);
    trials.push_back(std::move(trial));
  }
  for (const Trial& trial : Swap(trials).trials) {
    EXPECT_EQ(trial.record->id, RecordId(*trial.record));
  }
}

// Each order of n measurements is equally likely.
TEST_F(SwappedMeasurementsTest, EveryOrderIsAlikeInChance) {
  constexpr int kRounds = 6000;
  for (const bool at_once : {true, false}) {
    std::map<std::vector<double>, int> orders;
    for (int i = 0; i < kRounds; ++i) {
      swapped_ = {};
      const std::vector<Trial> trials = {Of(0, 1), Of(1, 2), Of(2, 3)};
      if (at_once) {
        Swap(trials);
      } else {
        for (const Trial& trial : trials) Swap({trial});
      }
      ++orders[{heard_[0], heard_[1], heard_[2]}];
    }
    ASSERT_EQ(orders.size(), 6u);
    // Five standard deviations of a count with probability 1/6.
    for (const auto& [order, count] : orders) EXPECT_NEAR(count, kRounds / 6.0, 145);
  }
}

TEST_F(SwappedMeasurementsTest, OneThatIsAloneTradesWithAnEarlierOne) {
  for (int i = 0; i < 20; ++i) {
    const auto heard = Swap({Of(i, 1 + i)});
    ASSERT_LE(heard.revised.size(), 1u);
    if (heard.revised.empty()) {
      EXPECT_EQ(heard_[i], 1 + i);
    } else {
      EXPECT_EQ(heard.revised[0].told, TrialStatus::kRevised);
      EXPECT_EQ(heard.revised[0].record->measurement.timing->seconds, 1 + i);
      EXPECT_LT(PlaceOf(heard.revised[0].state).x, i);
    }
    std::multiset<double> all;
    for (int n = 0; n <= i; ++n) all.insert(1 + n);
    EXPECT_EQ(AllHeard(), all);
  }
}

TEST_F(SwappedMeasurementsTest, WhatTellsNothingStaysAsItIs) {
  Trial lost = Of(7, std::nullopt, TrialStatus::kNotReached);
  lost.record.reset();
  const auto heard = Swap({Of(0, 1)});
  const auto mixed = swapped_.Swap(std::vector<Trial>{lost, Of(1, 2), lost}, rng_);
  ASSERT_EQ(mixed.trials.size(), 3u);
  EXPECT_EQ(mixed.trials[0].told, TrialStatus::kNotReached);
  EXPECT_EQ(mixed.trials[0].record, nullptr);
  EXPECT_EQ(mixed.trials[2].key, lost.key);
  EXPECT_EQ(PlaceOf(mixed.trials[1].state).x, 1);
}

TEST_F(SwappedMeasurementsTest, ASecondMeasurementGoesToWhoHadTheFirst) {
  std::vector<Trial> trials;
  for (int i = 0; i < 6; ++i) trials.push_back(Of(i, 1 + i));
  Swap(trials);
  const std::map<int, double> before = heard_;
  for (const TrialStatus told : {TrialStatus::kRevised, TrialStatus::kMeasured}) {
    heard_ = before;
    const auto heard = Swap({Of(2, 100, told)});
    EXPECT_EQ(heard.trials[0].told, told);
    EXPECT_EQ(AllHeard(), (std::multiset<double>{1, 2, 4, 5, 6, 100}));
    for (const auto& [number, seconds] : before) {
      EXPECT_EQ(heard_[number], seconds == 3 ? 100 : seconds);
    }
  }
}

TEST_F(SwappedMeasurementsTest, TheChanceDecides) {
  std::vector<Trial> trials;
  for (int i = 0; i < 10; ++i) trials.push_back(Of(i, 1 + i));
  const auto order = [&](uint64_t seed) {
    rng_ = Rng(seed);
    swapped_ = {};
    Swap(trials);
    return heard_;
  };
  EXPECT_EQ(order(3), order(3));
  EXPECT_NE(order(3), order(4));
}

}  // namespace
}  // namespace schedulegym
