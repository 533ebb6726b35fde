#include "experiments/cli/tune/tune_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/measure/measurement.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;

std::shared_ptr<const TaskInfo> SomeTask() {
  auto task = std::make_shared<TaskInfo>();
  task->key = {0x1, 0xab};
  task->workload = "matmul(m=2)";
  task->target = "llvm(cores=77)";
  return task;
}

constexpr const char* kKey = "000000000000000100000000000000ab";

constexpr const char* kReproduce =
    "schedulegym replay 'matmul(m=2)' --target 'llvm(cores=77)' --store my.db "
    "--record 0123456789abcdef0123456789abcdef";

ReproduceWords Words() { return {"schedulegym", "my.db"}; }

Record SomeRecord(Outcome outcome) {
  Record record;
  record.id = "0123456789abcdef0123456789abcdef";
  record.task = SomeTask();
  record.trace = "trace 1\nparallel(stage=C, loop=0)\n";
  record.index = 7;
  record.measurement.outcome = outcome;
  if (outcome == Outcome::kOk) {
    Timing timing;
    timing.seconds = 0.002;
    timing.ratio = {1.5, 1.25, 1.75};
    record.measurement.timing = timing;
  } else {
    record.measurement.message = "C[0] is 1, expected 2";
    record.measurement.stderr_tail = "last\nwords\n";
  }
  return record;
}

TEST(TuneEventsTest, StartNamesTheTask) {
  EXPECT_EQ(ToJson(StartFields({SomeTask(), "random", 3, "box", 17, {}})),
            std::string(R"-({"workload":"matmul(m=2)","task":")-") + kKey +
                R"-(","target":"llvm(cores=77)","agent":"random","seed":3,"host":"box",)-"
                R"-("known":17,"known_best_seconds":null})-");
  EXPECT_THAT(ToJson(StartFields({SomeTask(), "random", 3, "box", 17, SomeRecord(Outcome::kOk)})),
              HasSubstr(R"-("known_best_seconds":0.002})-"));
}

TEST(TuneEventsTest, WhatIsKnownIsSaidInWords) {
  EXPECT_EQ(KnownText({SomeTask(), "random", 3, "box", 17, SomeRecord(Outcome::kOk)}),
            "17 known records of this task, best 2.000 ms, 1.500 of the reference's speed "
            "(1.250 to 1.750): faster");
  EXPECT_EQ(KnownText({SomeTask(), "random", 3, "box", 2, {}}),
            "2 known records of this task, no success");
}

TEST(TuneEventsTest, ASuccessfulTrialCarriesItsNumbers) {
  const Record record = SomeRecord(Outcome::kOk);
  EXPECT_EQ(ToJson(TrialFields({record, 4.0, record, 1.5, 8}, Words())),
            std::string(R"-({"task":")-") + kKey +
                R"-(","index":7,"outcome":"ok","seconds":0.002,"gflops":4.0,"ratio":1.5,)-"
                R"-("ratio_low":1.25,"ratio_high":1.75,)-"
                R"-("record":"0123456789abcdef0123456789abcdef","best_seconds":0.002,)-"
                R"-("elapsed":1.5,"verdict":"faster","message":null,"stderr":null,)-"
                R"-("reproduce":null,"best_known_seconds":0.002})-");
}

// A record 1.5 times as fast as SomeRecord's.
Record EarlierBest() {
  Record record = SomeRecord(Outcome::kOk);
  record.id = "fedcba9876543210fedcba9876543210";
  record.trace = "trace 1\nvectorize(stage=C, loop=0)\n";
  record.measurement.timing->seconds = 0.001;
  record.measurement.timing->ratio = {3, 2.5, 3.5};
  return record;
}

TEST(TuneEventsTest, ATrialTellsTheBetterOfWhatWasFoundAndKnown) {
  const Record record = SomeRecord(Outcome::kOk), earlier = EarlierBest();
  const std::string json = ToJson(TrialFields({record, 4.0, record, 1.5, 8, &earlier}, Words()));
  EXPECT_THAT(json, HasSubstr(R"-("best_seconds":0.002)-"));
  EXPECT_THAT(json, HasSubstr(R"-("best_known_seconds":0.001})-"));
  const std::string other = ToJson(TrialFields({record, 4.0, earlier, 1.5, 8, &record}, Words()));
  EXPECT_THAT(other, HasSubstr(R"-("best_seconds":0.001)-"));
  EXPECT_THAT(other, HasSubstr(R"-("best_known_seconds":0.001})-"));
}

