#include "env/measure/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/record_samples.h"

namespace schedulegym {
namespace {

TEST(RecordTest, IdsAre32HexDigitsAndTellRecordsApart) {
  const Record record = SampleRecord(SampleTask(1), 0, SampleTiming(1));
  EXPECT_THAT(record.id, testing::MatchesRegex("[0-9a-f]{32}"));
  std::set<std::string> ids = {record.id};
  Record other = record;
  other.index = 1;
  ids.insert(RecordId(other));
  other = record;
  other.trace += "#";
  ids.insert(RecordId(other));
  other = record;
  other.started += 1e-6;
  ids.insert(RecordId(other));
  other = record;
  other.host = "elsewhere";
  ids.insert(RecordId(other));
  other = record;
  other.space = "ansor";
  ids.insert(RecordId(other));
  other = record;
  other.seed = 2;
  ids.insert(RecordId(other));
  other = record;
  other.task = SampleTask(2);
  ids.insert(RecordId(other));
  EXPECT_EQ(ids.size(), 8u);
}

TEST(RecordTest, IsMadeOfItsOriginAScheduleAndAMeasurement) {
  const auto task = std::make_shared<const Task>(
      Task{DagOf("input X[4]\nY[i:4] = X[i] + 1\n"), Target{}, "vector"});
  const RecordOrigin origin = {DescribeTask(*task), "random", "split", 5, 7, "here", 1.5, "t(a=1)"};
  const Record record =
      MakeRecord(origin, ScheduleState::Initial(task), Key{1, 2}, SampleTiming(3));
  EXPECT_EQ(record.task->key, TaskKey(*task));
  EXPECT_EQ(record.trace, "trace 1\n");
  EXPECT_EQ(record.state_key, (Key{1, 2}));
  EXPECT_EQ(record.agent, "random");
  EXPECT_EQ(record.space, "split");
  EXPECT_EQ(record.seed, 5u);
  EXPECT_EQ(record.index, 7);
  EXPECT_EQ(record.host, "here");
  EXPECT_EQ(record.started, 1.5);
  EXPECT_EQ(record.note, "t(a=1)");
  EXPECT_EQ(record.measurement, SampleTiming(3));
  EXPECT_EQ(FaultOf(record), "");
}

TEST(RecordTest, TheIdDoesNotDependOnWhatWasMeasured) {
  const Record record = SampleRecord(SampleTask(1), 0, SampleTiming(1));
  Record other = record;
  other.measurement = SampleFailure();
  EXPECT_EQ(RecordId(other), record.id);
}

TEST(RecordTest, CandidatesAreTaskTraceAndToolchain) {
  const Record record = SampleRecord(SampleTask(1), 0, SampleOfSession(1, 0));
  Record other = SampleRecord(SampleTask(1), 0, SampleOfSession(3, 4, "elsewhere"));
  other.seed = 3;
  EXPECT_EQ(CandidateKey(other), CandidateKey(record));
  std::set<Key> keys = {CandidateKey(record)};
  other.trace += "#";
  keys.insert(CandidateKey(other));
  other = record;
  other.task = SampleTask(2);
  keys.insert(CandidateKey(other));
  other = record;
  other.measurement.session = nullptr;
  keys.insert(CandidateKey(other));
  EXPECT_EQ(keys.size(), 4u);
  EXPECT_EQ(ToolchainOf(record), "llvm 19.1.7, generator 1");
  EXPECT_EQ(ToolchainOf(other), "");
}

TEST(RecordTest, BetterIsFasterThanTheReference) {
  EXPECT_TRUE(IsBetter(SampleTiming(2), SampleTiming(1.5)));
  EXPECT_FALSE(IsBetter(SampleTiming(1.5), SampleTiming(2)));
  EXPECT_FALSE(IsBetter(SampleTiming(2), SampleTiming(2)));
  EXPECT_TRUE(IsBetter(SampleTiming(0.1), SampleFailure()));
  EXPECT_FALSE(IsBetter(SampleFailure(), SampleTiming(0.1)));
  EXPECT_FALSE(IsBetter(SampleFailure(), SampleFailure()));
}

TEST(RecordTest, TheHostHasAName) { EXPECT_FALSE(HostName().empty()); }

}  // namespace
}  // namespace schedulegym
