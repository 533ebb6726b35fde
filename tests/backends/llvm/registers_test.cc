#include <gtest/gtest.h>

#include "tests/backends/llvm/generated_code.h"
#include "tests/support/count_of.h"

namespace schedulegym {
namespace {

constexpr char kNarrow[] = "llvm(cores=1,vector_bits=256,vector_registers=16)";

// Rows of W, one vector each, are the same for every i.
std::string Products(int rows) {
  const std::string count = std::to_string(rows);
  return "input A[32, " + count + "]\ninput W[" + count + ", 8]\nC[i:32, j:8] = sum(r:" + count +
         ") A[i, r] * W[r, j]\n";
}
constexpr char kUnrolled[] =
    "reorder(stage=C, order=[0, 2, 1])\nunroll(stage=C, loop=1)\nvectorize(stage=C, loop=2)\n";

// Vectors loaded before the loop and within it.
struct Loads {
  int before = 0, within = 0;
};

Loads VectorLoads(int rows) {
  const std::string text = GeneratedIr(kNarrow, Products(rows), kUnrolled);
  const size_t loop = text.find("\nloop:");
  EXPECT_NE(loop, std::string::npos) << text;
  constexpr char kLoad[] = "load <8 x float>";
  return {CountOf(kLoad, text.substr(0, loop)), CountOf(kLoad, text.substr(loop))};
}

TEST(RegistersTest, WhatFitsIsLoadedOnceBeforeTheLoop) {
  EXPECT_EQ(VectorLoads(6).before, 6);
  EXPECT_EQ(VectorLoads(6).within, 0);
}

// At most half of the registers: the others hold results.
TEST(RegistersTest, WhatDoesNotIsLoadedWhereItIsNeeded) {
  EXPECT_EQ(VectorLoads(40).before, 8);
  EXPECT_EQ(VectorLoads(40).within, 32);
}

// Spilled vectors stay within cache lines.
TEST(RegistersTest, StacksAreAlignedToVectors) {
  EXPECT_GT(CountOf("alignstack(32)", GeneratedIr(kNarrow, Products(6), kUnrolled)), 0);
  const std::string wide = "llvm(cores=1,vector_bits=512,vector_registers=32)";
  EXPECT_GT(CountOf("alignstack(64)", GeneratedIr(wide, Products(6), kUnrolled)), 0);
}

}  // namespace
}  // namespace schedulegym