TEST(TuneEventsTest, TheLineOfProgressTellsBothBests) {
  const Record record = SomeRecord(Outcome::kOk), earlier = EarlierBest();
  EXPECT_EQ(ProgressBest({}, nullptr), "");
  EXPECT_EQ(ProgressBest(record, nullptr), "2.000 ms, 1.50 of the reference's speed");
  EXPECT_EQ(ProgressBest({}, &earlier), "known 1.000 ms");
  EXPECT_EQ(ProgressBest(record, &earlier),
            "of this run 2.000 ms, 1.50 of the reference's speed, best known 1.000 ms");
  EXPECT_EQ(ProgressBest(earlier, &record),
            "of this run 1.000 ms, 3.00 of the reference's speed, best known 1.000 ms");
}

TEST(TuneEventsTest, AFailedTrialHasNulls) {
  const Record record = SomeRecord(Outcome::kWrongOutput);
  const std::string json =
      ToJson(TrialFields({record, std::nullopt, std::nullopt, 1.5, 8}, Words()));
  EXPECT_THAT(json, HasSubstr(R"-("outcome":"wrong_output","seconds":null,"gflops":null,)-"
                              R"-("ratio":null,"ratio_low":null,"ratio_high":null)-"));
  EXPECT_THAT(json, HasSubstr(R"-("best_seconds":null)-"));
  EXPECT_THAT(json, HasSubstr(R"-("verdict":null,"message":"C[0] is 1, expected 2",)-"
                              R"-("stderr":"last\nwords\n","reproduce":")-"));
  EXPECT_THAT(json, HasSubstr(kReproduce));
}

DoneEvent SomeDone() {
  DoneEvent event;
  event.task = SomeTask();
  event.trials = 3;
  event.ok = 1;
  event.failed = {{Outcome::kCompileError, 2}};
  event.first_failed = {{Outcome::kCompileError, SomeRecord(Outcome::kCompileError)}};
  event.elapsed = 12.5;
  event.stopped = StopReason::kInterrupted;
  event.best = SomeRecord(Outcome::kOk);
  event.best_gflops = 4.0;
  event.time = {0.125, 0.5, 1, 2, 4, 0.25, 8, 0, 1, 2, 5};
  return event;
}

TEST(TuneEventsTest, DoneCarriesEverything) {
  EXPECT_EQ(
      ToJson(DoneFields(SomeDone(), Words())),
      std::string(R"-({"task":")-") + kKey +
          R"-(","workload":"matmul(m=2)","trials":3,"ok":1,"failed":{"compile_error":2},)-"
          R"-("elapsed":12.5,"stopped":"interrupted","best":{"seconds":0.002,"gflops":4.0,)-"
          R"-("ratio":1.5,"ratio_low":1.25,"ratio_high":1.75,)-"
          R"-("trace":"trace 1\nparallel(stage=C, loop=0)\n",)-"
          R"-("record":"0123456789abcdef0123456789abcdef","verdict":"faster",)-"
          R"-("source":"search","verified":false},)-"
          R"-("time":{"propose":0.5,"compile":1.0,"verify":2.0,"measure":4.0,"store":0.25,)-"
          R"-("schedule":0.125,"wait":8.0,"other":0.0,"wait_lock":1.0,"wait_calm":2.0,"wait_workers":5.0},)-"
          R"-("failures":[{"outcome":"compile_error","message":"C[0] is 1, expected 2",)-"
          R"-("stderr":"last\nwords\n","record":"0123456789abcdef0123456789abcdef",)-"
          R"-("reproduce":")-" +
          kReproduce +
          R"-("}],"refined":null,"finalists":0,"best_known":{"seconds":0.002,"gflops":4.0,)-"
          R"-("ratio":1.5,"ratio_low":1.25,"ratio_high":1.75,)-"
          R"-("trace":"trace 1\nparallel(stage=C, loop=0)\n",)-"
          R"-("record":"0123456789abcdef0123456789abcdef","verdict":"faster",)-"
          R"-("source":"search","verified":false}})-")
      << "nothing better was known";
}

TEST(TuneEventsTest, AResumedSearchTellsWhatItFoundAndWhatIsKnown) {
  DoneEvent event = SomeDone();
  event.known = 208;
  event.best_known = event.best;
  EXPECT_THAT(DoneText(event, Words()),
              HasSubstr("\n  best of this run  2.000 ms, 4.000 GFLOP/s, 1.500 of the"));
  EXPECT_THAT(DoneText(event, Words()), HasSubstr("\n  best known        the same: "));
  event.best_known = EarlierBest();
  event.best_known_gflops = 8;
  const std::string text = DoneText(event, Words());
  EXPECT_THAT(text, HasSubstr("\n  best of this run  2.000 ms, 4.000 GFLOP/s, 1.500 of the"));
  EXPECT_THAT(text, HasSubstr("\n  best known        1.000 ms, 8.000 GFLOP/s, 3.000 of the "
                              "reference's speed (2.500 to 3.500): faster, of an earlier search\n"
                              "  record  fedcba9876543210fedcba9876543210\n"));
  EXPECT_THAT(text, HasSubstr("\n  trace of the best known\n    trace 1\n    vectorize("));
  EXPECT_THAT(text, Not(HasSubstr("parallel")));
  EXPECT_THAT(ToJson(DoneFields(event, Words())),
              HasSubstr(R"-("best_known":{"seconds":0.001,"gflops":8.0,"ratio":3.0,)-"
                        R"-("ratio_low":2.5,"ratio_high":3.5,)-"
                        R"-("trace":"trace 1\nvectorize(stage=C, loop=0)\n",)-"
                        R"-("record":"fedcba9876543210fedcba9876543210","verdict":"faster",)-"
                        R"-("source":"known","verified":false}})-"));
  event.best.reset();
  EXPECT_THAT(DoneText(event, Words()), HasSubstr("\n  best of this run  none\n  best known  "));
}

