// Converts schedules of the space `ansor` to lines of Ansor's log, and back.
#include <gtest/gtest.h>

#include "env/features/trace_tokens.h"
#include "env/measure/store/ansor_steps.h"
#include "spaces/ansor/sketch_space.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

std::vector<float> TokensOf(const Trace& trace) {
  constexpr size_t kRow = kTokenKinds + 20;
  std::vector<float> rows(trace.size() * kRow);
  for (size_t i = 0; i < trace.size(); ++i) {
    WriteToken(trace[i], TokenScale::kShares, std::span(rows).subspan(i * kRow, kRow));
  }
  return rows;
}

TEST(AnsorLogTest, ThereAndBackTokensAreEqual) {
  const auto space = MakeAnsorSpace(ParseSpec("ansor").value());
  int schedules = 0, added = 0;
  for (const char* workload : {"matmul(m=32,n=48,k=64)", "matmul(m=8,n=8,k=512)",
                               "softmax(n=16,m=64)", "conv2d_relu(h=14,w=14,ci=8,co=8,k=3,p=1)",
                               "conv2d_transpose(h=4,w=4,ci=8,co=8,k=4,s=2,p=1)", "norm(n=64,m=64)",
                               "tbs(l=16,heads=2,size=8)", "attention(heads=2,t=16,d=8)"}) {
    const auto task = WorkloadTask(workload, Avx2Target(2));
    Rng rng(11);
    for (int i = 0; i < 40; ++i) {
      const Result<ScheduleState> state = space->Sample(task, rng);
      if (!state) continue;
      ++schedules;
      added += state->size() > task->dag.size() ? 1 : 0;
      const Result<Json> steps = AnsorStepsOf(*state);
      ASSERT_TRUE(steps.ok()) << steps.error().message << "\n" << state->TraceText();
      const auto read = TraceOfAnsorSteps(ParseJson(steps->ToText()).value(), task->dag.size());
      ASSERT_TRUE(read.ok()) << read.error().message << "\n" << steps->ToText();
      EXPECT_EQ(*read, state->trace()) << state->TraceText();
      EXPECT_EQ(TokensOf(*read), TokensOf(state->trace()));
    }
  }
  EXPECT_GT(schedules, 250);
  EXPECT_GT(added, 50);  // with stages added by a step
}

}  // namespace
}  // namespace schedulegym
