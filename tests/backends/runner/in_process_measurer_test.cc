#include "backends/runner/in_process_measurer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>

#include "env/base/fault.h"
#include "tests/backends/runner/faulty_backend.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/fake_clock.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

constexpr const char* kProduct = R"(
input A[6, 8]
input B[8, 5]
C[i:6, j:5] = sum(k:8) A[i, k] * B[k, j]
)";

std::shared_ptr<const Task> TaskOf(const std::string& text) {
  return std::make_shared<const Task>(
      Task{DagOf(text), MakeTarget(ParseSpec("interpreter(cores=1)").value()), "test"});
}

// Kernels run in the interpreter; a call takes a set time on a fake clock.
class InProcessMeasurerTest : public testing::Test {
 protected:
  void SetUp() override { Pose(kProduct); }

  void Pose(const std::string& text) {
    task_ = TaskOf(text);
    Start(Protocol());
  }

  void Start(const Protocol& protocol) {
    InProcessOptions options;
    options.protocol = protocol;
    options.seed = 5;
    options.reference = [this](std::shared_ptr<const Task> task) {
      return ReplayText(std::move(task), reference_trace_).value();
    };
    options.make_backend = [this](const Target& target) {
      ++backends_;
      return std::make_unique<FaultyBackend>(target, misdeed_);
    };
    options.wall_clock = &wall_;
    options.cpu_clock = &cpu_;
    measurer_ = MakeInProcessMeasurer(std::move(options));
  }

  // Kernels compiled from now on take `seconds`.
  void Take(double seconds, double threads = 1) {
    misdeed_ = {};
    misdeed_.after_call = [this, seconds, threads](std::span<void* const>, int) {
      wall_.Advance(seconds);
      cpu_.Advance(seconds * threads);
    };
  }

  // Prepares the task: its reference takes 2 ms.
  void MeasureReference() {
    Take(2e-3);
    ASSERT_EQ(Measure().outcome, Outcome::kOk);
  }

  Measurement Measure(const std::string& trace = "trace 1\n", bool finalist = false) {
    const ScheduleState state = ReplayText(task_, trace).value();
    const Candidate candidate{state, finalist};
    return measurer_->Measure({&candidate, 1}).at(0);
  }

  // Measures a candidate whose kernel calls this after each call.
  Measurement MeasureWith(std::function<void(std::span<void* const>, int)> after_call) {
    MeasureReference();
    misdeed_ = {};
    misdeed_.after_call = std::move(after_call);
    return Measure();
  }

  FakeClock wall_, cpu_;
  Misdeed misdeed_;
  std::string reference_trace_ = "trace 1\n";
  std::shared_ptr<const Task> task_;
  std::unique_ptr<Measurer> measurer_;
  int backends_ = 0;
};

TEST_F(InProcessMeasurerTest, TimesACandidateAgainstTheReference) {
  MeasureReference();
  Take(1e-3);
  const Measurement measurement = Measure("trace 1\nsplit(stage=C, loop=0, lengths=[2])\n");
  ASSERT_EQ(measurement.outcome, Outcome::kOk) << measurement.message;
  ASSERT_TRUE(measurement.timing.has_value());
  EXPECT_NEAR(measurement.timing->ratio.median, 2, 1e-5);
  EXPECT_NEAR(measurement.timing->seconds, 1e-3, 1e-8);
  EXPECT_NEAR(measurement.timing->first_call_seconds, 1e-3, 1e-9);
  EXPECT_EQ(measurement.timing->samples.size(), 15u);
  EXPECT_EQ(measurement.timing->reference_samples.size(), 15u);
  EXPECT_FALSE(measurement.timing->early_reject);
  EXPECT_EQ(measurement.seed, 5u);
  // Before: dense and sparse integers, and reals. After: reals.
  EXPECT_NEAR(measurement.phases.verify, 4e-3, 1e-9);
  EXPECT_EQ(measurement.phases.compile, 0);
  EXPECT_GT(measurement.phases.measure, 15 * 3e-3);
  EXPECT_EQ(backends_, 1);
}

