#include "experiments/bench/peers/peer_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Target WithVectors(int bits) {
  Target target;
  target.vector_bits = bits;
  return target;
}

TEST(LibraryLimitsTest, TargetsWithAllVectorsHoldNothingBack) {
  EXPECT_THAT(LibraryLimits(WithVectors(512), WithVectors(512)), IsEmpty());
  EXPECT_THAT(LibraryLimits(WithVectors(256), WithVectors(256)), IsEmpty());
}

TEST(LibraryLimitsTest, NarrowerTargetsHoldBothLibraries) {
  EXPECT_THAT(LibraryLimits(WithVectors(256), WithVectors(512)),
              ElementsAre("ONEDNN_MAX_CPU_ISA=AVX2", "OPENBLAS_CORETYPE=Haswell"));
  EXPECT_THAT(LibraryLimits(WithVectors(128), WithVectors(256)),
              ElementsAre("ONEDNN_MAX_CPU_ISA=SSE41", "OPENBLAS_CORETYPE=Nehalem"));
}

TEST(LibraryLimitsTest, TheInterpreterIsNoMatchAnyway) {
  Target interpreter = WithVectors(128);
  interpreter.backend = BackendKind::kInterpreter;
  EXPECT_THAT(LibraryLimits(interpreter, WithVectors(512)), IsEmpty());
}

}  // namespace
}  // namespace schedulegym
