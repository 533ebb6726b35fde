#include "env/program/half_reductions.h"

#include <gtest/gtest.h>

#include "env/program/language/parser.h"

namespace schedulegym {
namespace {

// The computation after the conversion of its reductions.
std::string Taken(const std::string& text) {
  const ComputeDag dag = ParseDag(text, "test.dag").value();
  EXPECT_TRUE(ParseDag(dag.ToText(), "printed").value() == dag) << dag.ToText();
  return dag.ToText();
}

TEST(HalfReductionsTest, SumsProductsInF32AndRoundsOnce) {
  EXPECT_EQ(Taken("input A[4, 8] : f16\ninput B[8, 6] : f16\n"
                  "C[i:4, j:6] = sum(k:8) A[i, k] * B[k, j]\n"),
            "input A[4, 8] : f16\ninput B[8, 6] : f16\nC[i:4, j:6] = f16(C_f32[i, j])\n"
            "C_f32[i:4, j:6] = sum(k:8) f32(A[i, k]) * f32(B[k, j])\n");
}

// Terms keep the precision of their type if no product is added.
TEST(HalfReductionsTest, TermsAreHalves) {
  EXPECT_EQ(Taken("input A[8] : bf16\nM[] = max(i:8) A[i] * 2\n"),
            "input A[8] : bf16\nM[] = bf16(M_f32[])\nM_f32[] = max(i:8) f32(A[i] * 2)\n");
  EXPECT_EQ(Taken("input A[8] : f16\nS[] = sum(i:8) exp(A[i])\n"),
            "input A[8] : f16\nS[] = f16(S_f32[])\nS_f32[] = sum(i:8) f32(exp(A[i]))\n");
}

TEST(HalfReductionsTest, SidesOfASelectAreTerms) {
  EXPECT_EQ(Taken("input A[8] : f16\nS[] = sum(i:10) select(i < 8, A[min(i, 7)] * A[0], 0)\n"),
            "input A[8] : f16\nS[] = f16(S_f32[])\n"
            "S_f32[] = sum(i:10) select(i < 8, f32(A[min(i, 7)]) * f32(A[0]), 0)\n");
}

TEST(HalfReductionsTest, TakesAnotherNameWhereThatOneIsTaken) {
  EXPECT_EQ(Taken("input C_f32[8] : f16\nC[] = sum(i:8) C_f32[i]\n"),
            "input C_f32[8] : f16\nC[] = f16(C_f32_[])\nC_f32_[] = sum(i:8) f32(C_f32[i])\n");
}

TEST(HalfReductionsTest, OtherTypesStay) {
  const std::string text = "input A[8]\nS[] = sum(i:8) f32(f16(A[i]))\n";
  EXPECT_EQ(Taken(text), text);
}

TEST(HalfReductionsTest, OutputsKeepTheirOrder) {
  const ComputeDag dag =
      ParseDag("input A[8] : f16\nS[] = sum(i:8) A[i]\nB[i:8] = A[i] + S[]\noutput B\noutput S\n",
               "test.dag")
          .value();
  ASSERT_EQ(dag.outputs().size(), 2u);
  EXPECT_EQ(dag.tensor(dag.outputs()[0]).name, "B");
  EXPECT_EQ(dag.tensor(dag.outputs()[1]).name, "S");
  EXPECT_EQ(dag.tensor(dag.outputs()[1]).type, DType::kF16);
}

}  // namespace
}  // namespace schedulegym
