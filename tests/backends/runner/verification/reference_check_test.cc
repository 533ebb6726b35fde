#include "backends/runner/verification/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.h"
#include "backends/runner/verification/reference_outputs.h"
#include "env/base/text.h"
#include "env/lower/lower.h"
#include "env/program/language/parser.h"
#include "env/program/workloads/workload.h"
#include "tests/backends/runner/faulty_backend.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

ScheduleState NaiveSchedule(std::shared_ptr<const Task> task) {
  return ScheduleState::Initial(std::move(task));
}

// So many cells that no sample would contain the wrong one.
constexpr int64_t kCell = 12'345;

class ReferenceCheckTest : public testing::Test {
 protected:
  static std::shared_ptr<const Task> TaskOf(const std::string& workload) {
    return std::make_shared<const Task>(Task{MakeWorkload(ParseSpec(workload).value()),
                                             MakeTarget(ParseSpec("llvm(cores=1)").value()),
                                             workload});
  }

  static ObjectCode CodeOf(const std::shared_ptr<const Task>& task, const Backend& backend) {
    const LoopProgram program = Lower(ScheduleState::Initial(task)).value();
    return {backend.Translate(program, CodeForm::kObject, {}).value(), ContractOf(program)};
  }

  Result<void> Check(const std::shared_ptr<const Task>& task, const ObjectCode& code) const {
    Target interpreted = task->target;
    interpreted.backend = BackendKind::kInterpreter;
    const std::unique_ptr<Backend> interpreter = MakeInterpreter(interpreted);
    const ReferenceFunction reference = NaiveSchedule;
    return CheckReference(task, {backend_, *interpreter, reference, code}, 5);
  }

  // Adds one to a cell of the output, if the output has such a cell.
  void SpoilCell(size_t output, int64_t cell) {
    misdeed_.after_call = [=](std::span<void* const> arguments, int) {
      if (output < arguments.size()) static_cast<float*>(arguments[output])[cell] += 1;
    };
  }

  Misdeed misdeed_;
  std::shared_ptr<const Task> large_ = TaskOf("matmul(m=384,n=384,k=384)");
  FaultyBackend backend_{MakeBackend(large_->target), misdeed_};
};

TEST_F(ReferenceCheckTest, WhatIsRightIsRight) {
  for (const char* workload :
       {"matmul(m=384,n=384,k=384)", "softmax(n=20,m=30)", "matmul(m=30,n=20,k=40,dtype=i32)"}) {
    const auto task = TaskOf(workload);
    const Result<void> checked = Check(task, CodeOf(task, backend_));
    EXPECT_TRUE(checked.ok()) << workload << ": " << checked.error().message;
  }
}

// The kernel leaves out the last term.
TEST_F(ReferenceCheckTest, CodeOfAnotherComputationIsWrong) {
  const auto task = TaskOf("matmul(m=64,n=64,k=64)");
  ObjectCode code = CodeOf(task, backend_);
  std::string text = task->dag.ToText();
  const size_t at = text.find(":64) ");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 5, ":63) ");
  const auto other =
      std::make_shared<const Task>(Task{ParseDag(text, "other").value(), task->target, "other"});
  code.object = CodeOf(other, backend_).object;
  const Result<void> checked = Check(task, code);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().kind, ErrorKind::kRun);
  EXPECT_THAT(checked.error().message,
              HasSubstr("the reference schedule and the naive program differ: C[0, 0]"));
}

TEST_F(ReferenceCheckTest, OneCellOfManyIsFound) {
  const ObjectCode code = CodeOf(large_, backend_);
  // Optimised code makes the expected outputs, and it is wrong there.
  misdeed_.optimized = true;
  SpoilCell(2, kCell);
  const Result<void> checked = Check(large_, code);
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message,
              HasSubstr("what candidates are compared with and the naive"));
  EXPECT_THAT(checked.error().message, HasSubstr("C[32, 57]"));
}

// Finds A[0] of the timing inputs, which no other inputs have.
class TimedInputsTest : public ReferenceCheckTest {
 protected:
  float TimedCell(const std::shared_ptr<const Task>& task) const {
    const ReferenceFunction reference = NaiveSchedule;
    const ReferenceOutputs reference_outputs(task, {backend_, reference}, 5);
    const std::vector<AlignedBuffer> inputs = MakeBuffers(reference_outputs.InputBytes());
    reference_outputs.FillForTiming(PointersTo(inputs));
    return inputs[0].As<float>()[0];
  }
};

TEST_F(TimedInputsTest, CodeThatIsWrongOnTheseAloneIsWrong) {
  const std::string dag = "input A[64]\nC[i:64] = ";
  const auto task_of = [&](const std::string& value) {
    return std::make_shared<const Task>(
        Task{ParseDag(dag + value + "\n", "mine").value(), large_->target, "mine"});
  };
  const auto task = task_of("A[i] + 1.0");
  EXPECT_TRUE(Check(task, CodeOf(task, backend_)).ok());
  const std::string cell = FormatDouble(TimedCell(task));
  const auto other = task_of("select(A[0] == " + cell + ", A[i] + 1.5, A[i] + 1.0)");
  const Result<void> checked = Check(task, CodeOf(other, backend_));
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message,
              HasSubstr("the reference schedule and the naive program differ: C[0]"));
}

TEST_F(TimedInputsTest, WhatCandidatesAreComparedWithIsCheckedThere) {
  const ObjectCode code = CodeOf(large_, backend_);
  const float cell = TimedCell(large_);
  misdeed_.optimized = true;
  misdeed_.after_call = [=](std::span<void* const> arguments, int) {
    // The product, in double precision beside its bounds.
    if (static_cast<const float*>(arguments[0])[0] != cell) return;
    static_cast<double*>(arguments[2])[kCell] += 1;
  };
  const Result<void> checked = Check(large_, code);
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message,
              HasSubstr("what candidates are compared with and the naive"));
  EXPECT_THAT(checked.error().message, HasSubstr("C[32, 57]"));
  EXPECT_THAT(checked.error().message, HasSubstr("(on the inputs for timing)"));
}

// The kernel is wrong at every shape: otherwise the naive program would judge itself.
TEST_F(ReferenceCheckTest, TheNaiveProgramIsHeldAgainstTheInterpreter) {
  const auto task = TaskOf("matmul(m=64,n=64,k=64)");
  const ObjectCode code = CodeOf(task, backend_);
  misdeed_.optimized = false;
  SpoilCell(2, 200);
  const Result<void> checked = Check(task, code);
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message, HasSubstr("and the interpreter differ: C["));
}

}  // namespace
}  // namespace schedulegym
