#include "agents/schedulers/dynatune/dynatune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/agents/schedulers/scheduled_search.h"
#include "tests/agents/scripted_measurer.h"

namespace schedulegym {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

// The result of a task's trial i, from 1 on.
using Trials = std::function<Measurement(int)>;

Trials Rising(double end, double half) {
  return [=](int i) { return Success(end / (1 + half / i)); };
}
Trials Flat(double ratio) {
  return [=](int) { return Success(ratio); };
}
Trials Failing(Outcome outcome) {
  return [=](int) { return Failure(outcome); };
}

constexpr int kBatch = 4;

// A search whose turns are `kBatch` of these trials, each a second long.
class Played {
 public:
  Played(const std::string& spec, std::vector<Trials> trials, std::vector<ScheduledTask> tasks = {})
      : trials_(std::move(trials)) {
    if (tasks.empty()) tasks.resize(trials_.size());
    search_ = std::make_unique<ScheduledSearch>(
        spec, SchedulerContext{.tasks = tasks, .batch = kBatch, .rng = Rng(17)});
  }

  // The tasks of the next turns; fewer if the scheduler returns none.
  std::vector<int> Turns(int count) {
    std::vector<int> turns;
    for (int turn = 0; turn < count; ++turn) {
      const std::optional<int> task = search_->Next();
      if (!task) break;
      turns.push_back(*task);
      search_->Report(*task, NextBatch(*task), kBatch);
    }
    return turns;
  }

  // A new search that continues from the records of this one.
  Played Resumed(const std::string& spec) const {
    Played resumed(spec, trials_, search_->tasks);
    for (size_t task = 0; task < trials_.size(); ++task) {
      std::vector<Record> known;
      for (int i = 1; i <= std::ssize(search_->curves[task].best_by_trial); ++i) {
        known.emplace_back().measurement = trials_[task](i);
      }
      if (!known.empty()) resumed.search_->Resume(static_cast<int>(task), known);
    }
    return resumed;
  }

  ScheduledSearch& search() { return *search_; }

  std::vector<Measurement> NextBatch(int task) const {
    std::vector<Measurement> batch;
    const auto done = static_cast<int>(search_->curves[task].best_by_trial.size());
    for (int i = 1; i <= kBatch; ++i) batch.push_back(trials_[task](done + i));
    return batch;
  }

