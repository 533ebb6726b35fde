#include <gtest/gtest.h>

#include "tests/backends/llvm/generated_code.h"
#include "tests/support/count_of.h"

namespace schedulegym {
namespace {

// Number of prefetches in the code for 8 x 64 cells, from a weight of 16 KiB in panels.
int Prefetches(const std::string& target, const std::string& kind, const std::string& steps) {
  const std::string dag =
      "input A[8, 64]\n" + kind + " W[64, 64]\nC[i:8, j:64] = sum(r:64) A[i, r] * W[r, j]\n";
  return CountOf("call void @llvm.prefetch", GeneratedIr(target, dag, steps));
}

// Each step of the reduction reads two vectors of 64 bytes of W, or four of 32.
constexpr char kPanels[] =
    "pack(stage=W, readers=[C], tile=[1, 32], order=[1, 0, 2])\n"
    "split(stage=C, loop=1, lengths=[32])\n"
    "reorder(stage=C, order=[1, 0, 3, 2])\n"
    "vectorize(stage=C, loop=3)\n";

TEST(Prefetch, AsksForEachLineOfAWeightThatTheCacheCannotKeep) {
  EXPECT_EQ(Prefetches("llvm(cores=1,l2=16384)", "weight", kPanels), 2);
  EXPECT_EQ(Prefetches("llvm(cores=1,l2=16384,vector_bits=128)", "weight", kPanels), 2);
}

TEST(Prefetch, LeavesAWeightThatStaysInTheCache) {
  EXPECT_EQ(Prefetches("llvm(cores=1,l2=32768)", "weight", kPanels), 0);
}

TEST(Prefetch, LeavesWhatIsPackedInTheCallOrNotAtAll) {
  EXPECT_EQ(Prefetches("llvm(cores=1,l2=16384)", "input", kPanels), 0);
  constexpr char kPlain[] = "reorder(stage=C, order=[0, 2, 1])\nvectorize(stage=C, loop=2)\n";
  EXPECT_EQ(Prefetches("llvm(cores=1,l2=16384)", "weight", kPlain), 0);
}

}  // namespace
}  // namespace schedulegym
