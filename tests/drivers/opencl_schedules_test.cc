// Random GPU schedules as OpenCL text on this machine's driver, against the naive program in the
// interpreter: draws of a space and any legal steps by turns. On Oclgrind nothing may be reported.
// PoCL 3.1 compiles a few texts with barriers for minutes, or for ever, so that a child process
// does the work.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "env/base/fault.h"
#include "spaces/builtin_spaces.h"
#include "tests/spaces/gpu_trials.h"
#include "tests/spaces/random_gpu_schedule.h"
#include "tests/support/forked_calls.h"
#include "tests/support/opencl_driver.h"

namespace schedulegym {
namespace {

// Neighbours in the suite are alike: the few that a short run takes shall differ.
constexpr int kStride = 5;
constexpr int kTrialSeconds = 40;  // of one schedule
constexpr char kNoDriver = 'm';

// The operators by turns.
class DriverTrials {
 public:
  // The verdict's number, or kNoDriver, and a message.
  std::string Try(int trial) {
    try {
      RenewDriver(driver_);
    } catch (const MachineError& missing) {
      return kNoDriver + std::string(missing.what());
    }
    const Differential& differential = DifferentialOf(trial * kStride % kSmokeTasks);
    const ScheduleState state = StateOf(differential.task(), trial);
    const auto backend = MakeOpenClDriverBackend(differential.task()->target, *driver_);
    const DifferentialTrial found = differential.Run(state, *backend);
    return std::to_string(static_cast<int>(found.verdict)) + found.message + "\n" +
           state.TraceText();
  }

 private:
  const Differential& DifferentialOf(int number) {
    auto& differential = differentials_[number];
    if (!differential) differential = std::make_unique<Differential>(SmokeTask(number), 1);
    return *differential;
  }

  ScheduleState StateOf(const std::shared_ptr<const Task>& task, int trial) const {
    Rng rng(static_cast<uint64_t>(29 + trial));
    const bool is_of_space = trial / kSmokeTasks % 2 == trial % 2;
    return is_of_space ? space_->Sample(task, rng).value() : RandomGpuSchedule(task, rng);
  }

  std::unique_ptr<SearchSpace> space_ = MakeSpace({"ansor", {}});
  std::map<int, std::unique_ptr<Differential>> differentials_;
  std::unique_ptr<OpenClDriver> driver_;
};

TEST(OpenClSchedulesTest, ComputeTheSameOnADriver) {
  const int draws = Draws(4);
  DriverTrials trials;
  ForkedCalls calls([&](int trial) { return trials.Try(trial); }, kTrialSeconds);
  std::map<char, int> verdicts;
  const auto count = [&](TrialVerdict verdict) {
    return verdicts['0' + static_cast<char>(verdict)];
  };
  int given_up = 0;
  for (int i = 0; count(TrialVerdict::kRight) < draws && i < 10 * draws; ++i) {
    const std::optional<std::string> answer = calls.Call(i);
    if (!answer) {
      ++given_up;
      std::printf("trial %d: given up\n", i);
      continue;
    }
    if (answer->front() == kNoDriver) GTEST_SKIP() << answer->substr(1);
    ++verdicts[answer->front()];
    EXPECT_NE(answer->front() - '0', static_cast<int>(TrialVerdict::kWrong)) << i << *answer;
  }
  std::printf("%d right, %d wrong, %d refused, %d too large, %d given up\n",
              count(TrialVerdict::kRight), count(TrialVerdict::kWrong),
              count(TrialVerdict::kInvalid), count(TrialVerdict::kTooLarge), given_up);
  EXPECT_EQ(count(TrialVerdict::kRight), draws);
  EXPECT_LE(given_up, draws / 20);
}

}  // namespace
}  // namespace schedulegym
