#include "env/gym/table_measurer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spaces/reference.h"
#include "tests/env/gym/made_tables.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

constexpr const char* kMatmul =
    "input A[64, 64]\ninput B[64, 64]\nC[i:64, j:64] = sum(k:64) A[i, k] * B[k, j]\n";

class TableMeasurerTest : public testing::Test {
 protected:
  Measurement Ask(const ScheduleState& state) {
    const Candidate candidate = {.state = state};
    return measurer_.Measure({&candidate, 1}).at(0);
  }

  std::shared_ptr<const Task> task_ = TaskOf(kMatmul);
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
    EXPECT_EQ(measurement.outcome, recorded.judgement.outcome);
    EXPECT_EQ(measurement.timing.has_value(), measurement.ok());
    EXPECT_EQ(measurement.phases.measure, recorded.cost_seconds);
    cost += recorded.cost_seconds;
    EXPECT_NEAR(measurer_.clock_seconds(), cost, 1e-9);
    if (measurement.ok()) {
      EXPECT_EQ(measurement.timing->seconds, recorded.judgement.seconds);
      EXPECT_EQ(measurement.timing->ratio, recorded.judgement.speed);
    } else {
      ++failures;
      EXPECT_EQ(measurement.message, "recorded as wrong_output");
    }
    ASSERT_TRUE(measurement.session);
    EXPECT_EQ(measurement.session->toolchain, states_->table().facts().toolchain);
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

}  // namespace
}  // namespace schedulegym