// max leaves NaN out: the output may not be NaN where the logarithm is NaN.
TEST_F(InProcessMeasurerTest, NansAreComparedAsDefined) {
  Pose("input X[6, 8]\nE[i:6, k:8] = max(-99.0, log(X[i, k]))\n");
  const Measurement wrong = MeasureWith([](std::span<void* const> arguments, int) {
    const auto* x = static_cast<const float*>(arguments[0]);
    auto* e = static_cast<float*>(arguments[1]);
    for (int i = 0; i < 48; ++i) e[i] = x[i] < 0 ? NAN : e[i];
  });
  EXPECT_EQ(wrong.outcome, Outcome::kWrongOutput);
  EXPECT_THAT(wrong.message, HasSubstr("is nan, expected -99.0"));
}

TEST_F(InProcessMeasurerTest, AnswersInOrder) {
  MeasureReference();
  Take(2e-3);
  const ScheduleState good = ScheduleState::Initial(task_);
  const std::vector<Candidate> candidates = {{good}, {good}, {good}};
  EXPECT_EQ(measurer_->Measure(candidates).size(), 3u);
  EXPECT_TRUE(measurer_->Measure({}).empty());
}

TEST_F(InProcessMeasurerTest, TheSlowAreRejectedEarlyUnlessTheyAreFinalists) {
  MeasureReference();
  Take(1e-3);
  ASSERT_EQ(Measure().outcome, Outcome::kOk);
  Take(2e-3);
  const Measurement rejected = Measure();
  EXPECT_EQ(rejected.outcome, Outcome::kOk);
  EXPECT_TRUE(rejected.timing->early_reject);
  // Twice as slow as the best is clear after three rounds; 1.5 times would take five.
  EXPECT_EQ(rejected.timing->samples.size(), 3u);
  EXPECT_NEAR(rejected.timing->ratio.median, 1, 1e-5);
  const Measurement final = Measure("trace 1\n", true);
  EXPECT_FALSE(final.timing->early_reject);
  EXPECT_EQ(final.timing->samples.size(), 101u);
}

TEST_F(InProcessMeasurerTest, FinalistsFollowTheProtocolToo) {
  Protocol brief;
  brief.final_rounds = 9;
  Start(brief);
  MeasureReference();
  EXPECT_EQ(Measure("trace 1\n", true).timing->samples.size(), 9u);
}

TEST_F(InProcessMeasurerTest, ThatNoReferenceIsCheckedInEveryCellIsToldOnce) {
  MeasureReference();
  const DeferredResults deferred_results = measurer_->TakeDeferredResults();
  ASSERT_EQ(deferred_results.warnings.size(), 1u);
  EXPECT_EQ(deferred_results.warnings[0].task, TaskKey(*task_));
  EXPECT_THAT(deferred_results.warnings[0].text,
              HasSubstr("no reference is checked in every cell"));
  EXPECT_TRUE(deferred_results.verified.empty());
  ASSERT_EQ(Measure().outcome, Outcome::kOk);
  EXPECT_TRUE(measurer_->TakeDeferredResults().warnings.empty());
}

// They are the reals of the gate.
TEST_F(InProcessMeasurerTest, WhatTheTimedInputsGiveIsCompared) {
  std::vector<float> compared;
  std::vector<float> timed;
  const Measurement measurement = MeasureWith([&](std::span<void* const> arguments, int call) {
    wall_.Advance(1e-3);
    const auto* inputs = static_cast<const float*>(arguments[0]);
    if (call == 2) compared.assign(inputs, inputs + 48);
    if (call == 9) timed.assign(inputs, inputs + 48);
  });
  ASSERT_EQ(measurement.outcome, Outcome::kOk) << measurement.message;
  EXPECT_FALSE(timed.empty());
  EXPECT_EQ(compared, timed);
}

TEST_F(InProcessMeasurerTest, ARatioThatStaysVagueIsNoisy) {
  // The sign test finds no middle of two times that are equally frequent.
  Protocol protocol;
  protocol.interval = IntervalRule::kSign;
  Start(protocol);
  MeasureReference();
  const auto unsteady = [this](std::span<void* const>, int call) {
    wall_.Advance(call % 2 == 0 ? 2e-3 : 18e-3);
  };
  misdeed_.after_call = unsteady;
  const Measurement vague = Measure();
  EXPECT_EQ(vague.outcome, Outcome::kNoisy);
  EXPECT_THAT(vague.message, HasSubstr("twice in a row"));
  EXPECT_FALSE(vague.timing.has_value());
  // A candidate that cannot reach the best is slow, even if its ratio is vague.
  Take(1e-5);
  ASSERT_EQ(Measure().outcome, Outcome::kOk);
  misdeed_.after_call = unsteady;
  EXPECT_EQ(Measure().outcome, Outcome::kOk);
}

