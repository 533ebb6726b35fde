#include "experiments/cli/tune/tune_reporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/measure/fake_clock.h"
#include "tests/experiments/cli/common/captured.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two tasks, of which the first counts three times.
class TuneReporterTest : public testing::Test {
 protected:
  TuneReporterTest() : report_(out_.stream(), err_.stream(), {}) {
    list_.tasks = {{nullptr, 3, {3}}, {nullptr, 1, {1}}};
    for (const char* name : {"matmul(m=8)", "softmax(n=4)"}) {
      TaskInfo info;
      info.workload = name;
      infos_.push_back(std::make_shared<TaskInfo>(info));
    }
    reporter_.emplace(report_, TunerOptions{.request = {.trials = 8}}, clock_, ReproduceWords{},
                      list_);
    for (const auto& info : infos_) reporter_->OnStart({.task = info, .agent = "random"});
  }

  void Trial(int task, double seconds, double elapsed) {
    Record record;
    record.task = infos_[task];
    record.measurement.outcome = Outcome::kOk;
    Timing& timing = record.measurement.timing.emplace();
    timing.seconds = seconds;
    timing.ratio = {1 / seconds, 1 / seconds, 1 / seconds};
    reporter_->OnTrial({.record = record, .gflops = {}, .best = record, .elapsed = elapsed});
  }

  Captured out_, err_;
  Report report_;
  FakeClock clock_;
  TaskList list_;
  std::vector<std::shared_ptr<const TaskInfo>> infos_;
  std::optional<TuneReporter> reporter_;
};

TEST_F(TuneReporterTest, KeepsTurnsAndTheCourseOfTheWhole) {
  reporter_->OnTurn({0, ""});
  Trial(0, 1, 1);
  EXPECT_THAT(reporter_->trajectory(), IsEmpty()) << "the other's latency is unknown";
  reporter_->OnTurn({1, ""});
  Trial(1, 2, 3);
  Trial(1, 4, 4);
  reporter_->OnTurn({0, ""});
  Trial(0, 0.5, 7);
  EXPECT_THAT(reporter_->turns(), ElementsAre(0, 1, 0));
  EXPECT_THAT(reporter_->trajectory(), ElementsAre(TrajectoryPoint{3, 5}, TrajectoryPoint{7, 3.5}));
}

TEST_F(TuneReporterTest, TheTableSaysWhyATaskIsNext) {
  clock_.Advance(10);
  reporter_->OnTurn({1, "saves 2 ms a slot, give or take 0.5"});
  EXPECT_THAT(err_.Text(), HasSubstr("next is 1: saves 2 ms a slot"));
}

}  // namespace
}  // namespace schedulegym
