#include "spaces/schedulegym/reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/lower/sequential_form.h"
#include "env/lower/statements.h"
#include "env/lower/validate.h"
#include "env/program/workloads/suite.h"
#include "env/schedule/loop_structure.h"
#include "spaces/bind_threads.h"
#include "tests/env/program/random_dag.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/spaces/awkward_dags.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

using ::testing::ElementsAre;

// "" if the reference lowers to a proved program, else the error.
std::string FaultOf(const std::shared_ptr<const Task>& task) {
  const ScheduleState state = ReferenceSchedule(task);
  const auto program = Lower(state);
  if (!program) return program.error().message;
  const bool is_gpu = task->target.IsGpu();
  if (is_gpu && !CheckLaunch(state)) return CheckLaunch(state).error().message;
  const auto valid = Validate(is_gpu ? SequentialForm(*program) : *program);
  return valid ? "" : valid.error().message;
}

Target A100() { return MakeTarget(ParseSpec("cuda(card=a100)").value()); }

// Runs it in the interpreter and compares it with the naive program.
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
      EXPECT_EQ(FaultOf(WorkloadTask(workload, A100())), "") << workload;
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
    EXPECT_EQ(FaultOf(DagTask(dag, A100())), "") << dag;
  }
}

TEST(ReferenceScheduleTest, LowersRandomComputations) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const auto task = std::make_shared<const Task>(Task{RandomDag(rng), Avx2Target(), "random"});
    EXPECT_EQ(FaultOf(task), "") << task->dag.ToText();
    const auto on_gpu = std::make_shared<const Task>(Task{task->dag, A100(), "random"});
    EXPECT_EQ(FaultOf(on_gpu), "") << task->dag.ToText();
  }
}

TEST(ReferenceScheduleTest, IsTheSameEachTime) {
  const auto task = WorkloadTask("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)", Avx512Target());
  EXPECT_EQ(ReferenceSchedule(task).TraceText(), ReferenceSchedule(task).TraceText());
}

// Two cores get equal numbers of whole panels; a computation of a few microseconds uses one core.
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

// A norm has one result: its rows are shared among cores as partial sums.
TEST(ReferenceScheduleTest, SharesOneLongSum) {
  const ScheduleState state = ReferenceSchedule(WorkloadTask("norm(n=2048,m=2048)", Avx2Target()));
  EXPECT_EQ(Annotated(state, Annotation::kParallel), "S.rf.rf.0");
}

// A softmax is computed row by row; no intermediate result of the tensor's size is stored.
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

int Barriers(const LoopProgram& program) {
  int barriers = 0;
  ForEachStatement(*program.body, [&](const Statement& statement) {
    barriers += std::holds_alternative<Barrier>(statement.node) ? 1 : 0;
  });
  return barriers;
}

// The extent of a stage's single loop on an axis; 0 if there is none.
int64_t ExtentOn(const StructureStage& nest, Annotation axis) {
  for (const StructureLoop& loop : nest.loops) {
    if (loop.annotation == axis) return loop.extent;
  }
  return 0;
}

class GpuReferenceTest : public testing::TestWithParam<const char*> {
 protected:
  static ScheduleState Of(const std::string& workload) {
    return ReferenceSchedule(WorkloadTask(workload, MakeTarget(ParseSpec(GetParam()).value())));
  }

  static StructureStage NestOf(const ScheduleState& state, const char* name) {
    for (const StructureStage& nest : InferLoops(state).stages) {
      if (state.stage(nest.stage).op->name == name) return nest;
    }
    ADD_FAILURE() << "no nest of " << name;
    return {};
  }
};

