#include "env/lower/lower.h"

#include <gtest/gtest.h>

#include "tests/env/lower/lowered.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

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
// region of Q is still these two, although its distance from 0 is not constant.
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

constexpr char kWeighted[] = "input X[8]\nweight W[8, 4]\nC[j:4] = sum(k:8) X[k] * W[k, j]\n";
constexpr char kPack[] = "pack(stage=W, readers=[C], tile=[1, 2], order=[1, 0, 2])\n";

// 4 columns in tiles of 2: W[2, 8, 2]. The pack exists before the call.
TEST(LowerTest, PacksWeightsOutsideOfTheCall) {
  const LoopProgram program = Lower(StateAfter(kWeighted, kPack)).value();
  ASSERT_EQ(program.parameters.size(), 3u);
  EXPECT_EQ(program.parameters[1].name, "W");
  EXPECT_TRUE(program.parameters[1].is_packed);
  EXPECT_FALSE(program.parameters[1].is_output);
  EXPECT_EQ(program.parameters[1].bytes, 8 * 4 * 4);
  EXPECT_FALSE(program.parameters[0].is_packed);
  EXPECT_EQ(BodyOf(program),
            "for j in 0..4\n"
            "  allocate C.tile[] : f32 local\n"
            "  C.tile[] = 0.0\n"
            "  for k in 0..8\n"
            "    C.tile[] = C.tile[] + X[k] * W.pack[j // 2, k, j % 2]\n"
            "  C[j] = C.tile[]\n");
  ASSERT_EQ(program.packs.size(), 1u);
  EXPECT_EQ(program.packs[0].parameter, 1);
  EXPECT_EQ(program.packs[0].program->ToText(),
            "input W : f32\n"
            "output W.packed : f32, packed in 128 bytes\n"
            "view W[8, 4] : f32 global of W\n"
            "view W.pack[2, 8, 2] : f32 global of W.packed\n"
            "for i0 in 0..8\n"
            "  for i1 in 0..4\n"
            "    W.pack[i1 // 2, i0, i1 % 2] = W[i0, i1]\n");
}

// The loops of the pack are those of its stage.
TEST(LowerTest, PacksByTheStagesLoops) {
  const LoopProgram program = Lower(StateAfter(StateAfter(kWeighted, kPack),
                                               "split(stage=W.pack, loop=1, lengths=[2])\n"
                                               "reorder(stage=W.pack, order=[1, 0, 2])\n"
                                               "vectorize(stage=W.pack, loop=2)"))
                                  .value();
  EXPECT_EQ(BodyOf(*program.packs[0].program),
            "for i1.0 in 0..2\n"
            "  for i0 in 0..8\n"
            "    vector i1.1 in 0..2\n"
            "      W.pack[i1.0, i0, i1.1] = W[i0, i1.0 * 2 + i1.1]\n");
}

// D reads W as it is: 9 values are 36 bytes, then the next multiple of 64, then 3 tiles of 3 * 1.
TEST(LowerTest, KeepsEveryLayoutThatIsRead) {
  constexpr char kTwo[] =
      "weight W[3, 3]\nC[i:3, j:3] = W[i, j] * 2\nD[i:3, j:3] = W[j, i] + C[i, j]\n";
  constexpr char kSteps[] = "pack(stage=W, readers=[C], tile=[1, 1], order=[1, 0])";
  const LoopProgram program = Lower(StateAfter(kTwo, kSteps)).value();
  const std::string text = program.ToText();
  EXPECT_EQ(text.find("input W : f32, packed in 128 bytes\n"), 0u);
  EXPECT_NE(text.find("view W[3, 3] : f32 global of W\n"), std::string::npos);
  EXPECT_NE(text.find("view W.pack[3, 3] : f32 global of W at byte 64\n"), std::string::npos);
  EXPECT_EQ(BodyOf(*program.packs[0].program),
            "for i0 in 0..3\n"
            "  for i1 in 0..3\n"
            "    W[i0, i1] = W[i0, i1]\n"
            "for i0 in 0..3\n"
            "  for i1 in 0..3\n"
            "    W.pack[i1, i0] = W[i0, i1]\n");
  EXPECT_EQ(FaultOf(kTwo, kSteps), "");
}

