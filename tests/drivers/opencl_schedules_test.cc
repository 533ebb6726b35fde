// Compares random GPU schedules, as OpenCL text on this machine's driver, with the naive program in
// the interpreter. Schedules of the smoke suite's operators are draws of a space and random legal
// steps, by turns; random computations on integers, bytes and reals get random legal steps. Other
// draws have threads that share sums. Oclgrind must report nothing. PoCL 3.1 compiles a few texts
// with barriers for minutes, or for ever, so that a child process does the work.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "env/base/fault.h"
#include "spaces/builtin_spaces.h"
#include "tests/env/lower/shared_sum.h"
#include "tests/fuzz/computations/random_computation.h"
#include "tests/spaces/gpu_trials.h"
#include "tests/spaces/random_gpu_schedule.h"
#include "tests/support/forked_calls.h"
#include "tests/support/opencl_driver.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// Neighbours in the suite are alike; the stride makes the few of a short run differ.
constexpr int kStride = 5;
constexpr int kTrialSeconds = 40;  // time limit of one schedule
constexpr char kNoDriver = 'm';

class DriverTrials {
 public:
  // The verdict's number, or kNoDriver, and a message.
  std::string TryOperator(int trial) {
    const Differential& differential = DifferentialOf(trial * kStride % kSmokeTasks);
    Rng rng(static_cast<uint64_t>(29 + trial));
    const bool is_of_space = trial / kSmokeTasks % 2 == trial % 2;
    return Try(differential, is_of_space ? space_->Sample(differential.task(), rng).value()
                                         : RandomGpuSchedule(differential.task(), rng));
  }

  std::string TryComputation(int trial) {
    Rng rng(static_cast<uint64_t>(31 + trial));
    const auto task = std::make_shared<const Task>(
        Task{RandomComputation(rng), SmokeTask(0)->target, "random.dag"});
    return Try(Differential(task, 1), RandomGpuSchedule(task, rng));
  }

  std::string TrySharedSums(int trial) {
    Rng rng(static_cast<uint64_t>(37 + trial));
    const auto task = SharedSumsTask(kSharedSums[trial % std::size(kSharedSums)]);
    return Try(Differential(task, 1), space_->Sample(task, rng).value());
  }

  std::string TrySchedule(const std::string& dag, const std::string& steps) {
    const auto task =
        std::make_shared<const Task>(Task{TaskOf(dag)->dag, SmokeTask(0)->target, "test.dag"});
    return Try(Differential(task, 1), StateAfter(task, steps));
  }

 private:
  std::string Try(const Differential& differential, const ScheduleState& state) {
    try {
      RenewDriver(driver_);
    } catch (const MachineError& missing) {
      return kNoDriver + std::string(missing.what());
    }
    const auto backend = MakeOpenClDriverBackend(differential.task()->target, *driver_);
    const DifferentialTrial found = differential.Run(state, *backend);
    return std::to_string(static_cast<int>(found.verdict)) + found.message + "\n" +
           differential.task()->dag.ToText() + state.TraceText();
  }

  const Differential& DifferentialOf(int number) {
    auto& differential = differentials_[number];
    if (!differential) differential = std::make_unique<Differential>(SmokeTask(number), 1);
    return *differential;
  }

  std::unique_ptr<SearchSpace> space_ = MakeSpace({"ansor", {}});
  std::map<int, std::unique_ptr<Differential>> differentials_;
  std::unique_ptr<OpenClDriver> driver_;
};

// Runs until the given number of schedules ran.
class OpenClSchedulesTest : public testing::Test {
 protected:
  void Run(const ForkedCalls::Work& work, int draws) {
    ForkedCalls calls(work, kTrialSeconds);
    for (int i = 0; Of(TrialVerdict::kRight) < draws && i < 10 * draws; ++i) {
      const std::optional<std::string> answer = calls.Call(i);
      if (answer && answer->front() == kNoDriver) GTEST_SKIP() << answer->substr(1);
      ++verdicts_[answer ? answer->front() : kGivenUp];
      if (!answer) std::printf("trial %d: given up\n", i);
      EXPECT_FALSE(answer && answer->front() == LetterOf(TrialVerdict::kWrong)) << i << *answer;
      EXPECT_FALSE(answer && answer->front() == LetterOf(TrialVerdict::kUnproved)) << i << *answer;
    }
    std::printf(
        "%d right, %d wrong, %d unproved, %d unsafe, %d refused, %d too large, %d given up\n",
        Of(TrialVerdict::kRight), Of(TrialVerdict::kWrong), Of(TrialVerdict::kUnproved),
        Of(TrialVerdict::kUnsafe), Of(TrialVerdict::kRefused), Of(TrialVerdict::kTooLarge),
        verdicts_[kGivenUp]);
    EXPECT_EQ(Of(TrialVerdict::kRight), draws);
    EXPECT_LE(verdicts_[kGivenUp], draws / 20);
  }

  DriverTrials trials_;

  static char LetterOf(TrialVerdict verdict) {
    return static_cast<char>('0' + static_cast<int>(verdict));
  }

 private:
  static constexpr char kGivenUp = '-';

  int Of(TrialVerdict verdict) { return verdicts_[LetterOf(verdict)]; }

  std::map<char, int> verdicts_;
};

TEST_F(OpenClSchedulesTest, ComputeTheSameOnADriver) {
  Run([this](int trial) { return trials_.TryOperator(trial); }, Draws(10));
}

// Without the extra barriers of closed_loops.h PoCL 3.1 does not store the sums.
TEST_F(OpenClSchedulesTest, GuardsBehindALoopWithBarriers) {
  ForkedCalls calls([this](int) { return trials_.TrySchedule(kSum, kSharedSum); }, kTrialSeconds);
  for (int i = 0; i < 5; ++i) {
    const std::optional<std::string> answer = calls.Call(i);
    ASSERT_TRUE(answer);
    if (answer->front() == kNoDriver) GTEST_SKIP() << answer->substr(1);
    EXPECT_EQ(answer->front(), LetterOf(TrialVerdict::kRight)) << *answer;
  }
}

TEST_F(OpenClSchedulesTest, OfSumsThatThreadsShare) {
  Run([this](int trial) { return trials_.TrySharedSums(trial); }, Draws(10));
}

TEST_F(OpenClSchedulesTest, OfRandomComputationsToo) {
  Run([this](int trial) { return trials_.TryComputation(trial); }, Draws(10));
}

}  // namespace
}  // namespace schedulegym
