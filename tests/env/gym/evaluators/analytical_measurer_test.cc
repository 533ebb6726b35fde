#include "env/gym/evaluators/analytical_measurer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/measure/record.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

TEST(AnalyticalMeasurerTest, AnswersTheEstimateBesideTheReferences) {
  const auto task = TaskOf("input X[64, 96]\nY[i:64, j:96] = X[i, j] + 1\n");
  const ScheduleState reference = ScheduleState::Initial(task);
  const ScheduleState other = StateAfter(reference, "vectorize(stage=Y, loop=1)");
  AnalyticalMeasurer measurer(std::vector{reference});
  const std::vector<Candidate> candidates = {{reference}, {other}, {other}};
  const std::vector<Measurement> measurements = measurer.Measure(candidates);
  ASSERT_EQ(measurements.size(), 3u);
  EXPECT_EQ(measurements[0].timing.value().ratio, (RatioInterval{1, 1, 1}));
  const Timing& timing = measurements[1].timing.value();
  EXPECT_EQ(timing.seconds, EstimateCost(other).Seconds());
  EXPECT_EQ(timing.ratio.median, measurements[0].timing->seconds / timing.seconds);
  EXPECT_GT(timing.ratio.median, 1);
  EXPECT_EQ(timing.ratio.low, timing.ratio.high);
  EXPECT_EQ(measurements[2], measurements[1]);
}

TEST(AnalyticalMeasurerTest, RecordsOfItAreFaultless) {
  const auto task = TaskOf("input X[64]\nY[i:64] = X[i] + 1\n");
  const ScheduleState reference = ScheduleState::Initial(task);
  AnalyticalMeasurer measurer(std::vector{reference});
  const Candidate candidate = {StateAfter(reference, "parallel(stage=Y, loop=0)")};
  Record record;
  record.task = DescribeTask(*task);
  record.trace = candidate.state->TraceText();
  record.measurement = measurer.Measure({&candidate, 1}).at(0);
  record.id = RecordId(record);
  EXPECT_EQ(FaultOf(record), "");
}

TEST(AnalyticalMeasurerTest, OtherTasksAreBugs) {
  const ScheduleState reference = ScheduleState::Initial(TaskOf("input X[8]\nY[i:8] = X[i] + 1\n"));
  AnalyticalMeasurer measurer(std::vector{reference});
  const Candidate other = {ScheduleState::Initial(TaskOf("input X[8]\nY[i:8] = X[i] + 1\n"))};
  EXPECT_THROW(measurer.Measure({&other, 1}), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
