#include "backends/runner/edge_shape_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/runner/checker_connection.h"
#include "backends/runner/wire/task_text.h"
#include "env/base/check.h"
#include "env/ipc/encoding.h"
#include "env/ipc/event_loop.h"
#include "env/ipc/frame.h"
#include "env/ipc/worker_process.h"
#include "env/program/workloads/workload.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kProduct = "matmul(m=64,n=64,k=64)";
// Tiles that do not fit any awkward extent.
constexpr const char* kTiled =
    "trace 1\nsplit(stage=C, loop=0, lengths=[4])\n"
    "split(stage=C, loop=2, lengths=[16])\n"
    "reorder(stage=C, order=[0, 2, 4, 1, 3])\nvectorize(stage=C, loop=4)\n"
    "parallel(stage=C, loop=0)\n";

std::shared_ptr<const Task> TaskOf(const std::string& workload) {
  return std::make_shared<const Task>(Task{MakeWorkload(ParseSpec(workload).value()),
                                           MakeTarget(ParseSpec("llvm(cores=1)").value()),
                                           workload});
}

TEST(EdgeShapeCheckTest, SchedulesThatReplayAreTriedAtBothShapes) {
  const auto task = TaskOf(kProduct);
  const EdgeShapeCheck gate(*task);
  ASSERT_THAT(gate.shapes(), SizeIs(4));
  EXPECT_EQ(gate.shapes()[0].task->name, "matmul(m=37,n=53,k=29)");
  const auto trials = gate.TrialsOf(ReplayText(task, kTiled).value());
  ASSERT_THAT(trials, SizeIs(2));
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(trials[i].shape, &gate.shapes()[i]);
    EXPECT_EQ(trials[i].compile.task, gate.shapes()[i].prepare.task);
    EXPECT_EQ(trials[i].compile.trace, kTiled);
  }
}

// A fully unrolled tile of 16 x 16 x 4 operations, with tails on all sides at the first shape.
constexpr const char* kUnrolled =
    "trace 1\nsplit(stage=C, loop=0, lengths=[16])\nsplit(stage=C, loop=2, lengths=[16])\n"
    "split(stage=C, loop=4, lengths=[4])\n"
    "reorder(stage=C, order=[0, 2, 4, 1, 3, 5])\nunroll(stage=C, loop=3)\n"
    "unroll(stage=C, loop=4)\nunroll(stage=C, loop=5)\n";

TEST(EdgeShapeCheckTest, ShapesOfTooMuchCodeAreLeftOut) {
  const auto task = TaskOf(kProduct);
  const EdgeShapeCheck gate(*task);
  const auto trials = gate.TrialsOf(ReplayText(task, kUnrolled).value());
  ASSERT_THAT(trials, SizeIs(2));
  EXPECT_EQ(trials[0].shape, &gate.shapes()[1]);
}

// Unrolls all columns and 64 steps of the reduction; packs leave shapes of 48 columns and more.
TEST(EdgeShapeCheckTest, SomeShapeIsTriedHoweverLong) {
  const auto task = TaskOf(kProduct);
  const EdgeShapeCheck gate(*task);
  const auto state = ReplayText(task,
                                "trace 1\nsplit(stage=C, loop=0, lengths=[2])\n"
                                "split(stage=C, loop=3, lengths=[64])\n"
                                "reorder(stage=C, order=[0, 3, 1, 2, 4])\nunroll(stage=C, loop=2)\n"
                                "unroll(stage=C, loop=3)\nunroll(stage=C, loop=4)\n"
                                "pack(stage=B, readers=[C], tile=[1, 48], order=[1, 0, 2])\n");
  EXPECT_THAT(gate.TrialsOf(state.value()), SizeIs(1));
}

TEST(EdgeShapeCheckTest, SchedulesThatDoNotReplayAreTriedNowhere) {
  const EdgeShapeCheck gate(*TaskOf(kProduct));
  const auto other = TaskOf("softmax(n=64,m=64)");
  const ScheduleState state = ReplayText(other, "trace 1\nparallel(stage=Y, loop=0)\n").value();
  EXPECT_THAT(gate.TrialsOf(state), IsEmpty());
}

TEST(EdgeShapeCheckTest, TasksWithoutOtherShapesHaveNoTrials) {
  const auto task = std::make_shared<const Task>(
      Task{DagOf("input A[64]\nC[i:64] = A[i] + 1.0\n"), TaskOf(kProduct)->target, "mine"});
  const EdgeShapeCheck gate(*task);
  EXPECT_THAT(gate.shapes(), IsEmpty());
  EXPECT_THAT(gate.TrialsOf(ScheduleState::Initial(task)), IsEmpty());
}

TEST(EdgeShapeCheckTest, FailedTrialsTakeTheTimingAway) {
  const EdgeShapeCheck gate(*TaskOf(kProduct));
  Measurement measurement;
  measurement.outcome = Outcome::kOk;
  measurement.timing = Timing{};
  const EdgeShape& shape = gate.shapes()[1];
  EXPECT_TRUE(AfterShape(measurement, shape, {"ok", "", "", 0.5}).ok());
  EXPECT_EQ(AfterShape(measurement, shape, {"ok", "", "", 0.5}).phases.verify, 0.5);
  const Measurement wrong = AfterShape(measurement, shape, {"wrong_output", "C is 1", "said", 0});
  EXPECT_EQ(wrong.outcome, Outcome::kWrongOutput);
  EXPECT_EQ(wrong.message, "at matmul(m=1,n=13,k=7): C is 1");
  EXPECT_EQ(wrong.stderr_tail, "said");
  EXPECT_FALSE(wrong.timing.has_value());
  EXPECT_EQ(AfterShape(measurement, shape, {"splendid", "", "", 0}).outcome,
            Outcome::kCorruptResult);
}

