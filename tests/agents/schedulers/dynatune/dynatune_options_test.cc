#include "agents/schedulers/dynatune/dynatune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

DynatuneOptions ReadDynatune(const std::string& text) {
  return ReadDynatuneOptions(ParseSpec(text).value());
}

std::string ComplaintAbout(const std::string& text) {
  return InputFaultOf([&] { ReadDynatune(text); });
}

TEST(DynatuneOptionsTest, TheDefaultIsImproved) {
  const DynatuneOptions options = ReadDynatune("dynatune");
  EXPECT_THAT(options.curve_model.families, ElementsAre(CurveFamily::kLogPower));
  EXPECT_TRUE(options.curve_model.samples);
  EXPECT_EQ(options.curve_model.ensemble.walkers, 10);
  EXPECT_EQ(options.curve_model.ensemble.steps, 500);
  EXPECT_EQ(options.curve_model.ensemble.burn_in, 300);
  EXPECT_EQ(options.slot, (Slot{SlotKind::kSeconds, 3}));
  EXPECT_TRUE(options.by_share && options.log_trials && options.similar && options.per_second);
  EXPECT_TRUE(options.from_curve && options.short_warm_up);
  EXPECT_EQ(options.task_patience, 0);
}

TEST(DynatuneOptionsTest, FaithfulIsAsPublished) {
  const DynatuneOptions options = ReadDynatune("dynatune(mode=faithful)");
  EXPECT_EQ(options.worth, SlotWorth::kLatency);
  EXPECT_EQ(options.slot, (Slot{SlotKind::kSeconds, 20}));
  EXPECT_EQ(options.exploration, 2);
  EXPECT_EQ(options.records, 0);
  EXPECT_FALSE(options.by_share || options.log_trials || options.similar || options.per_second);
  EXPECT_FALSE(options.from_curve || options.short_warm_up);
  EXPECT_EQ(options.points, 0);
  EXPECT_EQ(options.task_patience, 50);
  EXPECT_EQ(options.curve_model.ensemble.walkers, 10);
}

TEST(DynatuneOptionsTest, EverySwitchCanBeSetInEitherMode) {
  const DynatuneOptions improved = ReadDynatune(
      "dynatune(weights=none,log_trials=false,similar=false,per_second=false,points=7,c=0.5,"
      "records=0.2,"
      "gain=best,short_warm_up=false,"
      "task_patience=9,warm_up=2,recency=true,score=speed,slot=turn)");
  EXPECT_FALSE(improved.by_share || improved.log_trials || improved.similar || improved.per_second);
  EXPECT_FALSE(improved.from_curve || improved.short_warm_up);
  EXPECT_EQ(improved.points, 7);
  EXPECT_EQ(improved.exploration, 0.5);
  EXPECT_EQ(improved.records, 0.2);
  EXPECT_EQ(improved.task_patience, 9);
  EXPECT_EQ(improved.warm_up, 2);
  EXPECT_TRUE(improved.curve_model.recency);
  EXPECT_EQ(improved.worth, SlotWorth::kSpeed);
  EXPECT_EQ(improved.slot, Slot());
  const DynatuneOptions faithful = ReadDynatune(
      "dynatune(mode=faithful,weights=share,log_trials=true,similar=true,per_second=true,"
      "score=improvement,gain=curve,short_warm_up=true)");
  EXPECT_TRUE(faithful.from_curve && faithful.short_warm_up);
  EXPECT_TRUE(faithful.by_share && faithful.log_trials && faithful.similar && faithful.per_second);
  EXPECT_EQ(faithful.worth, SlotWorth::kImprovement);
  EXPECT_EQ(ReadDynatune("dynatune(score=latency)").worth, SlotWorth::kLatency);
}

TEST(DynatuneOptionsTest, HasManyCurveModels) {
  const CurveModelOptions nine = ReadDynatune("dynatune(curve_model=nine)").curve_model;
  EXPECT_EQ(nine.families.size(), 9u);
  EXPECT_EQ(nine.ensemble.walkers, 100);
  EXPECT_EQ(nine.ensemble.steps, 2500);
  EXPECT_EQ(nine.ensemble.burn_in, 500);
  const CurveModelOptions few =
      ReadDynatune("dynatune(curve_model=nine,walkers=90,steps=200)").curve_model;
  EXPECT_EQ(few.ensemble.walkers, 90);
  EXPECT_EQ(few.ensemble.steps, 200);
  EXPECT_LT(few.ensemble.burn_in, 200) << "something is kept";
  EXPECT_EQ(ReadDynatune("dynatune(steps=50,burn_in=20)").curve_model.ensemble.burn_in, 20);
  const CurveModelOptions fit =
      ReadDynatune("dynatune(curve_model=pow2,fit=least_squares)").curve_model;
  EXPECT_THAT(fit.families, ElementsAre(CurveFamily::kPow2));
  EXPECT_FALSE(fit.samples);
}

