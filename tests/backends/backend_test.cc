#include "backends/backend.h"

#include <gtest/gtest.h>

#ifdef SCHEDULEGYM_HAS_LLVM
#include "backends/llvm/llvm_backend.h"
#endif
#include "env/base/fault.h"
#include "env/program/targets/target_names.h"
#include "tests/support/program_runner.h"

namespace schedulegym {
namespace {

TEST(MakeBackend, MakesWhatTheTargetNames) {
  EXPECT_EQ(MakeBackend(TargetOf("interpreter"))->target().backend, BackendKind::kInterpreter);
  EXPECT_EQ(MakeBackend(TargetOf("cuda(card=a100)"))->Compile({}, {}).error().kind,
            ErrorKind::kUnsupported);
}

#ifdef SCHEDULEGYM_HAS_LLVM
TEST(MakeBackend, RefusesFeaturesThatThisMachineLacks) {
  Target target = TargetOf("llvm");
  EXPECT_EQ(MakeBackend(target)->target(), target);
  target.features.push_back("xop");
  target.features.push_back("avxvnniint16");
  EXPECT_THROW(MakeBackend(target), MachineError);
}

TEST(MakeBackend, RefusesNamesThatLlvmDoesNotKnow) {
  EXPECT_THROW(MakeBackend(TargetOf("llvm(cpu=znver9)")), InputError);
  EXPECT_THROW(MakeBackend(TargetOf("llvm(features=\"avx512\")")), InputError);
}

// KnownTargetNames() keeps a copy of the names for builds without LLVM.
TEST(LlvmTargetNamesTest, AreThoseThatTargetsMayHave) {
  const TargetNames names = LlvmTargetNames();
  EXPECT_EQ(KnownTargetNames().cpus, names.cpus);
  EXPECT_EQ(KnownTargetNames().features, names.features);
}
#endif

}  // namespace
}  // namespace schedulegym