// 8 x 8 blocks of 64 x 64 results, 4 x 4 for each thread; 64 steps, each with two barriers.
TEST_P(GpuReferenceTest, TilesAMatmul) {
  const ScheduleState state = Of("matmul(m=512,n=512,k=512)");
  EXPECT_EQ(ExtentOn(NestOf(state, "C"), Annotation::kBlockX), 64);
  EXPECT_EQ(ExtentOn(NestOf(state, "C"), Annotation::kThreadX), 256);
  EXPECT_EQ(ExtentOn(NestOf(state, "C"), Annotation::kVthread), 1);
  EXPECT_THAT(NestOf(state, "A.shared").region, ElementsAre(64, 8));
  EXPECT_THAT(NestOf(state, "B.shared").region, ElementsAre(8, 64));
  EXPECT_THAT(NestOf(state, "C.local").region, ElementsAre(4, 4));
  for (const char* copy : {"A.shared", "B.shared"}) {
    EXPECT_EQ(ExtentOn(NestOf(state, copy), Annotation::kThreadX), 256) << copy;
  }
  EXPECT_EQ(Barriers(Lower(state).value()), 2);
  EXPECT_EQ(state.TraceText(), R"(trace 1
cache_write(stage=C, scope=local)
split(stage=C.local, loop=0, lengths=[1, 16, 1, 4])
split(stage=C.local, loop=5, lengths=[1, 16, 1, 4])
split(stage=C.local, loop=10, lengths=[8, 1])
reorder(stage=C.local, order=[0, 5, 1, 6, 2, 7, 10, 11, 3, 8, 12, 4, 9])
follow_split(stage=C, loop=0, source=1, count=3)
follow_split(stage=C, loop=4, source=2, count=3)
reorder(stage=C, order=[0, 4, 1, 5, 2, 6, 3, 7])
compute_at(stage=C.local, target=C, loop=5)
cache_read(stage=B, scope=shared, readers=[C.local])
compute_at(stage=B.shared, target=C.local, loop=6)
cache_read(stage=A, scope=shared, readers=[C.local])
compute_at(stage=A.shared, target=C.local, loop=6)
pragma(stage=C.local, name=auto_unroll_max_step, value=64)
fuse(stage=C, loops=[0, 1])
bind(stage=C, loop=0, thread=blockIdx.x)
fuse(stage=C, loops=[1, 2])
bind(stage=C, loop=1, thread=vthread)
fuse(stage=C, loops=[2, 3])
bind(stage=C, loop=2, thread=threadIdx.x)
fuse(stage=B.shared, loops=[0, 1])
follow_fused_split(stage=B.shared, loop=0, sources=[1, 2], level=1)
bind(stage=B.shared, loop=1, thread=threadIdx.x)
fuse(stage=A.shared, loops=[0, 1])
follow_fused_split(stage=A.shared, loop=0, sources=[1, 2], level=1)
bind(stage=A.shared, loop=1, thread=threadIdx.x)
)");
}

// 12 threads have 3 of 36 rows each, 10 have 2 of 100 columns; 3 of 9 steps are copied at a time.
TEST_P(GpuReferenceTest, TakesTheNearestDivisors) {
  const ScheduleState state = Of("matmul(m=36,n=100,k=9)");
  EXPECT_THAT(NestOf(state, "A.shared").region, ElementsAre(36, 3));
  EXPECT_THAT(NestOf(state, "B.shared").region, ElementsAre(3, 20));
  EXPECT_THAT(NestOf(state, "C.local").region, ElementsAre(3, 2));
  EXPECT_EQ(ExtentOn(NestOf(state, "C"), Annotation::kThreadX), 12 * 10);
}

// Rows and columns are primes, which threads do not split.
TEST_P(GpuReferenceTest, GivesPrimesToThreads) {
  const ScheduleState state = Of("matmul(m=127,n=127,k=8)");
  EXPECT_EQ(ExtentOn(NestOf(state, "C"), Annotation::kThreadX), 127);
}

// Each row is a block, whose warp shares the maximum, then the sum and the results.
TEST_P(GpuReferenceTest, SharesRowsOfASoftmaxAmongThreads) {
  const ScheduleState state = Of("softmax(n=512,m=512)");
  for (const char* root : {"M", "Y"}) {
    EXPECT_EQ(ExtentOn(NestOf(state, root), Annotation::kBlockX), 512) << root;
  }
  for (const char* stage : {"M", "S", "Y"}) {
    EXPECT_EQ(ExtentOn(NestOf(state, stage), Annotation::kThreadX), 32) << stage;
  }
  EXPECT_EQ(state.stage(state.Find("E")).location, Location::kInlined);
}

INSTANTIATE_TEST_SUITE_P(Targets, GpuReferenceTest, testing::Values("opencl", "cuda(card=a100)"));

// The results of a thread are halved until the copies fit.
TEST(ReferenceScheduleTest, HalvesTilesThatAreTooLarge) {
  const auto shared_of = [](const std::string& target) {
    const ScheduleState state = ReferenceSchedule(
        WorkloadTask("matmul(m=512,n=512,k=512)", MakeTarget(ParseSpec(target).value())));
    std::vector<int64_t> cells;
    for (const StructureStage& nest : InferLoops(state).stages) {
      if (state.stage(nest.stage).op->scope != MemoryScope::kShared) continue;
      cells.push_back(nest.region[0] * nest.region[1]);
    }
    return cells;
  };
  EXPECT_THAT(shared_of("opencl(shared=4096)"), ElementsAre(512, 512));
  EXPECT_THAT(shared_of("opencl(shared=4095)"), ElementsAre(256, 512));
  EXPECT_THAT(shared_of("opencl(shared=3071)"), ElementsAre(256, 256));
  // No shared memory: each thread has one result.
  EXPECT_THAT(shared_of("opencl(shared=16)"), ElementsAre());
}

}  // namespace
}  // namespace schedulegym
