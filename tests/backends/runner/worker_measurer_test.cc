#include "backends/runner/worker_measurer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include "backends/backend.h"
#include "backends/runner/in_process_measurer.h"
#include "backends/runner/worker/measuring_lock.h"
#include "env/base/fault.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/state.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/temporary_folder.h"
#include "tests/support/busy_machine.h"
#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Short, with many retries for busy machines.
constexpr const char* kProtocol =
    "cpu1(seconds=0.05, sentinel_candidates=0, sentinel_seconds=3600)";
constexpr int kRetries = 9;

ScheduleState NaiveSchedule(std::shared_ptr<const Task> task) {
  return ScheduleState::Initial(std::move(task));
}

class WorkerMeasurerTest : public testing::Test {
 protected:
  WorkerMeasurerTest() {
    options_.program = SG_WORKER;
    options_.protocol = kProtocol;
    options_.seed = 5;
    options_.reference = NaiveSchedule;
    options_.retries = kRetries;
    measurer_ = MakeWorkerMeasurer(options_);
  }

  ScheduleState State(const std::string& trace = "trace 1\n") const {
    return ReplayText(task_, trace).value();
  }
  Measurement Measure(const Candidate& candidate) {
    return measurer_->Measure({&candidate, 1}).at(0);
  }

  // Whether a measurement took place; on a busy machine the result may be noise.
  static bool IsAnswered(const Measurement& measurement) {
    return GroupOf(measurement.outcome) != OutcomeGroup::kNotAboutCandidate;
  }

  // The workers of this process with the given role.
  static std::vector<pid_t> Workers(const std::string& role) {
    std::vector<pid_t> workers;
    for (pid_t child : ChildrenOf(getpid())) {
      if (CommandOf(child).find(" " + role + " ") != std::string::npos) workers.push_back(child);
    }
    return workers;
  }

  std::shared_ptr<const Task> task_ =
      std::make_shared<const Task>(Task{DagOf("input A[32, 64]\ninput B[64, 48]\n"
                                              "C[i:32, j:48] = sum(k:64) A[i, k] * B[k, j]\n"),
                                        MakeTarget(ParseSpec("llvm(cores=1)").value()), "product"});
  WorkerOptions options_;
  std::unique_ptr<Measurer> measurer_;
};

constexpr const char* kParallel = "trace 1\nparallel(stage=C, loop=0)\n";
constexpr const char* kSplit = "trace 1\nsplit(stage=C, loop=0, lengths=[8])\n";

TEST_F(WorkerMeasurerTest, OutcomesAreThoseOfTheMeasurerInProcess) {
  InProcessOptions in_process;
  in_process.protocol = MakeProtocol(ParseSpec(kProtocol).value());
  in_process.seed = 5;
  in_process.reference = NaiveSchedule;
  in_process.make_backend = MakeBackend;
  const std::unique_ptr<Measurer> other = MakeInProcessMeasurer(std::move(in_process));
  for (const std::string& trace : {std::string("trace 1\n"), std::string(kSplit)}) {
    const Candidate candidate{State(trace)};
    const Measurement here = other->Measure({&candidate, 1}).at(0);
    const Measurement there = Measure(candidate);
    // A busy machine makes either result noisy; then the two cannot be compared.
    if (!MayLearnFrom(here.outcome) || !MayLearnFrom(there.outcome)) continue;
    EXPECT_EQ(there.outcome, here.outcome) << there.message;
    EXPECT_EQ(there.seed, here.seed);
    EXPECT_EQ(there.timing.has_value(), here.timing.has_value());
  }
}

