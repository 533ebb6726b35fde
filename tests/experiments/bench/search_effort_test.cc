#include "experiments/bench/bench_row.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/env/measure/record_samples.h"

namespace schedulegym {
namespace {

// A candidate identified by its number; its verifying and timing take 0.02 s and 0.05 s.
Record Tried(int number, double started, const std::string& session = "5e55") {
  Record record;
  record.task = SampleTask(1);
  record.trace = "trace 1\nsplit(stage=C, loop=0, lengths=[" + std::to_string(number) + "])\n";
  record.agent = "random";
  record.space = "ansor";
  record.started = started;
  record.measurement = SampleTiming(1);
  if (!session.empty()) record.measurement.session = SampleSession(session);
  return record;
}

TEST(SearchEffortTest, CountsCandidatesFailedOnesToo) {
  std::vector<Record> records = {Tried(1, 100), Tried(2, 101), Tried(3, 102)};
  records[1].measurement.outcome = Outcome::kWrongOutput;
  records[1].measurement.timing.reset();
  EXPECT_EQ(EffortOf(records).trials, 3);
}

TEST(SearchEffortTest, WhatWasMeasuredAgainIsOneTrial) {
  const std::vector<Record> records = {Tried(1, 100), Tried(2, 101), Tried(1, 102)};
  EXPECT_EQ(EffortOf(records).trials, 2);
}

TEST(SearchEffortTest, AnAgentsOwnTrialsAreToldByItsSpec) {
  std::vector<Record> records = {Tried(1, 100), Tried(2, 101), Tried(3, 110)};
  records[2].agent = "random(retries=5)";
  EXPECT_EQ(EffortOf(records, SearchSpecs{"random", "ansor"}).trials, 2);
  EXPECT_NEAR(EffortOf(records, SearchSpecs{"random", "ansor"}).seconds, 1 + 0.07, 1e-6);
  EXPECT_EQ(EffortOf(records, SearchSpecs{"random(retries=5)", "ansor"}).trials, 1);
  EXPECT_EQ(EffortOf(records, SearchSpecs{"ansor", "ansor"}).trials, 0);
}

TEST(SearchEffortTest, TheSameAgentInAnotherSpaceIsAnotherSearch) {
  std::vector<Record> records = {Tried(1, 100), Tried(2, 101), Tried(3, 102)};
  records[1].space = "schedulegym";
  records[2].space = "";
  EXPECT_EQ(EffortOf(records, SearchSpecs{"random", "schedulegym"}).trials, 1);
  EXPECT_EQ(EffortOf(records, SearchSpecs{"random", "ansor"}).trials, 1);
  EXPECT_EQ(EffortOf(records).trials, 3);
}

TEST(SearchEffortTest, SecondsAreThoseOfTheSessions) {
  const std::vector<Record> records = {Tried(1, 100), Tried(2, 104), Tried(3, 900, "other"),
                                       Tried(4, 907, "other")};
  EXPECT_NEAR(EffortOf(records).seconds, 4 + 0.07 + 7 + 0.07, 1e-6);
}

TEST(SearchEffortTest, WithoutSessionsSecondsAreUnknown) {
  const std::vector<Record> records = {Tried(1, 100, ""), Tried(2, 104, "")};
  EXPECT_EQ(EffortOf(records).trials, 2);
  EXPECT_EQ(EffortOf(records).seconds, 0);
  EXPECT_FALSE(EffortOf(records).TrialsPerSecond().has_value());
}

TEST(SearchEffortTest, NothingWasTried) {
  EXPECT_EQ(EffortOf({}).trials, 0);
  EXPECT_FALSE(EffortOf({}).TrialsPerSecond().has_value());
}

TEST(SearchEffortTest, TrialsASecond) { EXPECT_EQ((SearchEffort{10, 4}).TrialsPerSecond(), 2.5); }

}  // namespace
}  // namespace schedulegym