// The real path: compiles in a worker, runs in a separate process, verified by the checker.
class EdgeShapeCheckTrueTest : public testing::Test {
 protected:
  EdgeShapeCheckTrueTest()
      : compiler_(SG_WORKER, "compile"),
        channel_(compiler_.TakeSocket()),
        checker_(loop_, SG_WORKER) {}

  ObjectCode Compile(const CompileRequest& request) {
    channel_.Send({static_cast<uint16_t>(MessageType::kCompile), 1, Encode(request)});
    const std::optional<Frame> frame = channel_.Receive();
    SG_CHECK(frame.has_value(), "an answer of the compiler");
    Result<CompileReply> reply = Decode<CompileReply>(frame->payload);
    SG_CHECK(reply.ok() && !reply->error, "code");
    return std::move(reply->code);
  }

  CheckerAnswer Ask(MessageType type, const std::string& payload) {
    checker_.Ask(type, payload);
    while (true) {
      auto answer =
          checker_.Attend([](const TimingNotice&) { ADD_FAILURE() << "something was timed"; });
      if (answer) return *std::move(answer);
      loop_.Wait(1);
    }
  }

  PrepareReply Prepare(const EdgeShape& shape) {
    PrepareRequest request = shape.prepare;
    request.reference = Compile(shape.reference);
    request.seed = 3;
    request.protocol = "cpu1";
    const CheckerAnswer answer = Ask(MessageType::kPrepare, Encode(request));
    EXPECT_EQ(answer.refusal, "") << answer.message;
    return Decode<PrepareReply>(answer.payload).value();
  }

  VerifyReply Verify(const EdgeShape& shape, const ObjectCode& code) {
    const CheckerAnswer answer =
        Ask(MessageType::kVerify, Encode(VerifyRequest{shape.prepare.key, code}));
    EXPECT_EQ(answer.refusal, "") << answer.message;
    return Decode<VerifyReply>(answer.payload).value();
  }

  EventLoop loop_;
  WorkerProcess compiler_;
  FrameChannel channel_;
  CheckerConnection checker_;
};

TEST_F(EdgeShapeCheckTrueTest, RightSchedulesPassWithoutTiming) {
  const auto task = TaskOf(kProduct);
  const EdgeShapeCheck gate(*task);
  for (const ShapeTrial& trial : gate.TrialsOf(ReplayText(task, kTiled).value())) {
    const PrepareReply prepared = Prepare(*trial.shape);
    EXPECT_EQ(prepared.reference_seconds, 0);
    EXPECT_EQ(prepared.measure_seconds, 0);
    const VerifyReply reply = Verify(*trial.shape, Compile(trial.compile));
    EXPECT_EQ(reply.outcome, "ok") << reply.message;
    EXPECT_GT(reply.seconds, 0);
  }
}

// The kernel leaves out the last term, at the awkward shape only.
TEST_F(EdgeShapeCheckTrueTest, WrongTailsAreFound) {
  const EdgeShapeCheck gate(*TaskOf(kProduct));
  const EdgeShape& shape = gate.shapes()[0];
  Prepare(shape);
  TaskText wrong = shape.prepare.task;
  const size_t sum = wrong.dag.find("sum(r:29)");
  ASSERT_NE(sum, std::string::npos) << wrong.dag;
  wrong.dag.replace(sum, 9, "sum(r:28)");
  const VerifyReply reply = Verify(shape, Compile({wrong, kTiled, 0}));
  EXPECT_EQ(reply.outcome, "wrong_output");
  EXPECT_THAT(reply.message, HasSubstr("C[0, "));
  // The next verification is not affected.
  EXPECT_EQ(Verify(shape, Compile(shape.reference)).outcome, "ok");
}

TEST_F(EdgeShapeCheckTrueTest, UnknownShapesAreForgottenOnes) {
  const EdgeShapeCheck gate(*TaskOf(kProduct));
  const CheckerAnswer answer =
      Ask(MessageType::kVerify, Encode(VerifyRequest{gate.shapes()[0].prepare.key, {}}));
  EXPECT_EQ(answer.refusal, "forgotten");
}

TEST_F(EdgeShapeCheckTrueTest, AReferenceThatIsWrongIsABug) {
  const EdgeShapeCheck gate(*TaskOf(kProduct));
  PrepareRequest request = gate.shapes()[1].prepare;
  TaskText wrong = request.task;
  const size_t sum = wrong.dag.find("sum(r:7)");
  ASSERT_NE(sum, std::string::npos) << wrong.dag;
  wrong.dag.replace(sum, 8, "sum(r:6)");
  request.reference = Compile({wrong, "trace 1\n", 0});
  request.protocol = "cpu1";
  const CheckerAnswer answer = Ask(MessageType::kPrepare, Encode(request));
  EXPECT_EQ(answer.refusal, "bug");
  EXPECT_THAT(answer.message, HasSubstr("wrong_output"));
}

}  // namespace
}  // namespace schedulegym