TEST_F(WorkerMeasurerTest, AnswersComeInOrderAndAreNumbered) {
  const std::vector<Candidate> candidates = {{State()}, {State(kSplit)}};
  const std::vector<Measurement> measurements = measurer_->Measure(candidates);
  ASSERT_EQ(measurements.size(), 2u);
  EXPECT_TRUE(IsAnswered(measurements[0])) << measurements[0].message;
  // The candidate that is compiled first is measured first.
  EXPECT_THAT((std::vector<int64_t>{measurements[0].sequence, measurements[1].sequence}),
              testing::UnorderedElementsAre(0, 1));
  ASSERT_NE(measurements[0].session, nullptr);
  EXPECT_EQ(measurements[0].session->id.size(), 32u);
  EXPECT_EQ(measurements[0].session->protocol, kProtocol);
  EXPECT_THAT(measurements[0].session->toolchain, HasSubstr("llvm"));
  EXPECT_TRUE(measurer_->Measure({}).empty());
}

TEST_F(WorkerMeasurerTest, RepeatsAreAnsweredFromMemory) {
  const Measurement first = Measure({State()});
  ASSERT_TRUE(IsAnswered(first)) << first.message;
  SG_ASSERT_OK_OR_SKIP_NOISE(first);
  EXPECT_EQ(Measure({State()}), first);
  // Candidates with `anew` (whose result is then stored) and finalists are measured again.
  const Measurement anew = Measure({.state = State(), .anew = true});
  EXPECT_GT(anew.sequence, first.sequence);
  if (anew.ok()) {
    EXPECT_EQ(Measure({State()}), anew);
  }
  const Measurement again = Measure({State(), /*finalist=*/true});
  EXPECT_GT(again.sequence, anew.sequence);
}

TEST_F(WorkerMeasurerTest, ADeadCheckerIsReplaced) {
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  const std::vector<pid_t> checkers = Workers("check");
  ASSERT_EQ(checkers.size(), 1u);
  kill(checkers[0], SIGKILL);
  const Measurement next = Measure({State(kSplit)});
  EXPECT_TRUE(IsAnswered(next)) << next.message;
  EXPECT_GE(next.attempt, 1);
  ASSERT_EQ(Workers("check").size(), 1u);
  EXPECT_NE(Workers("check")[0], checkers[0]);
}

TEST_F(WorkerMeasurerTest, ADeadServerOfCandidatesIsReplaced) {
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  const std::vector<pid_t> zygotes = ChildrenOf(Workers("check").at(0));
  ASSERT_EQ(zygotes.size(), 1u);
  kill(zygotes[0], SIGKILL);
  const Measurement next = Measure({State(kSplit)});
  EXPECT_TRUE(IsAnswered(next)) << next.message;
}