TEST_F(InProcessMeasurerTest, AWrongElementIsNamed) {
  const Measurement measurement = MeasureWith(
      [](std::span<void* const> arguments, int) { static_cast<float*>(arguments[2])[7] += 1; });
  EXPECT_EQ(measurement.outcome, Outcome::kWrongOutput);
  EXPECT_THAT(measurement.message, HasSubstr("C[1, 2] is "));
  EXPECT_THAT(measurement.message, HasSubstr("(small integers)"));
  EXPECT_FALSE(measurement.timing.has_value());
}

TEST_F(InProcessMeasurerTest, AnErrorOfRealsAloneIsFound) {
  // Right on integers; wrong by a part in ten thousand on all other inputs.
  const Measurement measurement = MeasureWith([](std::span<void* const> arguments, int) {
    float& value = static_cast<float*>(arguments[2])[29];
    if (value != std::floor(value)) value *= 1.0001f;
  });
  EXPECT_EQ(measurement.outcome, Outcome::kWrongOutput);
  EXPECT_THAT(measurement.message, HasSubstr("C[5, 4] is "));
  EXPECT_THAT(measurement.message, HasSubstr(" within "));
}

TEST_F(InProcessMeasurerTest, AnElementLeftOutIsNamed) {
  const Measurement measurement = MeasureWith([](std::span<void* const> arguments, int) {
    std::memset(static_cast<float*>(arguments[2]) + 3, 0xFF, sizeof(float));
  });
  EXPECT_EQ(measurement.outcome, Outcome::kWrongOutput);
  EXPECT_THAT(measurement.message, HasSubstr("C[0, 3] was not written"));
}

TEST_F(InProcessMeasurerTest, WritesBesideTheOutputAreFound) {
  const auto beside = [](std::span<void* const> arguments, int) {
    static_cast<float*>(arguments[2])[30] = 0;
  };
  const Measurement measurement = MeasureWith(beside);
  EXPECT_EQ(measurement.outcome, Outcome::kOobWrite);
  EXPECT_THAT(measurement.message, HasSubstr("output C"));
  // The next candidate is not affected.
  Take(1e-3);
  EXPECT_EQ(Measure().outcome, Outcome::kOk);
}

TEST_F(InProcessMeasurerTest, WritesToInputsAreFoundAndRepaired) {
  const Measurement measurement = MeasureWith(
      [](std::span<void* const> arguments, int) { static_cast<float*>(arguments[0])[1] += 3; });
  EXPECT_EQ(measurement.outcome, Outcome::kOobWrite);
  EXPECT_THAT(measurement.message, HasSubstr("input"));
  Take(1e-3);
  EXPECT_EQ(Measure().outcome, Outcome::kOk);
}

TEST_F(InProcessMeasurerTest, WhatGoesWrongWhileTimingIsFoundAfterwards) {
  const Measurement measurement = MeasureWith([this](std::span<void* const> arguments, int call) {
    wall_.Advance(1e-3);
    if (call > 10) static_cast<float*>(arguments[2])[0] = 100;
  });
  EXPECT_EQ(measurement.outcome, Outcome::kWrongOutput);
  EXPECT_FALSE(measurement.timing.has_value());
  EXPECT_GT(measurement.phases.measure, 0);
}

TEST_F(InProcessMeasurerTest, OneBitThatChangesIsNondeterministic) {
  const Measurement measurement = MeasureWith([this](std::span<void* const> arguments, int call) {
    wall_.Advance(1e-3);
    uint32_t bits = 0;
    std::memcpy(&bits, arguments[2], 4);
    bits ^= call > 10 ? 1 : 0;
    std::memcpy(arguments[2], &bits, 4);
  });
  EXPECT_EQ(measurement.outcome, Outcome::kNondeterministic) << measurement.message;
}

