#include "env/gym/evaluators/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/agents/scripted_measurer.h"
#include "tests/env/gym/fixed_episode.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using testing::IsEmpty;

// A place on a table; tests fail if its schedule is requested.
class RowEpisode : public FixedEpisode {
 public:
  explicit RowEpisode(int64_t row) : FixedEpisode(Illegal("another tuner's kernel")) { row_ = row; }
  const Result<ScheduleState>& state() const override {
    ADD_FAILURE() << "a schedule is made";
    return FixedEpisode::state();
  }
};

// Records the candidates; returns ratios of ten, eleven and so on.
class AskedMeasurer : public Measurer {
 public:
  std::vector<Measurement> Measure(std::span<const Candidate> candidates) override {
    std::vector<Measurement> measurements;
    for (const Candidate& candidate : candidates) {
      asked.push_back(candidate);
      measurements.push_back(Success(9 + static_cast<double>(asked.size())));
    }
    return measurements;
  }
  void Expect(std::span<const Candidate> candidates) override { expected += candidates.size(); }

  std::vector<Candidate> asked;
  size_t expected = 0;
};

class EvaluateTest : public testing::Test {
 protected:
  std::vector<EvaluationResult> Ask(const std::vector<const EpisodeState*>& places) {
    return Evaluate(places, measurer_);
  }

  std::shared_ptr<const Task> task_ = TaskOf("input X[24]\nA[i:24] = X[i] + 1\n");
  FixedEpisode plain_{StateAfter(task_, "")};
  FixedEpisode split_{StateAfter(task_, "split(stage=A, loop=0, lengths=[4])")};
  FixedEpisode none_{Illegal("no schedule")};
  AskedMeasurer measurer_;
};

TEST_F(EvaluateTest, ResultsStandWhereTheirPlacesDo) {
  const std::vector<EvaluationResult> results = Ask({&split_, &none_, &plain_});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].speed.median, 10);
  EXPECT_EQ(results[1], FailedEvaluationResult(Outcome::kInvalidSchedule));
  EXPECT_EQ(results[2].speed.median, 11);
  ASSERT_EQ(measurer_.asked.size(), 2u);
  EXPECT_EQ(measurer_.asked[0].state->TraceText(), split_.state()->TraceText());
  EXPECT_FALSE(measurer_.asked[0].row);
}

TEST_F(EvaluateTest, OnePlaceIsEvaluatedAsManyAre) {
  EXPECT_EQ(Evaluate(split_, measurer_).speed.median, 10);
  EXPECT_EQ(Evaluate(none_, measurer_), FailedEvaluationResult(Outcome::kInvalidSchedule));
  EXPECT_EQ(measurer_.asked.size(), 1u);
}

TEST_F(EvaluateTest, APlaceOnATableIsMeasuredByItsRow) {
  const RowEpisode row(7);
  EXPECT_TRUE(Evaluate(row, measurer_).ok());
  ASSERT_EQ(measurer_.asked.size(), 1u);
  EXPECT_EQ(measurer_.asked[0].row, 7);
  EXPECT_FALSE(measurer_.asked[0].state);
}

TEST_F(EvaluateTest, WhatIsNoScheduleIsNotAnnounced) {
  const std::vector<const EpisodeState*> places = {&none_, &plain_, &split_};
  Expect(places, measurer_);
  EXPECT_EQ(measurer_.expected, 2u);
  EXPECT_THAT(measurer_.asked, IsEmpty());
}

TEST(EvaluationResultOfTest, IsTheRatioAndTheSecondsWhereThereAreSome) {
  Measurement measurement = Success(4);
  measurement.timing->ratio = {4, 3, 5};
  measurement.timing->seconds = 0.25;
  EXPECT_EQ(EvaluationResultOf(measurement), (EvaluationResult{Outcome::kOk, {4, 3, 5}, 0.25}));
  measurement.timing->seconds = 0;
  EXPECT_EQ(EvaluationResultOf(measurement),
            (EvaluationResult{Outcome::kOk, {4, 3, 5}, std::nullopt}));
  EXPECT_EQ(EvaluationResultOf(Failure(Outcome::kRunSignal)),
            FailedEvaluationResult(Outcome::kRunSignal));
}

}  // namespace
}  // namespace schedulegym