// No retries: a retry gets a fresh server in any case.
TEST_F(WorkerMeasurerTest, AProcessThatDiedBeforeItsCandidateCameIsReplaced) {
  options_.retries = 0;
  measurer_ = MakeWorkerMeasurer(options_);
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  const std::vector<pid_t> zygotes = ChildrenOf(Workers("check").at(0));
  ASSERT_EQ(zygotes.size(), 1u);
  // The candidate's own process may still be exiting; the one after it waits for the next.
  usleep(300'000);
  std::vector<pid_t> waiting = ChildrenOf(zygotes[0]);
  while (waiting.empty()) waiting = ChildrenOf(zygotes[0]);
  for (pid_t spare : waiting) {
    kill(spare, SIGKILL);
    while (IsRunning(spare)) usleep(1000);
  }
  const Measurement next = Measure({State(kSplit)});
  EXPECT_TRUE(IsAnswered(next)) << next.message;
  // On a busy machine a result that looks forged is measured again in any case.
  if (next.attempt == 0) {
    EXPECT_EQ(ChildrenOf(Workers("check").at(0)), zygotes);
  }
}

TEST_F(WorkerMeasurerTest, ADeadCompilerIsReplaced) {
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  for (pid_t compiler : Workers("compile")) kill(compiler, SIGKILL);
  // The compiler may die idle or at work, by chance.
  EXPECT_TRUE(IsAnswered(Measure({State(kSplit)})));
  const Measurement next = Measure({State("trace 1\nsplit(stage=C, loop=0, lengths=[4])\n")});
  EXPECT_TRUE(IsAnswered(next)) << next.message;
}

TEST_F(WorkerMeasurerTest, WhatIsExpectedIsMeasuredLikeAnythingElse) {
  const Candidate candidate{State(kSplit)};
  measurer_->Expect({&candidate, 1});
  EXPECT_TRUE(IsAnswered(Measure(candidate)));
}

TEST_F(WorkerMeasurerTest, WhatIsOverBeforeItBeginsIsCutOff) {
  const Candidate candidate = {.state = State(), .end = [] { return true; }};
  const Measurement measurement = Measure(candidate);
  EXPECT_EQ(measurement.outcome, Outcome::kCutOff);
  EXPECT_FALSE(measurement.timing.has_value());
  // A cut-off gives no result for the candidate.
  EXPECT_TRUE(IsAnswered(Measure({State()})));
}

// The timing takes a minute and is cut off before its end.
TEST_F(WorkerMeasurerTest, WhatIsTimedIsCutOff) {
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  options_.protocol = "cpu1(sample=1, seconds=60, sentinel_candidates=0, sentinel_seconds=3600)";
  measurer_ = MakeWorkerMeasurer(options_);
  const TemporaryFolder folder;
  setenv("SCHEDULEGYM_LOCK", folder.Path("lock").c_str(), 1);
  const std::string path = MeasuringLockPath();
  int timed = 0;
  const Candidate candidate = {.state = State(kSplit), .end = [&] {
                                 timed += MeasuringLock(path).IsHeldByOther() ? 1 : 0;
                                 return timed > 3;
                               }};
  EXPECT_EQ(Measure(candidate).outcome, Outcome::kCutOff);
  // The process that measured has ended and no longer holds the lock.
  MeasuringLock lock(path);
  lock.Take();
  lock.Release();
  unsetenv("SCHEDULEGYM_LOCK");
}

TEST_F(WorkerMeasurerTest, WaitingForTheLockOfAnotherProcessIsTold) {
  const TemporaryFolder folder;
  setenv("SCHEDULEGYM_LOCK", folder.Path("lock").c_str(), 1);
  options_.checkers = 2;  // which wait for each other, too
  std::vector<std::string> told;
  std::promise<void> waiting;  // until the first line
  options_.warn = [&](const std::string& line) {
    if (told.empty()) waiting.set_value();
    told.push_back(line);
  };
  measurer_ = MakeWorkerMeasurer(options_);
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  measurer_->TakeDeferredResults();  // one may have waited while the other probed the machine
  MeasuringLock lock(MeasuringLockPath());
  unsetenv("SCHEDULEGYM_LOCK");
  lock.Take();
  // Compilation and verification come first; they take long on a busy machine.
  std::thread other([&, known = waiting.get_future()] {
    known.wait_for(std::chrono::seconds(60));
    std::this_thread::sleep_for(std::chrono::seconds(1));
    lock.Release();
  });
  const Candidate candidates[] = {{State(kSplit)}, {State(kParallel)}};
  measurer_->Measure(candidates);
  other.join();
  const std::vector<MeasuringWait> waits = measurer_->TakeDeferredResults().waits;
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].task, TaskKey(*task_));
  // The wait is reported once, for all checkers.
  EXPECT_GT(waits[0].lock, 0.5);
  EXPECT_LT(waits[0].lock, 60);
  // The warning comes at once, during the wait.
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0], HasSubstr("another process of this machine is timing kernels"));
}

TEST_F(WorkerMeasurerTest, EqualCandidatesOfABatchAreMeasuredOnce) {
  const std::vector<Candidate> candidates = {{State(kSplit)}, {State(kSplit)}, {State()}};
  const std::vector<Measurement> measurements = measurer_->Measure(candidates);
  ASSERT_TRUE(IsAnswered(measurements[0])) << measurements[0].message;
  SG_ASSERT_OK_OR_SKIP_NOISE(measurements[0]);
  EXPECT_EQ(measurements[0], measurements[1]);
  EXPECT_NE(measurements[0].sequence, measurements[2].sequence);
}

