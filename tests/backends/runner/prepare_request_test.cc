#include "backends/runner/measured_task.h"

#include <gtest/gtest.h>

#include "backends/runner/wire/task_text.h"
#include "env/measure/record.h"
#include "env/measure/verification/inputs.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

std::shared_ptr<const Task> TaskOf(const std::string& dag) {
  return std::make_shared<const Task>(
      Task{DagOf(dag), MakeTarget(ParseSpec("llvm(cores=1)").value()), "mine"});
}

constexpr const char* kSum = "input A[8, 64]\nC[i:8] = sum(k:64) A[i, k]\n";

TEST(OrderSeedOfTest, EveryTaskAndSessionHasItsOwn) {
  EXPECT_EQ(OrderSeedOf("one", 1), OrderSeedOf("one", 1));
  EXPECT_NE(OrderSeedOf("one", 1), OrderSeedOf("two", 1));
  EXPECT_NE(OrderSeedOf("one", 1), OrderSeedOf("one", 2));
}

TEST(CompileRequestOfTest, IsTheTaskAndTheTrace) {
  const auto task = TaskOf(kSum);
  const std::string trace = "trace 1\nsplit(stage=C, loop=0, lengths=[4])\n";
  const CompileRequest request = CompileRequestOf(ReplayText(task, trace).value());
  EXPECT_EQ(request.task, TextOf(*task));
  EXPECT_EQ(request.trace, trace);
  EXPECT_EQ(request.form, 0);
}

TEST(MakePrepareRequestTest, SaysAllButTheCode) {
  const auto task = TaskOf(kSum);
  int asked = 0;
  const ReferenceFunction schedule = [&](std::shared_ptr<const Task> of) {
    ++asked;
    return ScheduleState::Initial(std::move(of));
  };
  const ScheduleState reference =
      ReplayText(task, "trace 1\nsplit(stage=C, loop=0, lengths=[2])\n").value();
  const PrepareRequest request = MakePrepareRequest(task, reference, schedule, "cpu1", 7);
  EXPECT_EQ(request.key, TaskKey(*task).ToText());
  EXPECT_EQ(request.task, TextOf(*task));
  EXPECT_EQ(request.reference_trace, reference.TraceText());
  // From the computation of error bounds, which has its own schedule.
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(request.error_trace, "trace 1\n");
  EXPECT_TRUE(request.reference.object.empty());
  EXPECT_EQ(request.seed, InputSeed(TaskKey(*task)));
  EXPECT_EQ(request.order_seed, OrderSeedOf(request.key, 7));
  EXPECT_EQ(request.protocol, "cpu1");
  EXPECT_FALSE(request.verify_only);
}

// Facts about a task's inputs stay valid in every session.
TEST(MakePrepareRequestTest, InputsAreTheSameWhateverTheSeed) {
  const auto task = TaskOf(kSum);
  const ScheduleState naive = ScheduleState::Initial(task);
  const auto request_of = [&](const std::string& protocol, uint64_t seed) {
    return MakePrepareRequest(task, naive, ScheduleState::Initial, protocol, seed);
  };
  EXPECT_EQ(request_of("cpu1", 1).seed, request_of("cpu1(rounds=9)", 2).seed);
  EXPECT_NE(request_of("cpu1", 1).order_seed, request_of("cpu1", 2).order_seed);
}

}  // namespace
}  // namespace schedulegym
