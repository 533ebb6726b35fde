#include "spaces/code_limit.h"

#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "env/base/rng.h"
#include "env/lower/code_size.h"
#include "env/lower/lower.h"
#include "spaces/builtin_spaces.h"
#include "spaces/schedulegym/reference.h"
#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

double MostIn(const std::string& space, const std::string& workload = "matmul(m=64,n=64,k=64)") {
  return MostCodeIn(ParseSpec(space).value(), WorkloadTask(workload, Avx2Target()));
}

// Lowering stops early exactly for programs that the limit would reject as a whole.
TEST(CodeLimitTest, RefusesWhatTheWholeProgramHasTooMuchOf) {
  const auto task = WorkloadTask("conv2d_transpose(h=4,w=4,ci=8,co=3,k=4,s=2,p=1)", Avx2Target());
  const auto space = MakeSpace(ParseSpec("ansor").value());
  Rng rng(7);
  int refused = 0, kept = 0;
  for (int i = 0; i < 60; ++i) {
    const auto state = space->Sample(task, rng);
    if (!state) continue;
    const auto program = Lower(*state);
    if (!program) continue;
    const double code = CodeSize(*program, task->target);
    for (const double most : {0.25 * code, 0.9 * code, code - 0.5, code, 2 * code}) {
      EXPECT_EQ(CheckCodeSize(*state, most).ok(), code <= most) << state->TraceText();
      ++(code <= most ? kept : refused);
    }
  }
  EXPECT_GT(kept, 20);
  EXPECT_GT(refused, 20);
}

// As in the spaces' own entries.
TEST(CodeLimitTest, ComesFromTheOptionOfASpace) {
  EXPECT_EQ(MostIn("schedulegym"), 2500);
  EXPECT_EQ(MostIn("ansor"), 10000);
  EXPECT_EQ(MostIn("ansor(code=3000, tile=false)"), 3000);
  EXPECT_EQ(MostIn("schedulegym(code=100000)"), 100000);
  EXPECT_THROW(MostIn("nowhere"), InputError);
}

TEST(CodeLimitTest, LeavesRoomForTheReferenceSchedule) {
  const std::string workload = "conv2d(n=1,h=14,w=14,ci=32,co=48,k=3,s=1,p=1)";
  const auto task = WorkloadTask(workload, Avx2Target());
  const double reference = CodeSize(Lower(ReferenceSchedule(task)).value(), task->target);
  EXPECT_EQ(MostCodeOf(task, 1), 1.5 * reference);
  EXPECT_EQ(MostCodeOf(task, 2 * reference), 2 * reference);
}

}  // namespace
}  // namespace schedulegym
