#include "experiments/bench/benchmarks/matmul_states.h"

#include <gtest/gtest.h>

#include <set>

#include "env/lower/lower.h"
#include "env/lower/validate.h"

namespace schedulegym {
namespace {

std::shared_ptr<const Task> TaskOf(int vector_bits) {
  Target target;
  target.vector_bits = vector_bits;
  target.cores = 2;
  return MatmulTask(target);
}

TEST(MatmulStatesTest, TheTilingIsLegalForEveryVectorWidth) {
  for (const int bits : {128, 256, 512}) {
    const auto task = TaskOf(bits);
    const ScheduleState state = StateAfter(task, TiledMatmulTrace(task->target), 20);
    EXPECT_EQ(state.trace_size(), 20);
    const auto program = Lower(state);
    ASSERT_TRUE(program.ok()) << program.error().message;
    const auto valid = Validate(*program);
    EXPECT_TRUE(valid.ok()) << valid.error().message;
  }
}

TEST(MatmulStatesTest, NextStepsCoverEveryPrimitiveOfACpu) {
  std::set<std::string> names;
  for (const NextStep& next : EveryNextStep(TaskOf(512))) {
    EXPECT_EQ(next.state.trace_size(), 15);
    EXPECT_TRUE(Apply(next.state, next.primitive).ok());
    names.emplace(NameOf(next.primitive));
  }
  std::set<std::string> all;
  for (const PrimitiveEntry& entry : AllPrimitives()) all.insert(entry.name);
  all.erase("bind");  // for GPUs only
  EXPECT_EQ(names, all);
}

}  // namespace
}  // namespace schedulegym
