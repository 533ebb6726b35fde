#include "backends/backend.h"

#include <gtest/gtest.h>

#include "env/base/fault.h"
#include "tests/support/program_runner.h"

namespace schedulegym {
namespace {

TEST(MakeBackend, MakesWhatTheTargetNames) {
  EXPECT_EQ(MakeBackend(TargetOf("interpreter"))->target().backend, BackendKind::kInterpreter);
  EXPECT_THROW(MakeBackend(TargetOf("cuda(card=a100)")), MachineError);
}

#ifdef SCHEDULEGYM_HAS_LLVM
TEST(MakeBackend, RefusesFeaturesThatThisMachineLacks) {
  Target target = TargetOf("llvm");
  EXPECT_EQ(MakeBackend(target)->target(), target);
  target.features.push_back("xop");
  target.features.push_back("avxvnniint16");
  EXPECT_THROW(MakeBackend(target), MachineError);
}
#endif

}  // namespace
}  // namespace schedulegym