// Only weights are known before the call, and only a pack at the root is made once.
TEST(LowerTest, PacksOtherwiseWithinTheCall) {
  const auto packs = [](std::string_view dag, std::string_view steps) {
    EXPECT_EQ(FaultOf(dag, steps), "");
    return Lower(StateAfter(dag, steps)).value().packs.size();
  };
  const std::string input = "input X[8]\ninput W[8, 4]\nC[j:4] = sum(k:8) X[k] * W[k, j]\n";
  EXPECT_EQ(packs(kWeighted, kPack), 1u);
  EXPECT_EQ(packs(input, kPack), 0u);
  std::string at_a_loop = kPack;
  at_a_loop += "compute_at(stage=W.pack, target=C, loop=0)";
  EXPECT_EQ(packs(kWeighted, at_a_loop), 0u);
}

TEST(LowerTest, LeavesOutWhatNothingNeeds) {
  EXPECT_EQ(BodyOf("input A[4]\nQ[i:4] = A[i] * 3\nP[i:4] = Q[i] + 1\nC[i:4] = A[i] - 1\n"
                   "output C\n",
                   ""),
            "for i in 0..4\n"
            "  C[i] = A[i] - 1\n");
}

// Allocations at the root precede the first statement and live throughout; the first is outermost.
TEST(LowerTest, AllocatesWhatIsAtTheRoot) {
  EXPECT_EQ(BodyOf("input A[4]\nP[i:4] = A[i] + 1\nQ[i:4] = P[i] * 2\nC[i:4] = Q[i] - P[i]\n",
                   "compute_inline(stage=Q)"),
            "allocate P[4] : f32 global\n"
            "for i in 0..4\n"
            "  P[i] = A[i] + 1\n"
            "for i in 0..4\n"
            "  C[i] = P[i] * 2 - P[i]\n");
}

// 1024 * 64 copies of a select that unrolling takes apart.
TEST(LowerTest, RefusesProgramsThatAreTooLarge) {
  const auto lowered =
      Lower(StateAfter("input A[1024, 64]\n"
                       "C[i:1024, j:64] = select(i % 2 == 0 && j % 2 == 0, A[i, j], 1)\n",
                       "unroll(stage=C, loop=0)\nunroll(stage=C, loop=1)"));
  ASSERT_FALSE(lowered.ok());
  EXPECT_EQ(lowered.error().kind, ErrorKind::kInvalidSchedule);
  EXPECT_EQ(lowered.error().message,
            "the schedule makes too large a program: its tails and unrolled loops multiply");
}

// 15 = 8 + 4 + 2 + 1 in each of 8 dimensions: 4 copies each time.
TEST(LowerTest, RefusesPacksThatAreTooLarge) {
  std::string shape = "15", axes = "a:15", indices = "a", ones = "1", order = "0", steps;
  for (char name = 'b'; name <= 'h'; ++name) {
    shape += ", 15";
    axes += std::string(", ") + name + ":15";
    indices += std::string(", ") + name;
    ones += ", 1";
    order += ", " + std::to_string(name - 'a');
  }
  for (int d = 0; d < 8; ++d) {
    steps += "split(stage=W.pack, loop=" + std::to_string(4 * d) + ", lengths=[2, 2, 2])\n";
  }
  const auto lowered = Lower(StateAfter(
      "weight W[" + shape + "]\nC[" + axes + "] = W[" + indices + "] + 1\n",
      "pack(stage=W, readers=[C], tile=[" + ones + "], order=[" + order + "])\n" + steps));
  ASSERT_FALSE(lowered.ok());
  EXPECT_EQ(lowered.error().kind, ErrorKind::kInvalidSchedule);
  EXPECT_EQ(lowered.error().message, "packing W makes too large a program");
}

}  // namespace
}  // namespace schedulegym