// A product large enough for its own awkward shapes, and a schedule that fits them.
class AwkwardShapesTest : public WorkerMeasurerTest {
 protected:
  AwkwardShapesTest() {
    task_ = std::make_shared<const Task>(
        Task{MakeWorkload(ParseSpec("matmul(m=64,n=64,k=64)").value()),
             MakeTarget(ParseSpec("llvm(cores=1)").value()), "matmul(m=64,n=64,k=64)"});
    options_.program = SG_LYING_WORKER;
    measurer_ = MakeWorkerMeasurer(options_);
  }
};

TEST_F(AwkwardShapesTest, WhatIsWrongAtOneIsNotTheBest) {
  const Measurement wrong = Measure({State(kSplit)});
  EXPECT_EQ(wrong.outcome, Outcome::kWrongOutput) << wrong.message;
  EXPECT_THAT(wrong.message, HasSubstr("at matmul(m=37,n=53,k=29): "));
  EXPECT_FALSE(wrong.timing.has_value());
  // The verdict stays.
  EXPECT_EQ(Measure({State(kSplit)}), wrong);
}

TEST_F(AwkwardShapesTest, FinalistsAreTriedTooAndWhatIsRightPasses) {
  const Measurement best = Measure({State()});
  ASSERT_TRUE(IsAnswered(best)) << best.message;
  SG_ASSERT_OK_OR_SKIP_NOISE(best);
  EXPECT_EQ(Measure({State(kSplit), /*finalist=*/true}).outcome, Outcome::kWrongOutput);
}

// A checker that reports results as corrupt.
class CorruptResultsTest : public WorkerMeasurerTest {
 protected:
  ~CorruptResultsTest() override { unsetenv("SCHEDULEGYM_LIES"); }

  Measurement MeasureUnder(const std::string& lies, int retries) {
    setenv("SCHEDULEGYM_LIES", lies.c_str(), /*overwrite=*/1);
    options_.program = SG_LYING_WORKER;
    options_.retries = retries;
    measurer_ = MakeWorkerMeasurer(options_);
    return Measure({State(kSplit)});
  }
};

TEST_F(CorruptResultsTest, OneIsMeasuredAgainOnAFreshWorker) {
  const Measurement measurement = MeasureUnder("first", kRetries);
  EXPECT_GE(measurement.attempt, 1);
  ASSERT_TRUE(IsAnswered(measurement)) << measurement.message;
  SG_ASSERT_OK_OR_SKIP_NOISE(measurement);
  EXPECT_TRUE(measurement.timing.has_value());
}

TEST_F(CorruptResultsTest, OneIsNotBelievedWhereNothingElseIsRepeated) {
  const Measurement measurement = MeasureUnder("first", 0);
  EXPECT_EQ(measurement.attempt, 1);
  EXPECT_NE(measurement.message, "a lie");
}

TEST_F(CorruptResultsTest, TheSecondIsBelieved) {
  const Measurement measurement = MeasureUnder("all", 0);
  EXPECT_EQ(measurement.attempt, 1);
  EXPECT_EQ(measurement.outcome, Outcome::kCorruptResult);
  EXPECT_EQ(measurement.message, "a lie");
  EXPECT_FALSE(measurement.timing.has_value());
}

TEST_F(CorruptResultsTest, OthersFollowTheRetries) { EXPECT_EQ(MeasureUnder("all", 2).attempt, 2); }

// A checker that makes up times.
class BusyMachineTest : public WorkerMeasurerTest {
 protected:
  ~BusyMachineTest() override { unsetenv("SCHEDULEGYM_LIES"); }

  // The measurement after eight equal ones.
  Measurement MeasureUnder(const std::string& lies) {
    setenv("SCHEDULEGYM_LIES", lies.c_str(), /*overwrite=*/1);
    options_.program = SG_LYING_WORKER;
    options_.retries = 0;
    measurer_ = MakeWorkerMeasurer(options_);
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(Again().ok());
    return Again();
  }
  Measurement Again() {
    const Candidate candidate = {.state = State(), .anew = true};
    return measurer_->Measure({&candidate, 1}).at(0);
  }
};