TEST(TuneEventsTest, WhetherTheReferenceWasCheckedWholeIsSaid) {
  DoneEvent event = SomeDone();
  EXPECT_THAT(DoneText(event, Words()), HasSubstr("was not checked in every cell yet\n"));
  event.verified = true;
  EXPECT_THAT(DoneText(event, Words()), Not(HasSubstr("every cell")));
  EXPECT_THAT(ToJson(DoneFields(event, Words())), HasSubstr(R"-("verified":true})-"));
}

TEST(TuneEventsTest, WhatWasNotMeasuredIsSaid) {
  DoneEvent event = SomeDone();
  auto session = std::make_shared<MeasuringSession>();
  session->protocol = kAnalyticalName;
  event.best->measurement.session = session;
  EXPECT_THAT(DoneText(event, Words()),
              HasSubstr("  note    not measured: told by measurer analytical\n"));
  EXPECT_THAT(DoneText(event, Words()), Not(HasSubstr("every cell")));
}

TEST(TuneEventsTest, WhatWasMeasuredAgainIsSaid) {
  DoneEvent event = SomeDone();
  EXPECT_THAT(DoneText(event, Words()), Not(HasSubstr("again")));
  event.finalists = 1;
  EXPECT_THAT(DoneText(event, Words()), HasSubstr("\n  again   the best measured once more"));
  event.finalists = 3;
  EXPECT_THAT(DoneText(event, Words()), HasSubstr("\n  again   the best 3 measured once more"));
  EXPECT_THAT(ToJson(DoneFields(event, Words())), HasSubstr(R"-("finalists":3,)-"));
}

TEST(TuneEventsTest, WhatWasRefinedSaysWhatItGained) {
  DoneEvent event = SomeDone();
  EXPECT_THAT(DoneText(event, Words()), Not(HasSubstr("droplet")));
  event.refined = {.speed = 1.0234, .trials = 37, .agent = "ansor(epsilon=0.1)", .after = 300};
  EXPECT_THAT(ToJson(DoneFields(event, Words())),
              HasSubstr(R"-(,"refined":{"gain":1.0234,"trials":37,"after":300,)-"
                        R"-("agent":"ansor(epsilon=0.1)"},)-"));
  EXPECT_THAT(DoneText(event, Words()),
              HasSubstr("\n  droplet 1.023 of the best after 300 trials of ansor(epsilon=0.1), by "
                        "37 trials\n"));
  event.refined->speed.reset();
  EXPECT_THAT(ToJson(DoneFields(event, Words())), HasSubstr(R"-("refined":{"gain":null,)-"));
  EXPECT_THAT(DoneText(event, Words()), HasSubstr("droplet unknown speed of the best after 300"));
}

TEST(TuneEventsTest, AReferenceThatWinsIsSaidToBeOne) {
  DoneEvent event = SomeDone();
  event.source = BestSource::kReference;
  event.best->measurement.timing->ratio = RatioInterval();
  EXPECT_THAT(
      ToJson(DoneFields(event, Words())),
      HasSubstr(R"-("record":null,"verdict":"same","source":"reference","verified":false})-"));
  const std::string text = DoneText(event, Words());
  EXPECT_THAT(text,
              HasSubstr("\n  best    2.000 ms, 4.000 GFLOP/s: the reference schedule, nothing "
                        "that was found is faster\n"));
  EXPECT_THAT(text, Not(HasSubstr("  record")));
  event.reference_record = "89abcdef";
  EXPECT_THAT(ToJson(DoneFields(event, Words())), HasSubstr(R"-("record":"89abcdef")-"));
  EXPECT_THAT(text, HasSubstr("    parallel(stage=C, loop=0)\n"));
}