 private:
  std::vector<Trials> trials_;
  std::unique_ptr<ScheduledSearch> search_;
};

int Count(const std::vector<int>& turns, int task) {
  return static_cast<int>(std::count(turns.begin(), turns.end(), task));
}

TEST(DynatuneTest, WarmsUpWithWholeSlotsOrUntilASuccess) {
  const std::vector<Trials> trials = {Rising(2, 10), Rising(2, 10), Rising(2, 10)};
  Played whole("dynatune(slot=trials(n=8),short_warm_up=false)", trials);
  EXPECT_THAT(whole.Turns(6), ElementsAre(0, 0, 1, 1, 2, 2));
  Played until_a_success("dynatune(slot=trials(n=8))", trials);
  EXPECT_THAT(until_a_success.Turns(3), ElementsAre(0, 1, 2));
}

TEST(DynatuneTest, GivesSlotsOfSeconds) {
  Played played("dynatune(slot=seconds(s=9),short_warm_up=false)", {Rising(2, 10), Rising(2, 10)});
  EXPECT_THAT(played.Turns(6), ElementsAre(0, 0, 0, 1, 1, 1)) << "four seconds a turn";
}

TEST(DynatuneTest, PrefersTheCurveThatStillRises) {
  for (const char* spec : {"dynatune(slot=trials(n=4))", "dynatune(slot=trials(n=4),score=latency)",
                           "dynatune(slot=trials(n=4),fit=least_squares)",
                           "dynatune(slot=trials(n=4),log_trials=false,similar=false)",
                           "dynatune(mode=faithful,slot=trials(n=4),task_patience=0,c=0.02)",
                           "dynatune(slot=trials(n=4),curve_model=nine,steps=60,burn_in=30)"}) {
    Played played(spec, {Flat(1), Rising(3, 30), Flat(1.5)});
    const std::vector<int> turns = played.Turns(20);
    EXPECT_GE(Count(turns, 1), 12) << spec;
  }
}

// Both double their speed in the same way; the second has three times the latency in the network. A
// best that has just jumped is above its curve, so that no gain over the best is expected.
TEST(DynatuneTest, TakesTheRiseOfTheCurveOrItsHeightOverTheBest) {
  const Trials jumps = [](int i) { return Success((i < 40 ? 3 : 4.5) / (1 + 60.0 / i)); };
  const std::vector<Trials> trials = {jumps, Rising(1, 2)};
  const auto after_the_jump = [&](const std::string& gain) {
    Played played(
        "dynatune(slot=trials(n=4),score=latency,log_trials=false,fit=least_squares,records=0,"
        "gain=" +
            gain + ")",
        trials);
    for (int turn = 0; turn < 10; ++turn) played.search().Report(0, played.NextBatch(0), 4);
    for (int turn = 0; turn < 10; ++turn) played.search().Report(1, played.NextBatch(1), 4);
    return played.search().Next();
  };
  EXPECT_EQ(after_the_jump("curve"), 0);
  EXPECT_EQ(after_the_jump("best"), 1);
}

TEST(DynatuneTest, CountsHowOftenNetworksRunATask) {
  const std::vector<ScheduledTask> tasks = {{.counts = {1}}, {.counts = {1, 2}}};
  Played shares("dynatune(slot=trials(n=4))", {Rising(2, 20), Rising(2, 20)}, tasks);
  EXPECT_GE(Count(shares.Turns(12), 1), 7);
  const std::vector<Trials> unequal = {Rising(1.98, 20), Rising(2, 20)};
  Played equal("dynatune(slot=trials(n=4),weights=none)", unequal, tasks);
  const int second = Count(equal.Turns(12), 1);
  EXPECT_TRUE(second >= 5 && second <= 7) << second;
}

TEST(DynatuneTest, SpeedOfTheReleasedCodeIsInGflops) {
  // 2 GFLOP in 1 us, the other 0.001: the speed of the first is larger, whatever its gain.
  const std::vector<ScheduledTask> tasks = {{.flops = 2e9}, {.flops = 1e6}};
  Played played("dynatune(mode=faithful,score=speed,slot=trials(n=4),task_patience=0)",
                {Flat(1), Rising(3, 30)}, tasks);
  EXPECT_EQ(Count(played.Turns(12), 0), 11) << "all but the warm-up of the other";
}

TEST(DynatuneTest, ExploresWithUcbsBonus) {
  const auto given_to_the_flat = [](const std::string& c) {
    Played played("dynatune(slot=trials(n=4),records=0,c=" + c + ")", {Flat(1), Rising(3, 300)});
    return Count(played.Turns(30), 0);
  };
  EXPECT_LE(given_to_the_flat("0"), 2);
  // The rising one has value 1, the flat one 0. With n of N slots the flat one is next if sqrt(2 ln
  // N / n) > 1 + sqrt(2 ln N / (N - n)): n = 1 from N = 6, n = 2 from N = 15, n = 3 from N = 30.
  EXPECT_EQ(given_to_the_flat("2"), 3);
  EXPECT_GE(given_to_the_flat("1000"), 14) << "worth nothing beside the bonus";
}

// Neither curve rises, so that only records count: by trials and by the share of latency.
TEST(DynatuneTest, ExpectsRecordsThatNoCurveForesees) {
  const std::vector<ScheduledTask> tasks = {{.counts = {1}}, {.counts = {3}}};
  Played played("dynatune(slot=trials(n=4),c=0,records=0.1)", {Flat(1), Flat(1)}, tasks);
  const int second = Count(played.Turns(41), 1);
  EXPECT_TRUE(second >= 28 && second <= 33) << second << ": three times as many trials";
}

TEST(DynatuneTest, PaysForSecondsNotForSlots) {
  // Equal curves; a turn of the first takes four times as long.
  const auto first_share = [](const std::string& spec) {
    ScheduledSearch search(
        spec, {.tasks = std::vector<ScheduledTask>(2), .batch = kBatch, .rng = Rng(1)});
    int first = 0;
    for (int turn = 0; turn < 24; ++turn) {
      const int task = search.Next().value();
      first += task == 0 ? 1 : 0;
      std::vector<Measurement> batch;
      for (int i = 1; i <= kBatch; ++i) {
        const auto trial = static_cast<double>(search.curves[task].best_by_trial.size()) + i;
        batch.push_back(Success(3 / (1 + 30 / trial)));
      }
      search.Report(task, batch, task == 0 ? 16 : 4);
    }
    return first;
  };
  EXPECT_GE(first_share("dynatune(slot=trials(n=4),per_second=false,c=0)"), 9);
  EXPECT_LE(first_share("dynatune(slot=trials(n=4),per_second=true,c=0)"), 8);
}

TEST(DynatuneTest, LeavesOutWhatHasNothingLeft) {
  Played played("dynatune(slot=trials(n=8))", {Rising(3, 30), Flat(1)});
  EXPECT_THAT(played.Turns(1), ElementsAre(0));
  played.search().Finish(0);
  EXPECT_THAT(played.Turns(10), AllOf(testing::SizeIs(10), Each(1))) << "its slot is over, too";
  played.search().Finish(1);
  EXPECT_EQ(played.search().Next(), std::nullopt);
}

TEST(DynatuneTest, RetiresWhatStagnates) {
  Played played("dynatune(slot=trials(n=4),task_patience=12,c=2)", {Flat(1), Rising(3, 30)});
  const std::vector<int> turns = played.Turns(40);
  EXPECT_EQ(turns.size(), 40u);
  EXPECT_LE(Count(turns, 0), 4) << "a gain and twelve trials without one";
  Played both("dynatune(slot=trials(n=4),task_patience=12)", {Flat(1), Flat(2)});
  EXPECT_LE(both.Turns(40).size(), 8u) << "then there is nobody left";
  EXPECT_EQ(both.search().Next(), std::nullopt);
}

TEST(DynatuneTest, GivesUpWhatAlwaysFails) {
  for (Outcome outcome : {Outcome::kWrongOutput, Outcome::kCompileError}) {
    Played played("dynatune(slot=trials(n=8))", {Failing(outcome), Rising(2, 10)});
    const std::vector<int> turns = played.Turns(30);
    EXPECT_EQ(turns.size(), 30u);
    EXPECT_EQ(Count(turns, 0), 2 * 3) << "three slots of two turns";
  }
  Played hopeless("dynatune(slot=trials(n=4),warm_up=1)", {Failing(Outcome::kWrongOutput)});
  EXPECT_THAT(hopeless.Turns(10), ElementsAre(0));
}

TEST(DynatuneTest, TakesUpWhatSucceedsLate) {
  const Trials late = [](int i) {
    return i <= 10 ? Failure(Outcome::kWrongOutput) : Success(0.1 * i);
  };
  Played played("dynatune(slot=trials(n=8))", {late, Flat(1)});
  EXPECT_GE(Count(played.Turns(20), 0), 12);
}

// The search resumes in the middle of a task's second slot, and between slots.
TEST(DynatuneTest, ResumedInTheMiddleItGoesOnAsIfNothingHadHappened) {
  for (const char* spec : {"dynatune(slot=trials(n=8))",
                           "dynatune(mode=faithful,slot=trials(n=8),task_patience=50)"}) {
    for (int before : {1, 7, 20}) {
      const std::vector<Trials> trials = {Rising(2, 15), Rising(4, 60), Rising(3, 25), Flat(1)};
      std::vector<ScheduledTask> tasks(4);
      for (ScheduledTask& task : tasks) task.tag = "alike";
      Played one(spec, trials, tasks);
      one.Turns(before);
      Played other = one.Resumed(spec);
      EXPECT_EQ(other.Turns(12), one.Turns(12)) << spec << " after " << before;
    }
  }
}

TEST(DynatuneTest, RepeatsItself) {
  const std::vector<Trials> trials = {Rising(2, 15), Rising(4, 60), Rising(3, 25)};
  Played one("dynatune(slot=trials(n=4))", trials), other("dynatune(slot=trials(n=4))", trials);
  EXPECT_EQ(one.Turns(30), other.Turns(30));
}

TEST(DynatuneTest, SaysWhatSpokeForATask) {
  Played played("dynatune(slot=trials(n=4))", {Flat(1), Rising(3, 30)});
  EXPECT_EQ(played.search().scheduler->Why(0), "");
  played.Turns(8);
  ASSERT_TRUE(played.search().Next());
  EXPECT_THAT(played.search().scheduler->Why(1),
              AllOf(HasSubstr("saves "), HasSubstr(" ms a slot")));
}

TEST(DynatuneTest, SaysWhenThereIsNoCurveToFit) {
  Played played("dynatune(slot=turn)", {Flat(1), Flat(1)});
  for (int task : {0, 1}) played.search().Report(task, std::vector(2, Success(1)), 1);
  EXPECT_EQ(played.search().Next(), 0);
  EXPECT_EQ(played.search().scheduler->Why(0), "too few trials for a curve");
}

// A cube of the trials: at ten times the trials the power law predicts a thousand times the best,
// which is rejected. The other's prediction is plausible.
TEST(DynatuneTest, SaysWhenNoCurveFits) {
  const Trials cube = [](int i) { return Success(0.01 * i * i * i); };
  Played played("dynatune(slot=trials(n=4),curve_model=pow2,log_trials=false)",
                {cube, Rising(2, 10)});
  played.Turns(2);
  ASSERT_TRUE(played.search().Next());
  EXPECT_EQ(played.search().scheduler->Why(0), "no curve fits (1 of 2 fits so far)");
  EXPECT_THAT(played.search().scheduler->Why(1), HasSubstr("saves "));
}

TEST(DynatuneTest, WithoutTasksThereIsNoNext) {
  EXPECT_EQ(ScheduledSearch("dynatune", {}).Next(), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
