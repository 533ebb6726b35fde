#include "env/gym/tables/table_measurer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "env/base/fault.h"
#include "env/measure/measurement.h"
#include "env/measure/timing/paired_statistics.h"
#include "spaces/schedulegym/reference.h"
#include "tests/env/gym/tables/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

class TableMeasurerTest : public testing::Test {
 protected:
  Measurement Ask(const ScheduleState& state) {
    const Candidate candidate = {.state = state};
    return measurer_.Measure({&candidate, 1}).at(0);
  }

  std::shared_ptr<const Task> task_ = TaskOf(kTableMatmul);
  std::shared_ptr<const RecordedStates> states_ =
      std::make_shared<const RecordedStates>(MadeTree(task_, 20));
  ScheduleState reference_ = ReferenceSchedule(task_);
  TableMeasurer measurer_{{{states_, reference_}}};
};

TEST_F(TableMeasurerTest, AnswersAreThoseOfTheRows) {
  double cost = 0;
  int failures = 0;
  for (int64_t row : states_->rows()) {
    const TableRow& recorded = states_->table().row(row);
    const Measurement measurement = Ask(states_->state(row));
    EXPECT_EQ(measurement.outcome, recorded.evaluation.outcome);
    EXPECT_EQ(measurement.timing.has_value(), measurement.ok());
    EXPECT_EQ(measurement.phases.measure, recorded.cost_seconds);
    cost += recorded.cost_seconds;
    EXPECT_NEAR(measurer_.clock_seconds(), cost, 1e-9);
    if (measurement.ok()) {
      EXPECT_EQ(measurement.timing->seconds, recorded.evaluation.seconds);
      EXPECT_EQ(measurement.timing->ratio, recorded.evaluation.speed);
    } else {
      ++failures;
      EXPECT_EQ(measurement.message, "recorded as wrong_output");
    }
    ASSERT_TRUE(measurement.session);
    EXPECT_EQ(measurement.session->toolchain, TableToolchain(states_->table().facts()));
    EXPECT_FALSE(WasMeasured(measurement));
    EXPECT_EQ(MeasurerOf(measurement), "table");
  }
  EXPECT_GT(failures, 0);
}

TEST_F(TableMeasurerTest, TheReferenceNeedNotBeRecorded) {
  ASSERT_FALSE(states_->Find(reference_));
  const Measurement measurement = Ask(reference_);
  ASSERT_TRUE(measurement.ok());
  EXPECT_EQ(measurement.timing->seconds, states_->table().facts().reference_seconds);
  EXPECT_EQ(measurement.timing->ratio, RatioInterval());
  EXPECT_EQ(measurer_.clock_seconds(), 0);
}

TEST_F(TableMeasurerTest, WhatIsNotRecordedIsNoScheduleOfIt) {
  const auto other = ReplayText(task_, "trace 1\nsplit(stage=C, loop=0, lengths=[2, 2, 2, 2])\n");
  ASSERT_TRUE(other);
  const Measurement measurement = Ask(*other);
  EXPECT_EQ(measurement.outcome, Outcome::kInvalidSchedule);
  EXPECT_THAT(measurement.message, testing::HasSubstr("does not record"));
  EXPECT_EQ(measurer_.clock_seconds(), 0);
}

// --- noise ---

class NoisyTableTest : public testing::Test {
 protected:
  std::unique_ptr<TableMeasurer> Make(uint64_t seed = 1, bool noise = true,
                                      std::optional<Protocol> settle = {}) const {
    const TableMeasurerOptions options = {.noise = noise, .settle = settle, .seed = seed};
    return std::make_unique<TableMeasurer>(
        std::vector{TableMeasurer::Recorded{states_, ReferenceSchedule(task_)}}, options);
  }
  static Measurement Ask(TableMeasurer& measurer, const ScheduleState& state) {
    const Candidate candidate = {.state = state};
    return measurer.Measure({&candidate, 1}).at(0);
  }

  std::shared_ptr<const Task> task_ = TaskOf(kTableMatmul);
  std::shared_ptr<const RecordedStates> states_ =
      std::make_shared<const RecordedStates>(WithSamples(*MadeTree(task_, 20)));
};

TEST_F(NoisyTableTest, WithoutNoiseTheSamplesAreTheRecordedOnes) {
  const auto measurer = Make(1, false);
  const Measurement measurement = Ask(*measurer, states_->state(0));
  EXPECT_EQ(measurement.timing->samples, states_->table().row(0).samples.candidate);
  EXPECT_EQ(measurement.timing->reference_samples, states_->table().row(0).samples.reference);
  EXPECT_EQ(Ask(*measurer, states_->state(0)), measurement);
}

TEST_F(NoisyTableTest, EachMeasurementIsAnother) {
  const auto measurer = Make();
  std::set<std::vector<float>> samples;
  for (int i = 0; i < 10; ++i) {
    const Measurement measurement = Ask(*measurer, states_->state(0));
    const EvaluationResult& recorded = states_->table().row(0).evaluation;
    EXPECT_NEAR(measurement.timing->seconds / *recorded.seconds, 1, 0.04);
    EXPECT_NEAR(measurement.timing->seconds * measurement.timing->ratio.median,
                *recorded.seconds * recorded.speed.median, 1e-12);
    EXPECT_EQ(MeasurerOf(measurement), "table");
    samples.insert(measurement.timing->samples);
  }
  EXPECT_GT(samples.size(), 8u);
}