TEST(TuneEventsTest, ASearchThatWouldHaveGoneOnSaysSo) {
  DoneEvent event = SomeDone();
  for (StopReason reason : {StopReason::kSeconds, StopReason::kInterrupted}) {
    event.stopped = reason;
    EXPECT_THAT(DoneText(event, Words()),
                HasSubstr(StopReasonName(reason) + std::string(", cut short\n")));
  }
  event.stopped = StopReason::kTrials;
  EXPECT_THAT(DoneText(event, Words()), HasSubstr("stopped: trials\n"));
}

TEST(TuneEventsTest, WithoutASuccessBestIsNull) {
  DoneEvent event = SomeDone();
  event.best.reset();
  event.failed.clear();
  event.first_failed.clear();
  const std::string json = ToJson(DoneFields(event, Words()));
  EXPECT_THAT(json, HasSubstr(R"-("failed":{})-"));
  EXPECT_THAT(json, HasSubstr(R"-("best":null)-"));
  EXPECT_THAT(DoneText(event, Words()), HasSubstr("best    none"));
  EXPECT_THAT(DoneText(event, Words()), Not(HasSubstr("trace")));
}

TEST(TuneEventsTest, WhatHasNoRecordHasNoCommand) {
  DoneEvent event = SomeDone();
  event.first_failed.at(Outcome::kCompileError).id = "";
  EXPECT_THAT(ToJson(DoneFields(event, Words())), HasSubstr(R"-("record":null,"reproduce":null)-"));
  EXPECT_THAT(DoneText(event, Words()), Not(HasSubstr("replay")));
}

TEST(TuneEventsTest, PeopleReadTheSame) {
  const std::string text = DoneText(SomeDone(), Words());
  EXPECT_THAT(text, HasSubstr("matmul(m=2)\n  best    2.000 ms, 4.000 GFLOP/s, 1.500 of the "
                              "reference's speed (1.250 to 1.750): faster\n"));
  EXPECT_THAT(text, HasSubstr("3 (1 ok, 2 compile_error) in 12.50 s, stopped: interrupted"));
  EXPECT_THAT(text,
              HasSubstr("  failed  compile_error: C[0] is 1, expected 2\n    last\n    words\n" +
                        ("          " + std::string(kReproduce) + "\n")));
  EXPECT_THAT(text, HasSubstr("    parallel(stage=C, loop=0)\n"));
}

TEST(TuneEventsTest, PausesAreToldBesideThePhases) {
  EXPECT_THAT(
      DoneText(SomeDone(), Words()),
      HasSubstr("measure 4.000 s, store 250.0 ms, wait 8.000 s (lock 1.000 s, calm 2.000 s, "
                "workers 5.000 s), other 0 s\n"));
}

TEST(TuneEventsTest, TheTraceComesLastOrNotAtAll) {
  EXPECT_THAT(DoneText(SomeDone(), Words()),
              testing::EndsWith("  trace\n    trace 1\n    parallel(stage=C, loop=0)\n"));
  EXPECT_THAT(DoneText(SomeDone(), Words(), false), Not(HasSubstr("trace")));
}

TEST(TuneEventsTest, ABestThatDidNotStandSaysWhy) {
  const RevisedEvent event = {
      0, SomeTask(), EarlierBest(), SomeRecord(Outcome::kOk), "measured again", 7};
  EXPECT_EQ(RevisedText(event),
            "matmul(m=2): best 1.000 ms did not stand (measured again): best known now 2.000 ms");
  EXPECT_EQ(ToJson(RevisedFields(event)),
            std::string(R"-({"task":")-") + kKey +
                R"-(","workload":"matmul(m=2)","before_seconds":0.001,)-"
                R"-("best_known_seconds":0.002,"why":"measured again","elapsed":7.0})-");
  EXPECT_EQ(RevisedText({0, SomeTask(), EarlierBest(), {}, "it failed", 7}),
            "matmul(m=2): best 1.000 ms did not stand (it failed): best known now none");
}

TEST(TuneEventsTest, ASchedulerSaysWhatItsChoicesTook) {
  std::vector<DoneEvent> done(2);
  done[0].time.schedule = 0.25;
  done[1].time.schedule = 0.5;
  EXPECT_EQ(ToJson(SchedulerFields("dynatune", FitCounts{9, 2}, done)),
            R"-({"scheduler":"dynatune","seconds":0.75,"fits":9,"fallbacks":2})-");
  EXPECT_EQ(ToJson(SchedulerFields("linear", std::nullopt, done)),
            R"-({"scheduler":"linear","seconds":0.75,"fits":null,"fallbacks":null})-");
  EXPECT_EQ(SchedulerText("dynatune", FitCounts{9, 2}, done),
            "scheduler dynatune: chose for 750.0 ms, 9 curves fitted, 2 of them in vain\n");
  EXPECT_EQ(SchedulerText("linear", std::nullopt, done), "scheduler linear: chose for 750.0 ms\n");
}

}  // namespace
}  // namespace schedulegym