TEST_F(BusyMachineTest, WhatLooksBestIsMeasuredWhenTheMachineIsAsUsual) {
  const Measurement measurement = MeasureUnder("busy");
  ASSERT_TRUE(measurement.ok()) << measurement.message;
  EXPECT_EQ(measurement.timing->ratio.median, 1.1);
  EXPECT_EQ(measurement.attempt, 0);
}

TEST_F(BusyMachineTest, WhatNeverMetTheUsualMachineIsNoisy) {
  const Measurement measurement = MeasureUnder("overrun");
  EXPECT_EQ(measurement.outcome, Outcome::kNoisy);
  EXPECT_EQ(measurement.message,
            "the reference took much longer than usual, whenever it was tried: the cores are busy");
}

// A finalist. The reference is slow in some processes; the candidate is not.
class SlowedReferenceTest : public BusyMachineTest {
 protected:
  Measurement MeasureFinalist(const std::string& lies) {
    setenv("SCHEDULEGYM_LIES", lies.c_str(), /*overwrite=*/1);
    options_.program = SG_LYING_WORKER;
    options_.retries = 0;
    measurer_ = MakeWorkerMeasurer(options_);
    return Measure({.state = State(), .finalist = true});
  }
};

TEST_F(SlowedReferenceTest, ProcessesInWhichItIsSlowAreReplaced) {
  const Measurement measurement = MeasureFinalist("slowed");
  ASSERT_TRUE(measurement.ok()) << measurement.message;
  EXPECT_NEAR(measurement.timing->ratio.median, 1.1, 1e-6);
  EXPECT_NEAR(measurement.timing->ratio.high, 1.1, 1e-6);
}

TEST_F(SlowedReferenceTest, WhereNoneAreAlikeNothingIsKnown) {
  const Measurement measurement = MeasureFinalist("unlike");
  EXPECT_EQ(measurement.outcome, Outcome::kNoisy);
  EXPECT_THAT(measurement.message, HasSubstr("in some processes than in others"));
}

// Share of the samples that take less than 1.5 times as long as the fastest.
double FastShareOf(const std::vector<float>& samples) {
  const float slow = 1.5F * *std::min_element(samples.begin(), samples.end());
  const auto fast =
      std::count_if(samples.begin(), samples.end(), [slow](float sample) { return sample < slow; });
  return static_cast<double>(fast) / static_cast<double>(samples.size());
}

// No times are made up: in the first two processes a kernel of two threads has one core.
TEST_F(SlowedReferenceTest, ProcessesThatAreReallySlowAreReplaced) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one core";
  task_ =
      std::make_shared<const Task>(Task{DagOf("input A[128, 128]\ninput B[128, 128]\n"
                                              "C[i:128, j:128] = sum(k:128) A[i, k] * B[k, j]\n"),
                                        MakeTarget(ParseSpec("llvm(cores=2)").value()), "product"});
  options_.reference = [](std::shared_ptr<const Task> task) {
    return ReplayText(std::move(task), kParallel).value();
  };
  setenv("SCHEDULEGYM_LIES", "one_core", /*overwrite=*/1);
  options_.program = SG_LYING_WORKER;
  // A third, if the slow two of three processes counted. Other programs slow other processes, too.
  double fast = 0;
  for (int attempt = 0; attempt < 3 && fast <= 0.4; ++attempt) {
    measurer_ = MakeWorkerMeasurer(options_);
    const Measurement measurement = Measure({.state = State(kParallel), .finalist = true});
    SG_ASSERT_OK_OR_SKIP_NOISE(measurement);
    fast = FastShareOf(measurement.timing->reference_samples);
  }
  if (fast <= 0.4 && AreCoresBusy()) GTEST_SKIP() << "busy: others take the cores";
  EXPECT_GT(fast, 0.4);
}