TEST_F(InProcessMeasurerTest, FailuresToCompileAndToRunAreTyped) {
  MeasureReference();
  misdeed_ = {.compile_error = Error{ErrorKind::kCompile, "too many registers"}};
  Measurement measurement = Measure();
  EXPECT_EQ(measurement.outcome, Outcome::kCompileError);
  EXPECT_EQ(measurement.message, "too many registers");
  misdeed_ = {.compile_error = InvalidSchedule("too large")};
  EXPECT_EQ(Measure().outcome, Outcome::kInvalidSchedule);
  misdeed_ = {.run_error = Error{ErrorKind::kRun, "read of a cell that nothing wrote"}};
  measurement = Measure();
  EXPECT_EQ(measurement.outcome, Outcome::kWrongOutput);
  EXPECT_EQ(measurement.message, "read of a cell that nothing wrote");
  misdeed_ = {.out_of_memory = true};
  EXPECT_EQ(Measure().outcome, Outcome::kOutOfMemory);
}

TEST_F(InProcessMeasurerTest, TimesThatNoMachineReachesAreImpossible) {
  Protocol protocol;
  protocol.sample_seconds = protocol.warmup_seconds = 1e-12;
  Start(protocol);
  MeasureReference();
  Take(0);
  const Measurement measurement = Measure();
  EXPECT_EQ(measurement.outcome, Outcome::kImpossibleTime);
  EXPECT_FALSE(measurement.timing.has_value());
}

TEST_F(InProcessMeasurerTest, AReferenceThatIsWrongIsABug) {
  misdeed_.after_call = [](std::span<void* const> arguments, int) {
    static_cast<float*>(arguments[2])[0] += 1;
  };
  EXPECT_THROW(Measure(), std::logic_error);
}

TEST_F(InProcessMeasurerTest, ATaskThatCannotBeCompiledIsTheUsersFault) {
  misdeed_.compile_error = Error{ErrorKind::kUnsupported, "no f16 here"};
  try {
    Measure();
    FAIL() << "measured what cannot be compiled";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no f16 here"));
  }
}

TEST_F(InProcessMeasurerTest, ComputationsThatAreNeverExactAreBounded) {
  Pose(R"(
input X[4, 9]
M[i:4] = max(j:9) X[i, j]
E[i:4, j:9] = exp(X[i, j] - M[i])
S[i:4] = sum(j:9) E[i, j]
Y[i:4, j:9] = E[i, j] / S[i]
)");
  MeasureReference();
  Take(2e-3);
  EXPECT_NEAR(Measure().phases.verify, 2 * 2e-3, 1e-9);
  misdeed_.after_call = [](std::span<void* const> arguments, int) {
    static_cast<float*>(arguments[1])[8] *= 1.00003f;
  };
  const Measurement measurement = Measure();
  EXPECT_EQ(measurement.outcome, Outcome::kWrongOutput);
  EXPECT_THAT(measurement.message, HasSubstr("Y[0, 8]"));
}

TEST_F(InProcessMeasurerTest, LogarithmsGetPositiveInputs) {
  Pose("input X[50]\nY[i:50] = log(X[i]) * 0.5\n");
  MeasureReference();
  misdeed_.after_call = [](std::span<void* const> arguments, int) {
    for (int i = 0; i < 50; ++i) EXPECT_GT(static_cast<const float*>(arguments[0])[i], 0);
    static_cast<float*>(arguments[1])[49] += 1e-5f;
  };
  EXPECT_EQ(Measure().outcome, Outcome::kWrongOutput);
}

TEST_F(InProcessMeasurerTest, IntegersAreExact) {
  Pose("input X[20]: i8\nY[i:4] = sum(k:17) i32(X[i + k]) * i32(X[k]) // 3\n");
  MeasureReference();
  Take(1e-3);
  EXPECT_EQ(Measure().outcome, Outcome::kOk);
  misdeed_.after_call = [](std::span<void* const> arguments, int) {
    static_cast<int32_t*>(arguments[1])[2] += 1;
  };
  EXPECT_EQ(Measure().outcome, Outcome::kWrongOutput);
}

TEST_F(InProcessMeasurerTest, PackedWeightsArePackedForEverySetOfInputs) {
  Pose(R"(
input A[6, 8]
weight B[8, 6]
C[i:6, j:6] = sum(k:8) A[i, k] * B[k, j]
)");
  MeasureReference();
  Take(1e-3);
  const Measurement measurement = Measure(
      "trace 1\nsplit(stage=C, loop=1, lengths=[3])\npack(stage=B, readers=[C], tile=[1, 3], "
      "order=[1, 0, 2])\n");
  EXPECT_EQ(measurement.outcome, Outcome::kOk) << measurement.message;
}

constexpr const char* kParallel = "trace 1\nparallel(stage=C, loop=0)\n";