TEST(DynatuneOptionsTest, TakesTheOldNameOfCurveModels) {
  EXPECT_THAT(ReadDynatune("dynatune(belief=pow2)").curve_model.families,
              ElementsAre(CurveFamily::kPow2));
  EXPECT_EQ(ComplaintAbout("dynatune(belief=pow2,curve_model=pow2)"),
            "scheduler 'dynatune': found 'curve_model' and its old name 'belief', expected one of "
            "them");
  const auto old = [](const char* text) { return OldNamesOfScheduler(ParseSpec(text).value()); };
  EXPECT_THAT(old("dynatune(steps=50,belief=nine)"),
              ElementsAre("scheduler: 'belief' is an old name of 'curve_model'"));
  EXPECT_TRUE(old("dynatune(curve_model=nine)").empty());
  EXPECT_TRUE(old("gradient(belief=nine)").empty());
}

TEST(DynatuneOptionsTest, SlotsOfTrialsRepeatUnlessSecondsAreAskedFor) {
  EXPECT_FALSE(ReadDynatune("dynatune(slot=trials(n=32))").per_second);
  EXPECT_TRUE(ReadDynatune("dynatune(slot=trials(n=32),per_second=true)").per_second);
  EXPECT_FALSE(ReadDynatune("dynatune(slot=turn)").per_second);
}

TEST(DynatuneOptionsTest, BadOnesAreRefused) {
  EXPECT_EQ(
      ComplaintAbout("dynatune(curve_model=logpower)"),
      "scheduler 'dynatune': unknown curve_model 'logpower': expected one of nine, weibull, pow4, "
      "mmf, pow3, loglog, janoschek, hill3, log_power, exp4, pow2 (did you mean "
      "'log_power'?)");
  EXPECT_EQ(ComplaintAbout("dynatune(slot=seconds(s=0))"),
            "scheduler 'dynatune': key 'slot' is seconds(s=0), expected seconds(s=S), more than 0 "
            "seconds");
  EXPECT_EQ(ComplaintAbout("dynatune(walkers=1)"),
            "scheduler 'dynatune': key 'walkers' is 1, expected an integer from 2 to 10000");
  EXPECT_EQ(ComplaintAbout("dynatune(steps=100,burn_in=100)"),
            "scheduler 'dynatune': key 'burn_in' is 100, expected an integer from 0 to 99");
  EXPECT_THAT(ComplaintAbout("dynatune(records=2)"), HasSubstr("key 'records' is 2.0, expected"));
  EXPECT_THAT(ComplaintAbout("dynatune(c=-1)"), HasSubstr("key 'c' is -1.0, expected a number"));
  EXPECT_THAT(ComplaintAbout("dynatune(mode=paper)"),
              HasSubstr("expected one of improved, faithful"));
  EXPECT_THAT(ComplaintAbout("dynatune(score=gain)"), HasSubstr("expected one of latency"));
  EXPECT_THAT(ComplaintAbout("dynatune(warm_up=0)"), HasSubstr("'warm_up' is 0"));
  EXPECT_THAT(ComplaintAbout("dynatune(walker=10)"), HasSubstr("'walker'"));
}

// The list of parameters has each option, and no others.
TEST(DynatuneOptionsTest, TheListNamesEachParameter) {
  std::string keys;
  try {
    ReadDynatune("dynatune(unknown=1)");
  } catch (const InputError& error) {
    keys = error.what();
  }
  std::string listed = kDynatuneParameters;
  for (size_t end; (end = listed.find('=')) != std::string::npos;) {
    const std::string key = listed.substr(0, end);
    EXPECT_THAT(keys, HasSubstr(key)) << "listed, but not read";
    const size_t next = listed.find(", ");
    listed = next == std::string::npos ? "" : listed.substr(next + 2);
  }
  for (const char* key : {"mode", "curve_model", "fit", "score", "slot", "weights", "points"}) {
    EXPECT_THAT(kDynatuneParameters, HasSubstr(std::string(key) + "="));
  }
}

}  // namespace
}  // namespace schedulegym