TEST_F(WorkerMeasurerTest, TheReferenceIsFoundRightInEveryCellMeanwhile) {
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  ASSERT_TRUE(measurer_->Finish(600));
  const DeferredResults deferred_results = measurer_->TakeDeferredResults();
  ASSERT_EQ(deferred_results.verified.size(), 1u);
  EXPECT_EQ(deferred_results.verified[0].task, TaskKey(*task_));
  EXPECT_THAT(deferred_results.verified[0].toolchain, HasSubstr("llvm"));
  EXPECT_GT(deferred_results.verified[0].seconds, 0);
  // The reference is checked once.
  ASSERT_TRUE(IsAnswered(Measure({.state = State(), .anew = true})));
  EXPECT_TRUE(measurer_->Finish(0));
  EXPECT_THAT(measurer_->TakeDeferredResults().verified, IsEmpty());
}

TEST_F(WorkerMeasurerTest, AReferenceThatCannotBeCheckedIsToldOnce) {
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  DeferredResults deferred_results;
  while (!measurer_->Finish(0)) {
    for (pid_t process : Workers("reference")) kill(process, SIGKILL);
    measurer_->Finish(0.01);
  }
  deferred_results = measurer_->TakeDeferredResults();
  EXPECT_THAT(deferred_results.verified, IsEmpty());
  ASSERT_EQ(deferred_results.warnings.size(), 1u);
  EXPECT_EQ(deferred_results.warnings[0].task, TaskKey(*task_));
  EXPECT_THAT(deferred_results.warnings[0].text, HasSubstr("could not be checked in every cell: "));
  ASSERT_TRUE(IsAnswered(Measure({.state = State(), .anew = true})));
  EXPECT_THAT(measurer_->TakeDeferredResults().warnings, IsEmpty());
}

TEST_F(WorkerMeasurerTest, AReferenceThatIsTooLargeToBeCheckedIsToldOnce) {
  options_.most_checked_flops = 32 * 64 * 48 * 2 - 1;
  measurer_ = MakeWorkerMeasurer(options_);
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  EXPECT_THAT(Workers("reference"), IsEmpty());
  EXPECT_TRUE(measurer_->Finish(0));
  const DeferredResults deferred_results = measurer_->TakeDeferredResults();
  EXPECT_THAT(deferred_results.verified, IsEmpty());
  ASSERT_EQ(deferred_results.warnings.size(), 1u);
  EXPECT_EQ(deferred_results.warnings[0].task, TaskKey(*task_));
  EXPECT_THAT(deferred_results.warnings[0].text,
              HasSubstr("too large to be checked in every cell"));
  ASSERT_TRUE(IsAnswered(Measure({.state = State(), .anew = true})));
  EXPECT_THAT(measurer_->TakeDeferredResults().warnings, IsEmpty());
  EXPECT_EQ(WorkerOptions().most_checked_flops, 3e10);
}

TEST_F(WorkerMeasurerTest, AReferenceThatWasFoundRightIsNotCheckedAgain) {
  measurer_->NoteVerified(TaskKey(*task_));
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  EXPECT_THAT(Workers("reference"), IsEmpty());
  EXPECT_TRUE(measurer_->Finish(0));
  EXPECT_THAT(measurer_->TakeDeferredResults().verified, IsEmpty());
}

TEST_F(WorkerMeasurerTest, NothingIsLeftOfIt) {
  ASSERT_TRUE(IsAnswered(Measure({State()})));
  const std::vector<pid_t> all = DescendantsOf(getpid());
  EXPECT_THAT(all, Not(IsEmpty()));
  measurer_.reset();
  // On a busy machine killed processes take time to end.
  for (pid_t process : all) {
    for (int i = 0; i < 10'000 && IsRunning(process); ++i) usleep(1000);
    EXPECT_FALSE(IsRunning(process));
  }
  EXPECT_THAT(DescendantsOf(getpid()), IsEmpty());
}

TEST_F(WorkerMeasurerTest, WorkersThatDoNotStartAreTheMachines) {
  options_.program = "/nonexistent/worker";
  measurer_ = MakeWorkerMeasurer(options_);
  EXPECT_THROW(Measure({State()}), MachineError);
}

}  // namespace
}  // namespace schedulegym
