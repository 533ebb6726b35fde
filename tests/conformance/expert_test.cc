// Hand-written schedules: legal and proved on their shapes, correct on small shapes with tails.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "backends/backend.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/program/workloads/workload.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/support/expert_cases.h"
#include "tests/support/machine_parts.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

class ExpertTest : public testing::TestWithParam<ExpertCase> {
 protected:
  static ComputeDag DagOf(const std::string& workload) {
    return MakeWorkload(ParseSpec(workload).value());
  }

  // The fault of the schedule of the small computation; "" if there is none.
  static std::string FaultOn(const Target& target) {
    const auto task =
        std::make_shared<const Task>(Task{DagOf(GetParam().small), target, GetParam().small});
    const auto state = ReplayText(task, GetParam().trace);
    if (!state) return state.error().message;
    return Differential(task, 1).Run(*state, *MakeBackend(task->target)).message;
  }
};

TEST_P(ExpertTest, IsProvedWhereItIsMeantFor) {
  const auto state = ReplayText(TaskOf(DagOf(GetParam().workload)), GetParam().trace);
  ASSERT_TRUE(state.ok()) << state.error().message;
  const auto program = Lower(*state);
  ASSERT_TRUE(program.ok()) << program.error().message;
  const auto valid = Validate(*program);
  EXPECT_TRUE(valid.ok()) << valid.error().message;
  EXPECT_FALSE(IsTooLarge(*program, state->task().target));
}

TEST_P(ExpertTest, IsRightOnASmallShape) {
  EXPECT_EQ(FaultOn(MakeTarget(ParseSpec("interpreter").value())), "");
  const Target compiled = MakeTarget(ParseSpec("llvm(cores=2)").value());
  if (const std::string lack = LackOf(compiled); !lack.empty()) GTEST_SKIP() << lack;
  EXPECT_EQ(FaultOn(compiled), "");
}

INSTANTIATE_TEST_SUITE_P(Every, ExpertTest, testing::ValuesIn(ExpertCases()), [](const auto& info) {
  return info.param.folder + "_" + info.param.name;
});

TEST(ExpertCasesTest, AreTheSameInEachFolder) {
  std::map<std::string, std::set<std::string>> names;
  for (const ExpertCase& expert : ExpertCases()) names[expert.folder].insert(expert.name);
  ASSERT_GE(names.size(), 1u);
  for (const auto& [folder, of_one] : names) EXPECT_EQ(of_one, names.begin()->second) << folder;
  EXPECT_GE(names.begin()->second.size(), 15u);
}

}  // namespace
}  // namespace schedulegym
