// Results ten times as fast as the best known are verified again, on fresh inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "backends/runner/verification/reference_outputs.h"
#include "env/program/language/parser.h"
#include "env/schedule/state.h"
#include "tests/hostile/checker_place.h"
#include "tests/support/busy_machine.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

// A[0] of a checker's reals for a seed, and of its inputs for timing.
struct KnownCells {
  float verified = 0;
  float timed = 0;
};
KnownCells CellsOf(uint64_t seed) {
  const auto task = std::make_shared<const Task>(
      Task{ParseDag(kHostileDag, "hostile").value(),
           MakeTarget(ParseSpec("interpreter(cores=1)").value()), "hostile"});
  const ReferenceFunction reference = [](std::shared_ptr<const Task> any) {
    return ScheduleState::Initial(std::move(any));
  };
  const std::unique_ptr<Backend> backend = MakeBackend(task->target);
  const ReferenceOutputs reference_outputs(task, {*backend, reference}, seed);
  std::vector<AlignedBuffer> inputs = MakeBuffers(reference_outputs.InputBytes());
  KnownCells cells;
  reference_outputs.Fill(reference_outputs.size() - 1, PointersTo(inputs));
  cells.verified = inputs[0].As<float>()[0];
  reference_outputs.FillForTiming(PointersTo(inputs));
  cells.timed = inputs[0].As<float>()[0];
  return cells;
}

void Replace(float placeholder, float cell, std::string& object) {
  std::string found(sizeof placeholder, '\0'), wanted(sizeof cell, '\0');
  std::memcpy(found.data(), &placeholder, sizeof placeholder);
  std::memcpy(wanted.data(), &cell, sizeof cell);
  const size_t place = object.find(found);
  ASSERT_NE(place, std::string::npos);
  ASSERT_EQ(object.find(found, place + 1), std::string::npos);
  object.replace(place, sizeof cell, wanted);
}

// known_answers.c, with the answers to these reals.
std::string ObjectThatKnows(const KnownCells& cells) {
  std::string object = CandidateObject("known_answers");
  Replace(12345678.0f, cells.verified, object);
  Replace(87654320.0f, cells.timed, object);
  return object;
}

TEST(OutlierCheckTruePathTest, KnownAnswersDoNotHelpWhereTheyMakeFast) {
  CheckerPlace place(1, PatientLimits(), CandidateObject("slow_reference"));
  const Measurement found =
      place.MeasureCalmly(ObjectThatKnows(CellsOf(kWorkerPoolSeed)), false, 1.0);
  if (IsNoise(found)) GTEST_SKIP() << "busy: " << found.message;
  EXPECT_EQ(found.outcome, Outcome::kWrongOutput) << found.message;
  EXPECT_THAT(found.message, HasSubstr("on fresh inputs"));
  EXPECT_THAT(found.message, HasSubstr("times as fast as the best so far"));
  EXPECT_FALSE(found.timing.has_value());
}

// A control for the suspicion: accepted if the best so far has the same speed.
TEST(OutlierCheckTruePathTest, KnownAnswersPassTheUsualInputs) {
  CheckerPlace place(1, PatientLimits(), CandidateObject("slow_reference"));
  const Measurement found = place.MeasureCalmly(ObjectThatKnows(CellsOf(kWorkerPoolSeed)));
  EXPECT_EQ(found.outcome, Outcome::kOk) << found.message;
  const Measurement other = place.MeasureCalmly(ObjectThatKnows(CellsOf(kWorkerPoolSeed + 1)));
  EXPECT_EQ(other.outcome, Outcome::kWrongOutput);
}

TEST(OutlierCheckTruePathTest, WhatIsWrongWhereItIsTimedIsFoundOut) {
  CheckerPlace place(1, PatientLimits(), CandidateObject("slow_reference"));
  KnownCells cells = CellsOf(kWorkerPoolSeed);
  cells.timed = 0;
  const Measurement found = place.MeasureCalmly(ObjectThatKnows(cells));
  EXPECT_EQ(found.outcome, Outcome::kWrongOutput);
  EXPECT_THAT(found.message, HasSubstr("C[0] is 1.0, expected"));
}

TEST(OutlierCheckTruePathTest, HonestSpeedIsBelievedAfterASecondLook) {
  CheckerPlace place(1, PatientLimits(), CandidateObject("slow_reference"));
  const Measurement found = place.MeasureCalmly(CandidateObject("good"), false, 1.0);
  SG_ASSERT_OK_OR_SKIP_NOISE(found);
  EXPECT_GT(found.timing->ratio.median, 10);
  // The checker continues with the usual inputs.
  EXPECT_EQ(place.MeasureCalmly(CandidateObject("good")).outcome, Outcome::kOk);
  EXPECT_EQ(place.deaths(), 0);
}

}  // namespace
}  // namespace schedulegym
