#include "backends/runner/timing_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/measure/store/record_store.h"
#include "env/measure/store/store_transfer.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

Timing TimingOf(double low, double high, double seconds = 1) {
  Timing timing;
  timing.seconds = seconds;
  timing.ratio = {(low + high) / 2, low, high};
  return timing;
}

TEST(TimingRulesTest, ThreadsThatShareACoreAreNoticed) {
  EXPECT_TRUE(IsShortOfThreads(true, 2, 1.0));
  EXPECT_FALSE(IsShortOfThreads(true, 2, 1.6));
  EXPECT_TRUE(IsShortOfThreads(true, 8, 4.0));
  EXPECT_FALSE(IsShortOfThreads(true, 1, 0.1));
  EXPECT_FALSE(IsShortOfThreads(false, 2, 1.0));
}

TEST(TimingRulesTest, OnlyWhatMayBeTheBestCanBeNoisy) {
  EXPECT_FALSE(IsNoisy(TimingOf(1, 1.9), std::nullopt));
  EXPECT_TRUE(IsNoisy(TimingOf(1, 2.1), std::nullopt));
  EXPECT_TRUE(IsNoisy(TimingOf(1, 2.1), 2.0));
  EXPECT_FALSE(IsNoisy(TimingOf(1, 2.1), 2.2));
}

TEST(TimingRulesTest, TimesThatNoMachineReachesAreImpossible) {
  EXPECT_FALSE(CheckTiming(TimingOf(1, 1.1), 1, std::nullopt).has_value());
  const std::optional<Failure> fast = CheckTiming(TimingOf(1, 1.1), 1.001, std::nullopt);
  ASSERT_TRUE(fast.has_value());
  EXPECT_EQ(fast->outcome, Outcome::kImpossibleTime);
  EXPECT_EQ(CheckTiming(TimingOf(1, 1.1, 0), 0, std::nullopt)->outcome, Outcome::kImpossibleTime);
}

TEST(TimingRulesTest, AQuotientThatNoMachineReachesIsNoisyWhereTheSamplesAreNot) {
  Timing timing = TimingOf(33, 34, 3.3e-8);
  timing.samples = {0x1p-16F, 0x1p-17F, 0x1p-15F};
  const std::optional<Failure> disturbed = CheckTiming(timing, 1e-7, std::nullopt);
  ASSERT_TRUE(disturbed.has_value());
  EXPECT_EQ(disturbed->outcome, Outcome::kNoisy);
  EXPECT_THAT(disturbed->message, HasSubstr("one call took 33"));
  EXPECT_THAT(disturbed->message, HasSubstr("a sample took 15258.789"));
  timing.samples = {13e-9F, 12e-9F, 14e-9F};
  EXPECT_EQ(CheckTiming(timing, 1e-7, std::nullopt)->outcome, Outcome::kImpossibleTime);
  timing.samples = {0, 0, 0};
  EXPECT_EQ(CheckTiming(timing, 0, std::nullopt), std::nullopt);
  timing.seconds = 0;
  EXPECT_EQ(CheckTiming(timing, 0, std::nullopt)->outcome, Outcome::kImpossibleTime);
}

TEST(TimingRulesTest, AReferenceThatAloneLostItsCoresIsDisturbed) {
  Timing timing = TimingOf(33, 34);
  timing.reference_samples = {4e-4F, 5e-4F, 9e-4F};
  EXPECT_TRUE(IsReferenceDisturbed(timing, 2.4e-4, true));
  EXPECT_FALSE(IsReferenceDisturbed(timing, 2.6e-4, true)) << "less than twice its time";
  EXPECT_FALSE(IsReferenceDisturbed(timing, 2.4e-4, false)) << "it had its cores";
  EXPECT_FALSE(IsReferenceDisturbed(timing, 0, true)) << "its time is not known";
  timing.short_of_threads = true;
  EXPECT_FALSE(IsReferenceDisturbed(timing, 2.4e-4, true)) << "both are slow alike";
}

TEST(TimingRulesTest, ThreadsThatShareACoreLeaveAReferenceUneasy) {
  EXPECT_FALSE(IsUneasy({1, 0.99, 1.01}, false));
  EXPECT_TRUE(IsUneasy({1, 0.99, 1.01}, true)) << "both of its series are slow alike";
  EXPECT_TRUE(IsUneasy({1, 0.9, 1.01}, false));
}