// The order in which schedules are measured does not matter.
TEST_F(NoisyTableTest, SeedScheduleAndNumberDecide) {
  const auto one = Make(), other = Make();
  std::vector<Measurement> forward, backward;
  const std::vector<int64_t>& rows = states_->rows();
  for (int64_t row : rows) forward.push_back(Ask(*one, states_->state(row)));
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    backward.insert(backward.begin(), Ask(*other, states_->state(*row)));
  }
  EXPECT_EQ(forward, backward);
  EXPECT_EQ(Ask(*one, states_->state(0)), Ask(*other, states_->state(0)));
  EXPECT_NE(Ask(*Make(2), states_->state(0)), forward[0]);
}

TEST_F(NoisyTableTest, FailuresAndCostsAreTheRecordedOnes) {
  const auto measurer = Make();
  double cost = 0;
  for (int64_t row : states_->rows()) {
    const TableRow& recorded = states_->table().row(row);
    const Measurement measurement = Ask(*measurer, states_->state(row));
    EXPECT_EQ(measurement.outcome, recorded.evaluation.outcome);
    cost += recorded.cost_seconds;
  }
  EXPECT_NEAR(measurer->clock_seconds(), cost, 1e-9);
}

// By row, like an episode: reproducible, and noisy if requested.
TEST_F(NoisyTableTest, RowsAreDrawnAnewToo) {
  const auto ask = [this](const TableMeasurerOptions& options) {
    TableMeasurer measurer(states_->shared_table(), options);
    const Candidate candidates[] = {{.row = 0}, {.row = 0}};
    return measurer.Measure(candidates);
  };
  const std::vector<Measurement> noisy = ask({.noise = true, .seed = 3});
  EXPECT_NE(noisy[0], noisy[1]);
  EXPECT_EQ(ask({.noise = true, .seed = 3}), noisy);
  EXPECT_NE(ask({.noise = true, .seed = 4}), noisy);
  const std::vector<Measurement> recorded = ask({});
  EXPECT_EQ(recorded[0], recorded[1]);
  EXPECT_EQ(recorded[0].timing->seconds, states_->table().row(0).evaluation.seconds);
  EXPECT_TRUE(recorded[0].timing->samples.empty());
}

// The protocol of these tables uses the signed-rank test.
TEST_F(NoisyTableTest, IntervalsAreThoseOfTheProtocol) {
  const Timing timing = *Ask(*Make(), states_->state(0)).timing;
  EXPECT_EQ(timing.ratio,
            MedianRatio(timing.reference_samples, timing.samples, IntervalRule::kRank));
}

TEST_F(NoisyTableTest, ATableWithoutSamplesIsRefused) {
  states_ = std::make_shared<const RecordedStates>(MadeTree(task_, 20));
  EXPECT_NO_THROW(Make(1, false));
  try {
    Make();
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("noise=true: found a table of"));
    EXPECT_THAT(error.what(), testing::HasSubstr("without raw samples"));
  }
}

// --- settle ---

TEST_F(NoisyTableTest, RoundsThatWereNotNeededAreNeitherReadNorPaid) {
  const auto measurer = Make(1, false, Protocol());
  double cost = 0;
  for (const int64_t row : states_->rows()) {
    const TableRow& recorded = states_->table().row(row);
    const Measurement measurement = Ask(*measurer, states_->state(row));
    cost += measurement.phases.measure;
    if (!measurement.ok()) {
      EXPECT_EQ(measurement.phases.measure, recorded.cost_seconds);
      continue;
    }
    const Timing& timing = *measurement.timing;
    ASSERT_EQ(timing.samples.size(), 3u) << "a percent apart";
    const std::vector<float>& all = recorded.samples.candidate;
    EXPECT_TRUE(std::equal(timing.samples.begin(), timing.samples.end(), all.begin()));
    EXPECT_EQ(timing.ratio,
              MedianRatio(timing.reference_samples, timing.samples, IntervalRule::kRank));
    EXPECT_NEAR(timing.seconds * timing.ratio.median,
                *recorded.evaluation.seconds * recorded.evaluation.speed.median, 1e-12);
    double saved = 0;
    for (size_t i = 3; i < all.size(); ++i) {
      saved += std::max(1e-3, static_cast<double>(all[i])) +
               std::max(1e-3, static_cast<double>(recorded.samples.reference[i]));
    }
    EXPECT_NEAR(measurement.phases.measure, std::max(0.0, recorded.cost_seconds - saved), 1e-12);
  }
  EXPECT_NEAR(measurer->clock_seconds(), cost, 1e-8);
}

TEST_F(NoisyTableTest, WhatNeverSettlesIsAsRecorded) {
  Protocol never;
  never.variation = 1e-6;
  const Measurement measurement = Ask(*Make(1, false, never), states_->state(0));
  EXPECT_EQ(measurement.timing->samples, states_->table().row(0).samples.candidate);
  EXPECT_EQ(measurement.phases.measure, states_->table().row(0).cost_seconds);
}

TEST_F(NoisyTableTest, SettlingNeedsSamples) {
  states_ = std::make_shared<const RecordedStates>(MadeTree(task_, 20));
  try {
    Make(1, false, Protocol());
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("settle=cv: found a table of"));
  }
}

}  // namespace
}  // namespace schedulegym