TEST_F(InProcessMeasurerTest, AKernelThatDidNotGetItsCoresIsTimedAgainAndMarked) {
  task_ = std::make_shared<const Task>(
      Task{DagOf(kProduct), MakeTarget(ParseSpec("interpreter(cores=2)").value()), "test"});
  Protocol patient;
  patient.reject_rounds = 0;  // the second takes as many rounds as the first, which is as good
  Start(patient);
  MeasureReference();
  Take(1e-3, 1);
  const Measurement starved = Measure(kParallel);
  ASSERT_EQ(starved.outcome, Outcome::kOk) << starved.message;
  EXPECT_TRUE(starved.timing->short_of_threads);
  EXPECT_NEAR(starved.timing->cpu_per_wall, 1, 1e-6);
  Take(1e-3, 2);
  const Measurement served = Measure(kParallel);
  EXPECT_FALSE(served.timing->short_of_threads);
  EXPECT_NEAR(served.timing->cpu_per_wall, 2, 1e-6);
  EXPECT_NEAR(starved.phases.measure / served.phases.measure, 2, 0.2);
  Take(1e-3, 1);
  EXPECT_FALSE(Measure().timing->short_of_threads);
}

TEST_F(InProcessMeasurerTest, AReferenceThatAloneLostItsCoresSaysNothing) {
  task_ = std::make_shared<const Task>(
      Task{DagOf(kProduct), MakeTarget(ParseSpec("interpreter(cores=2)").value()), "test"});
  reference_trace_ = kParallel;
  Start(Protocol());
  double seconds = 2e-3, threads = 2;  // of the reference, from the next call on
  misdeed_.after_call = [&](std::span<void* const>, int) {
    wall_.Advance(seconds);
    cpu_.Advance(seconds * threads);
  };
  ASSERT_EQ(Measure(kParallel).outcome, Outcome::kOk);
  Take(1e-3, 1);
  seconds = 60e-3, threads = 1;
  const Measurement disturbed = Measure();
  EXPECT_EQ(disturbed.outcome, Outcome::kNoisy) << "not 60 times as fast";
  EXPECT_THAT(disturbed.message, HasSubstr("the reference did not get its cores"));
  EXPECT_EQ(Measure(kParallel).outcome, Outcome::kOk) << "both are slow alike";
  seconds = 3e-3;
  EXPECT_EQ(Measure().outcome, Outcome::kOk) << "less than twice its time";
  seconds = 60e-3, threads = 2;
  EXPECT_EQ(Measure().outcome, Outcome::kOk) << "it had its cores";
}

TEST_F(InProcessMeasurerTest, TasksAreKeptApart) {
  const auto first = task_;
  MeasureReference();
  task_ = TaskOf("input X[50]\nY[i:50] = X[i] + 1\n");
  Take(4e-3);
  EXPECT_EQ(Measure().outcome, Outcome::kOk);
  Take(2e-3);
  EXPECT_NEAR(Measure().timing->ratio.median, 2, 1e-5);
  task_ = first;
  EXPECT_NEAR(Measure().timing->ratio.median, 1, 1e-5);
}

// Cut off in the call of this number, counted over all calls of the candidate.
class CutOffTest : public InProcessMeasurerTest {
 protected:
  Outcome OutcomeAtCall(int last) {
    bool over = false;
    misdeed_ = {};
    misdeed_.after_call = [&, last](std::span<void* const>, int call) {
      wall_.Advance(1e-3);
      over = over || call == last;
    };
    const Candidate candidate = {.state = ScheduleState::Initial(task_),
                                 .end = [&] { return over; }};
    return measurer_->Measure({&candidate, 1}).at(0).outcome;
  }
};

TEST_F(CutOffTest, WhereverItStands) {
  MeasureReference();
  // In the gates, then during timing.
  EXPECT_EQ(OutcomeAtCall(0), Outcome::kCutOff);
  EXPECT_EQ(OutcomeAtCall(9), Outcome::kCutOff);
  EXPECT_EQ(OutcomeAtCall(-1), Outcome::kOk);
}

// Nothing of a half prepared task is kept.
TEST_F(CutOffTest, WhileItsTaskIsPrepared) {
  EXPECT_EQ(OutcomeAtCall(0), Outcome::kCutOff);
  MeasureReference();
}

}  // namespace
}  // namespace schedulegym
