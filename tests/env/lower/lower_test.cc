#include "env/lower/lower.h"

#include <gtest/gtest.h>

#include "backends/interpreter/interpreter.h"
#include "experiments/fuzz/differential.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// What is wrong with the program that the steps lead to, run in the interpreter; "" if nothing.
std::string FaultOf(std::string_view dag, std::string_view steps) {
  const auto task = TaskOf(dag, BackendKind::kInterpreter);
  const auto interpreter = MakeInterpreter(task->target);
  return Differential(task, 1).Run(StateAfter(task, steps), *interpreter).message;
}

// The program's statements, without its head.
std::string BodyOf(std::string_view dag, std::string_view steps) {
  const std::string text = Lower(StateAfter(dag, steps)).value().ToText();
  const size_t last_view = text.rfind("\nview ");
  return text.substr(text.find('\n', last_view + 1) + 1);
}

// W.pack reads W through a copy, so it cannot be made outside of the call.
TEST(LowerTest, PacksAWeightsCopyWithinTheCall) {
  constexpr char kDag[] = "weight W[8, 4]\ninput X[8]\nC[j:4] = sum(k:8) X[k] * W[k, j]\n";
  constexpr char kSteps[] =
      "pack(stage=W, readers=[C], tile=[1, 2], order=[1, 0, 2])\n"
      "cache_read(stage=W, scope=global, readers=[W.pack])\n";
  EXPECT_EQ(FaultOf(kDag, kSteps), "");
  EXPECT_TRUE(Lower(StateAfter(kDag, kSteps)).value().packs.empty());
}

// With k spatial, C.rf[0] reads X[-1]: a sum without terms, which is still 0.
TEST(LowerTest, WritesSumsWithoutTerms) {
  constexpr char kDag[] = "input X[4, 3]\nC[] = sum(k:4, c:3) select(k >= 1, X[k - 1, c], 0)\n";
  EXPECT_EQ(FaultOf(kDag, "rfactor(stage=C, loop=0, axis=0)"), "");
  EXPECT_EQ(FaultOf(kDag, "rfactor(stage=C, loop=0, axis=0)\nunroll(stage=C.rf, loop=0)"), "");
  EXPECT_EQ(FaultOf(kDag, "rfactor(stage=C, loop=0, axis=0)\nparallel(stage=C.rf, loop=0)"), "");
  EXPECT_EQ(FaultOf("input X[4]\nC[i:6] = sum(k:2) select(i >= 1 && i < 5, X[i - 1], 0)\n", ""),
            "");
}

// At loop 0 two values of P are needed, 0 and 1, and so two of Q. Further in, where i is known, the
// region of Q is still those two, although its distance from 0 is not constant.
TEST(LowerTest, NeedsNoMoreFurtherIn) {
  constexpr char kDag[] =
      "input A[5]\nP[i:5] = A[i] + 1\nQ[i:5] = P[i] * 2\nC[i:3] = Q[i // 2] + Q[i // 4]\n";
  constexpr char kSteps[] =
      "split(stage=C, loop=0, lengths=[3])\n"
      "compute_at(stage=Q, target=C, loop=1)\ncompute_at(stage=P, target=C, loop=0)\n";
  EXPECT_EQ(FaultOf(kDag, kSteps), "");
  EXPECT_NE(BodyOf(kDag, kSteps).find("allocate Q[2]"), std::string::npos);
}

// 10 in parts of 4: two whole ones and one of 2, none of them guarded.
TEST(LowerTest, PeelsTails) {
  EXPECT_EQ(BodyOf("input A[10]\nC[i:10] = A[i] + 1\n", "split(stage=C, loop=0, lengths=[4])"),
            "for i.0 in 0..2\n"
            "  for i.1 in 0..4\n"
            "    C[i.0 * 4 + i.1] = A[i.0 * 4 + i.1] + 1\n"
            "for i.1 in 0..2\n"
            "  C[i.1 + 8] = A[i.1 + 8] + 1\n");
}

}  // namespace
}  // namespace schedulegym
