// Contracts of every built-in workload, at the small shapes of the suite `smoke`.
#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/measure/timing/timing_memory.h"
#include "env/measure/verification/inputs.h"
#include "env/measure/verification/oracle.h"
#include "env/program/language/parser.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "env/schedule/loop_structure.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

std::vector<std::string> SmokeSpecs() {
  const Suite smoke = FindSuite("smoke").value();
  std::vector<std::string> specs;
  for (const SuiteCase& entry : smoke.cases) specs.push_back(entry.workload.ToText());
  return specs;
}

class WorkloadTest : public testing::TestWithParam<std::string> {
 protected:
  WorkloadTest() : dag_(MakeWorkload(ParseSpec(GetParam()).value())) {}

  ComputeDag dag_;
};

TEST_P(WorkloadTest, IsReadBackFromItsText) {
  const auto read = ParseDag(dag_.ToText(), "workload.dag");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_TRUE(*read == dag_);
  EXPECT_EQ(read->key(), dag_.key());
}

TEST_P(WorkloadTest, HasANaiveProgramThatIsProved) {
  const ScheduleState naive = ScheduleState::Initial(TaskOf(dag_));
  const LoopProgram program = Lower(naive).value();
  const auto valid = Validate(program);
  EXPECT_TRUE(valid.ok()) << valid.error().message;
  EXPECT_TRUE(program.packs.empty());
  EXPECT_EQ(program.parameters.size(), dag_.inputs().size() + dag_.outputs().size());
}

// Compares the interpreted naive program with cells evaluated directly from the definitions.
TEST_P(WorkloadTest, ComputesWhatItSays) {
  std::vector<AlignedBuffer> buffers;
  std::vector<void*> pointers;
  ExactPlan plan = PlanExact(dag_);
  Rng rng(8);
  const auto add = [&](const Tensor& tensor) {
    buffers.emplace_back(tensor.NumElements() * SizeInBytes(tensor.type));
    pointers.push_back(buffers.back().data());
  };
  for (int id : dag_.inputs()) {
    add(dag_.tensor(id));
    FillInput(dag_.tensor(id), InputPattern::kReals, plan, rng, pointers.back());
  }
  Oracle oracle(dag_, {pointers.begin(), pointers.end()});
  for (int id : dag_.outputs()) add(dag_.tensor(id));
  const auto task = TaskOf(dag_, BackendKind::kInterpreter);
  const LoopProgram program = Lower(ScheduleState::Initial(task)).value();
  const auto kernel = MakeInterpreter(task->target)->Compile(program, {}).value();
  const auto run = kernel->Run(pointers);
  ASSERT_TRUE(run.ok()) << run.error().message;
  for (size_t output = 0; output < dag_.outputs().size(); ++output) {
    const int id = dag_.outputs()[output];
    const Tensor& tensor = dag_.tensor(id);
    const auto found = buffers[dag_.inputs().size() + output].As<float>();
    std::vector<int64_t> index(tensor.shape.size());
    for (int64_t flat = 0; flat < tensor.NumElements(); ++flat) {
      int64_t rest = flat;
      for (size_t d = index.size(); d-- > 0; rest /= tensor.shape[d])
        index[d] = rest % tensor.shape[d];
      const auto expected = oracle.Cell(id, index, 10'000'000);
      ASSERT_TRUE(expected.has_value());
      ASSERT_NEAR(found[flat], expected->number, 1e-5 * (10 + std::abs(expected->number)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Smoke, WorkloadTest, testing::ValuesIn(SmokeSpecs()),
                         [](const auto& info) {
                           std::string name;
                           for (char c : info.param)
                             name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
                           return name;
                         });

TEST(WorkloadsTest, AllStandInTheSmokeSuite) {
  const Suite smoke = FindSuite("smoke").value();
  for (const BuiltinOperator& workload : BuiltinOperators()) {
    const bool stands =
        std::any_of(smoke.cases.begin(), smoke.cases.end(),
                    [&](const SuiteCase& entry) { return entry.workload.name == workload.name; });
    EXPECT_TRUE(stands) << workload.name;
  }
}

TEST(WorkloadsTest, ComeInEveryTypeThatIsMeasured) {
  for (const char* type : {"f32", "f64", "i32", "i8"}) {
    const ComputeDag dag =
        MakeWorkload(ParseSpec(std::string("matmul(m=2,n=3,k=4,dtype=") + type + ")").value());
    EXPECT_STREQ(DTypeName(dag.tensor(0).type), type);
    EXPECT_TRUE(*ParseDag(dag.ToText(), "workload.dag") == dag);
  }
}

// Every case of every suite is a computation with a loop nest.
TEST(SuitesTest, NameComputations) {
  for (const Suite& suite : BuiltinSuites()) {
    EXPECT_FALSE(suite.cases.empty()) << suite.name;
    for (const SuiteCase& entry : suite.cases) {
      const ComputeDag dag = MakeWorkload(entry.workload);
      EXPECT_FALSE(LoopsOf(ScheduleState::Initial(TaskOf(dag))).empty());
    }
  }
}

}  // namespace
}  // namespace schedulegym
