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

// Two tasks; the first has weight three.
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

// A record of a task with the given seconds.
Record RecordOf(const std::shared_ptr<const TaskInfo>& task, double seconds) {
  Record record;
  record.task = task;
  record.measurement.outcome = Outcome::kOk;
  Timing& timing = record.measurement.timing.emplace();
  timing.seconds = seconds;
  timing.ratio = {1 / seconds, 1 / seconds, 1 / seconds};
  return record;
}

TEST_F(TuneReporterTest, TheCourseEndsWhereTheEndDoes) {
  reporter_->OnTurn({0, ""});
  Trial(0, 1, 1);
  reporter_->OnTurn({1, ""});
  Trial(1, 2, 3);
  // The first is slower when measured again; the second has a better result of an earlier search.
  for (int task : {0, 1}) {
    DoneEvent done;
    done.task = infos_[task];
    done.elapsed = 9;
    done.best = RecordOf(infos_[task], 2);
    done.best_known = RecordOf(infos_[task], task == 0 ? 2 : 1);
    reporter_->OnDone(done);
  }
  EXPECT_THAT(reporter_->trajectory(), ElementsAre(TrajectoryPoint{3, 5}, TrajectoryPoint{9, 7}));
  EXPECT_THAT(reporter_->own_trajectory(),
              ElementsAre(TrajectoryPoint{3, 5}, TrajectoryPoint{9, 8}));
}

TEST_F(TuneReporterTest, TheLineNamesTheTaskItsShareAndTheLatencyOfAll) {
  reporter_->OnTurn({0, ""});
  clock_.Advance(10);
  Trial(0, 1, 1);
  EXPECT_THAT(err_.Text(), HasSubstr("tune 0/8, 1 of 2 tasks timed, matmul(m=8)\n"));
  reporter_->OnTurn({1, ""});
  clock_.Advance(10);
  Trial(1, 2, 3);
  EXPECT_THAT(err_.Text(), HasSubstr("tune 0/8, latency 5.000 s, softmax(n=4) 40.0 %\n"));
}

TEST_F(TuneReporterTest, ABestThatDidNotStandRaisesTheCourse) {
  reporter_->OnTurn({0, ""});
  Trial(0, 1, 1);
  reporter_->OnTurn({1, ""});
  Trial(1, 2, 3);
  reporter_->OnRevised(
      {0, infos_[0], RecordOf(infos_[0], 1), RecordOf(infos_[0], 1.5), "measured again", 4});
  EXPECT_THAT(reporter_->trajectory(), ElementsAre(TrajectoryPoint{3, 5}, TrajectoryPoint{4, 6.5}));
  EXPECT_THAT(err_.Text(), HasSubstr("matmul(m=8): best 1.000 s did not stand (measured again): "
                                     "best known now 1.500 s\n"));
}

TEST_F(TuneReporterTest, HowSeveralTasksEndedIsLeftToTheEnd) {
  DoneEvent done;
  done.task = infos_[0];
  reporter_->OnDone(done);
  EXPECT_EQ(out_.Text(), "");
}

TEST_F(TuneReporterTest, TheTableSaysWhyATaskIsNext) {
  clock_.Advance(10);
  reporter_->OnTurn({1, "saves 2 ms a slot, give or take 0.5"});
  EXPECT_THAT(err_.Text(), HasSubstr("next is 1: saves 2 ms a slot"));
}

}  // namespace
}  // namespace schedulegym