TEST(TimingRulesTest, ASessionsReferenceThatWasDisturbedIsNotBelieved) {
  const std::vector<float> seen = {4e-6F, 3.9e-6F, 90e-6F};
  EXPECT_EQ(BelievedReference(4.9e-6, seen), 4.9e-6);
  EXPECT_NEAR(BelievedReference(5.1e-6, seen), 4e-6, 1e-12);
  EXPECT_EQ(BelievedReference(1e-6, seen), 1e-6) << "a slow round says nothing of the session";
  EXPECT_EQ(BelievedReference(5e-4, {}), 5e-4);
}

TEST(TimingRulesTest, WideIntervalsAreNoisy) {
  const std::optional<Failure> noisy = CheckTiming(TimingOf(1, 3), 1e-9, std::nullopt);
  ASSERT_TRUE(noisy.has_value());
  EXPECT_EQ(noisy->outcome, Outcome::kNoisy);
  EXPECT_THAT(noisy->message, HasSubstr("between 1.0 and 3.0"));
}

// 1e12 operations on 132 multiprocessors of 128 lanes at 3.2 GHz, with 5 %: 8.8 ms.
TEST(TimingRulesTest, CardsHaveALeastTimeToo) {
  const ComputeDag dag = DagOf(
      "input A[5000, 10000]\ninput B[10000, 10000]\n"
      "C[i:5000, j:10000] = sum(r:10000) A[i, r] * B[r, j]\n");
  const Target card = MakeTarget(ParseSpec("cuda(card=h100)").value());
  EXPECT_NEAR(LeastSeconds({dag, card, "matmul"}), 8.808e-3, 1e-5);
  const Target device = MakeTarget(ParseSpec("opencl").value());
  EXPECT_EQ(LeastSeconds({dag, device, "matmul"}), 1e-7);
}

// All recorded times of kernels tuned with this project, on several processors.
TEST(TimingRulesTest, WhatWasRecordedIsPossible) {
  int checked = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(SG_SOURCE_DIR "/experiments/tuned")) {
    if (entry.path().extension() != ".jsonl") continue;
    const auto store = MakeMemoryStore();
    std::ifstream lines(entry.path());
    ImportLines(lines, {.file = entry.path(),
                        .store = [&]() -> RecordStore& { return *store; },
                        .reject = [](const RejectedLine& line) { ADD_FAILURE() << line.reason; }});
    for (const Record& record : store->BestOfEach()) {
      const Task task{DagOf(record.task->dag), MakeTarget(ParseSpec(record.task->target).value()),
                      ""};
      EXPECT_GE(record.measurement.timing->seconds, LeastSeconds(task)) << record.task->workload;
      ++checked;
    }
  }
  EXPECT_GE(checked, 50);
}

double LeastOf(const std::string& dag, const std::string& target = "cores=1") {
  return LeastSeconds(
      Task{DagOf(dag), MakeTarget(ParseSpec("interpreter(" + target + ")").value()), ""});
}

// 4,096 products that are added, on four lanes of 32 bits.
TEST(TimingRulesTest, TheFloorByHand) {
  const double least =
      LeastOf("input A[4096]\nC[] = sum(i:4096) A[i] * A[i]\n", "cores=1,vector_bits=128");
  EXPECT_NEAR(least, 8192 / (6e9 * 4 * 8 * 1.05), 1e-12);
}

TEST(TimingRulesTest, TheFloorFallsWithLanesAndCores) {
  const auto of_sum = [](const std::string& type) {
    return "input A[4096] : " + type + "\nC[] = sum(i:4096) A[i] * A[i]\n";
  };
  EXPECT_EQ(LeastOf(of_sum("f32")), 4 * LeastOf(of_sum("f32"), "cores=4"));
  EXPECT_EQ(LeastOf(of_sum("f64")), 2 * LeastOf(of_sum("f32")));
}

TEST(TimingRulesTest, EveryByteOfAnOutputIsWritten) {
  // No operations; reads of the inputs do not count.
  EXPECT_EQ(LeastOf("input A[4096, 9]\nC[i:4096] = A[i, 0]\n"), 4096 * 4 / 768e9);
  EXPECT_EQ(LeastOf("input A[4096, 9]\nC[i:4096] = A[i, 0]\nD[i:4096] = A[i, 1]\n"),
            2 * 4096 * 4 / 768e9);
}

}  // namespace
}  // namespace schedulegym
