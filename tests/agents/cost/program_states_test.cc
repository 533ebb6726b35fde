#include "agents/cost/program_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/measure/record.h"
#include "env/schedule/loop_structure.h"
#include "tests/spaces/space_tasks.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Task> Matmul() {
  Target target = Avx2Target(2);
  target.memory_bytes = int64_t{1} << 30;
  return WorkloadTask("matmul(m=64,n=64,k=64)", target);
}

std::string TracesFault(const std::vector<std::string>& traces) {
  return InputFaultOf([&] { ReplayTraces(Matmul(), traces); });
}

TEST(TaskOfTextsTest, IsTheRecordedTask) {
  const auto task = Matmul();
  const auto info = DescribeTask(*task);
  const auto again = TaskOfTexts(info->workload, info->dag, info->target);
  EXPECT_EQ(TaskKey(*again), TaskKey(*task));
  EXPECT_EQ(again->name, "matmul(m=64,n=64,k=64)");
}

TEST(TaskOfTextsTest, RefusesWhatIsNoTask) {
  const auto info = DescribeTask(*Matmul());
  EXPECT_THROW(TaskOfTexts("a", "no dag", info->target), InputError);
  EXPECT_THROW(TaskOfTexts("a", info->dag, "llvm(("), InputError);
  EXPECT_THROW(TaskOfTexts("a", info->dag, "nowhere"), InputError);
}

TEST(ReplayTracesTest, KeepsTheOrder) {
  const auto task = Matmul();
  const std::vector<std::string> traces = {"trace 1\n", "trace 1\nparallel(stage=C, loop=0)\n"};
  const std::vector<KeyedState> states = ReplayTraces(task, traces);
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[0].key, StateKey(ScheduleState::Initial(task)));
  EXPECT_EQ(states[1].state.TraceText(), traces[1]);
}

TEST(ReplayTracesTest, NamesTheProgramAndTheLine) {
  EXPECT_THAT(TracesFault({"trace 1\n", "trace 1\nfly(stage=C)\n"}),
              testing::AllOf(HasSubstr("matmul(m=64,n=64,k=64), program 2: "), HasSubstr("fly")));
}

}  // namespace
}  // namespace schedulegym
