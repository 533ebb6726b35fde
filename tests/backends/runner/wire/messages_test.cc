#include "backends/runner/wire/messages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "backends/runner/wire/task_text.h"
#include "env/base/fault.h"
#include "env/ipc/encoding.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

Measurement GoodMeasurement() {
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.seed = 3;
  measurement.phases = {0.1, 0.2, 0.3};
  Timing timing;
  timing.seconds = 1e-3;
  timing.ratio = {2, 1.5, 2.5};
  timing.first_call_seconds = 2e-3;
  timing.calls_per_sample = 4;
  timing.reference_calls_per_sample = 2;
  timing.samples = {1e-3f, 2e-3f};
  timing.reference_samples = {2e-3f, 4e-3f};
  timing.cpu_per_wall = 1.9;
  timing.short_of_threads = true;
  timing.counters = {1000, 500};
  measurement.timing = timing;
  return measurement;
}

// A good message after a test's change.
template <typename Change>
bool IsBelieved(Change change) {
  MeasureReply reply = ToWire(GoodMeasurement());
  change(reply);
  return FromWire(reply).ok();
}

TEST(MessagesTest, MeasurementsComeBack) {
  const Result<Measurement> back = FromWire(ToWire(GoodMeasurement()));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(*back, GoodMeasurement());
}

TEST(MessagesTest, FailuresOfEveryKindComeBack) {
  for (Outcome outcome : AllOutcomes()) {
    if (outcome == Outcome::kOk) continue;
    Measurement failed;
    failed.outcome = outcome;
    failed.message = "why";
    failed.stderr_tail = "said";
    const Result<Measurement> back = FromWire(ToWire(failed));
    ASSERT_TRUE(back.ok()) << OutcomeName(outcome);
    EXPECT_EQ(*back, failed);
  }
}

TEST(MessagesTest, RepliesSurviveTheWire) {
  const MeasureReply reply = ToWire(GoodMeasurement());
  const Result<MeasureReply> back = Decode<MeasureReply>(Encode(reply));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(FromWire(*back).value(), GoodMeasurement());
}

TEST(MessagesTest, TimingsThatCannotBeAreNotBelieved) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(IsBelieved([](MeasureReply&) {}));
  EXPECT_FALSE(IsBelieved([&](MeasureReply& reply) { reply.timing->seconds = nan; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing->seconds = 0; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing->ratio = -1; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing->ratio_low = 3; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing->ratio_high = 1.9; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing->calls = 0; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing->reference_calls = -1; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing->samples.clear(); }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing->samples.pop_back(); }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing->samples[1] = 0; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) {
    reply.timing->samples.resize(305, 1e-3f);
    reply.timing->reference_samples.resize(305, 1e-3f);
  }));
}

TEST(MessagesTest, OutcomesAndTimingsGoTogether) {
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.outcome = "splendid"; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.outcome = "run_signal"; }));
  EXPECT_FALSE(IsBelieved([](MeasureReply& reply) { reply.timing.reset(); }));
}

TEST(MessagesTest, ErrorsComeBack) {
  const Error back = FromWire(ToWire(Error{ErrorKind::kInvalidSchedule, "why"}));
  EXPECT_EQ(back.kind, ErrorKind::kInvalidSchedule);
  EXPECT_EQ(back.message, "why");
  EXPECT_EQ(FromWire(WireError{99, "why"}).kind, ErrorKind::kCompile);
  EXPECT_EQ(FromWire(WireError{-1, "why"}).kind, ErrorKind::kCompile);
}

TEST(MessagesTest, RequestsComeBackWhole) {
  PrepareRequest request;
  request.key = "key";
  request.task = {"dag", "target", "name"};
  request.reference = {"object", {{{4, false, true}, {8, true, false}}, {0}, true}};
  request.limits.call_seconds = 0.25;
  request.limits.memory_bytes = 77;
  const PrepareRequest back = Decode<PrepareRequest>(Encode(request)).value();
  EXPECT_EQ(back.task, request.task);
  EXPECT_EQ(back.reference.contract, request.reference.contract);
  EXPECT_EQ(back.limits, request.limits);
  const std::string bytes = Encode(request);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(Decode<PrepareRequest>(bytes.substr(0, size)).ok()) << size;
  }
}

TEST(TaskTextTest, TasksComeBack) {
  const Task task{DagOf("input A[4]\nC[i:4] = A[i] + 1.0\n"),
                  MakeTarget(ParseSpec("interpreter(cores=1)").value()), "mine"};
  const std::shared_ptr<const Task> back = MakeTask(TextOf(task));
  EXPECT_EQ(TaskKey(*back), TaskKey(task));
  EXPECT_EQ(back->name, "mine");
}

TEST(TaskTextTest, TextsThatDoNotParseAreTheUsers) {
  EXPECT_THROW(MakeTask({"nonsense", "interpreter", ""}), InputError);
  EXPECT_THROW(MakeTask({"input A[4]\nC[i:4] = A[i]\n", "llvm(", ""}), InputError);
}

}  // namespace
}  // namespace schedulegym
