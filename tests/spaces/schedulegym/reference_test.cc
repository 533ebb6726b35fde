#include "spaces/schedulegym/reference.h"

#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/program/workloads/suite.h"
#include "tests/env/program/random_dag.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/spaces/awkward_dags.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

// "" if the reference lowers to a proven program, else what is wrong.
std::string FaultOf(const std::shared_ptr<const Task>& task) {
  const auto program = Lower(ReferenceSchedule(task));
  if (!program) return program.error().message;
  const auto valid = Validate(*program);
  return valid ? "" : valid.error().message;
}

// The same, run in the interpreter and compared with the naive program.
std::string WrongOf(const std::shared_ptr<const Task>& task) {
  const auto interpreter = MakeInterpreter(task->target);
  return Differential(task, 1).Run(ReferenceSchedule(task), *interpreter).message;
}

std::shared_ptr<const Task> Interpreted(ComputeDag dag, Target target) {
  target.backend = BackendKind::kInterpreter;
  return std::make_shared<const Task>(Task{std::move(dag), target, "test"});
}

TEST(ReferenceScheduleTest, LowersEveryCaseOfEverySuite) {
  for (const Suite& suite : BuiltinSuites()) {
    for (const SuiteCase& entry : suite.cases) {
      const std::string workload = entry.workload.ToText();
      EXPECT_EQ(FaultOf(WorkloadTask(workload, Avx2Target())), "") << workload;
      EXPECT_EQ(FaultOf(WorkloadTask(workload, Avx512Target())), "") << workload;
    }
  }
}

TEST(ReferenceScheduleTest, IsRightOnEveryOperator) {
  const Suite smoke = FindSuite("smoke").value();
  for (const SuiteCase& entry : smoke.cases) {
    const std::string workload = entry.workload.ToText();
    for (const Target& target : {Avx2Target(), Avx512Target(3)}) {
      const auto task = WorkloadTask(workload, target);
      EXPECT_EQ(WrongOf(Interpreted(task->dag, target)), "") << workload;
    }
  }
}

TEST(ReferenceScheduleTest, IsRightOnAwkwardComputations) {
  for (const char* dag : kAwkwardDags) {
    const auto task = DagTask(dag, Avx2Target());
    EXPECT_EQ(WrongOf(Interpreted(task->dag, task->target)), "") << dag;
  }
}

TEST(ReferenceScheduleTest, LowersRandomComputations) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const auto task = std::make_shared<const Task>(Task{RandomDag(rng), Avx2Target(), "random"});
    EXPECT_EQ(FaultOf(task), "") << task->dag.ToText();
  }
}

TEST(ReferenceScheduleTest, IsTheSameEachTime) {
  const auto task = WorkloadTask("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)", Avx512Target());
  EXPECT_EQ(ReferenceSchedule(task).TraceText(), ReferenceSchedule(task).TraceText());
}

// Two cores get as many whole panels each; a computation of a few microseconds stays on one.
TEST(ReferenceScheduleTest, SharesOnlyMuchWorkAmongCores) {
  const ScheduleState large =
      ReferenceSchedule(WorkloadTask("matmul(m=512,n=512,k=512)", Avx2Target()));
  EXPECT_EQ(Annotated(large, Annotation::kParallel), "C.0");
  const ScheduleState small =
      ReferenceSchedule(WorkloadTask("matmul(m=24,n=32,k=16)", Avx2Target()));
  EXPECT_EQ(Annotated(small, Annotation::kParallel), "");
  const ScheduleState alone =
      ReferenceSchedule(WorkloadTask("matmul(m=512,n=512,k=512)", Avx2Target(1)));
  EXPECT_EQ(Annotated(alone, Annotation::kParallel), "");
}

// A norm has one result: its rows are shared as partial sums.
TEST(ReferenceScheduleTest, SharesOneLongSum) {
  const ScheduleState state = ReferenceSchedule(WorkloadTask("norm(n=2048,m=2048)", Avx2Target()));
  EXPECT_EQ(Annotated(state, Annotation::kParallel), "S.rf.rf.0");
}

// Rows of a softmax are computed together; nothing of the size of the tensor is stored between.
TEST(ReferenceScheduleTest, ComputesASoftmaxRowByRow) {
  const ScheduleState state = ReferenceSchedule(WorkloadTask("softmax(n=512,m=512)", Avx2Target()));
  EXPECT_EQ(Annotated(state, Annotation::kParallel), "Y.0");
  const int output = state.Find("Y");
  for (const char* name : {"M", "M.rf", "E", "S", "S.rf"}) {
    const Stage& stage = state.stage(state.Find(name));
    EXPECT_EQ(stage.location, Location::kAt) << name;
    EXPECT_EQ(stage.target, output) << name;
  }
}

TEST(ReferenceScheduleTest, PacksWeights) {
  const ScheduleState state =
      ReferenceSchedule(WorkloadTask("conv2d(h=14,w=14,ci=64,co=64,k=3,p=1)", Avx2Target()));
  EXPECT_GE(state.Find("W.pack"), 0);
  EXPECT_EQ(Lower(state).value().packs.size(), 1u);
}

}  // namespace
}  // namespace schedulegym
