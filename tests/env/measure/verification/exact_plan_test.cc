#include "env/measure/verification/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A dot product of vectors of this length and type.
ExactPlan PlanOfDot(const std::string& length, const std::string& type = "f32") {
  return PlanExact(DagOf("input A[" + length + "]: " + type + "\ninput B[" + length + "]: " + type +
                         "\nC[] = sum(k:" + length + ") A[k] * B[k]\n"));
}

TEST(ExactPlanTest, RangesShrinkAsSumsGrow) {
  // length * range^2 <= 2^24.
  EXPECT_EQ(PlanOfDot("64").range, 8);
  EXPECT_EQ(PlanOfDot("262144").range, 8);
  EXPECT_EQ(PlanOfDot("262145").range, 4);
  EXPECT_EQ(PlanOfDot("1048577").range, 3);
  EXPECT_EQ(PlanOfDot("4194304").range, 2);
  EXPECT_EQ(PlanOfDot("16777216").range, 1);
  EXPECT_THAT(PlanOfDot("16777216").outputs, ElementsAre(0));
}

TEST(ExactPlanTest, OneInputIsAsWideAsTheTypeAllows) {
  EXPECT_THAT(PlanOfDot("64").wide, ElementsAre(4096, 64));
  EXPECT_THAT(PlanOfDot("4096").wide, ElementsAre(4096, 1));
  EXPECT_THAT(PlanOfDot("4608").wide, ElementsAre(3072, 1));  // 2^24 / 4608 = 3640.9
  EXPECT_THAT(PlanOfDot("16777216").wide, ElementsAre(1, 1));
}

TEST(ExactPlanTest, IntegersAndDivisorsAreNotWidened) {
  EXPECT_THAT(PlanOfDot("64", "i8").wide, ElementsAre(8, 8));
  const ExactPlan divides =
      PlanExact(DagOf("input X[4]: i32\ninput Y[4]: i32\nZ[i:4] = X[i] / Y[i]\n"));
  EXPECT_THAT(divides.wide, ElementsAre(divides.range, divides.range));
}

TEST(ExactPlanTest, SumsBeyondTheTypeAreNotExact) {
  const ExactPlan plan = PlanOfDot("16777217");
  EXPECT_THAT(plan.outputs, IsEmpty());
  EXPECT_THAT(plan.reason, HasSubstr("C may reach"));
  EXPECT_THAT(plan.reason, HasSubstr("f32 has gaps"));
  EXPECT_THAT(PlanOfDot("16777217", "f64").outputs, ElementsAre(0));
  EXPECT_EQ(PlanOfDot("16777217", "f64").range, 8);
}

TEST(ExactPlanTest, IntegersWrapAndAreAlwaysExact) {
  EXPECT_THAT(PlanOfDot("16777217", "i32").outputs, ElementsAre(0));
  EXPECT_THAT(PlanOfDot("1000", "i8").outputs, ElementsAre(0));
}

TEST(ExactPlanTest, ChainsMultiply) {
  const ExactPlan plan = PlanExact(DagOf(R"(
input A[512, 512]
input B[512, 512]
input D[512, 512]
C[i:512, j:512] = sum(k:512) A[i, k] * B[k, j]
E[i:512, j:512] = sum(k:512) C[i, k] * D[k, j]
)"));
  // 2^18 r^3 <= 2^24 holds up to 4.
  EXPECT_THAT(plan.outputs, ElementsAre(0));
  EXPECT_EQ(plan.range, 4);
  EXPECT_EQ(plan.reason, "");
}

TEST(ExactPlanTest, ElementwiseOperationsStayExact) {
  const ExactPlan plan = PlanExact(DagOf(R"(
input X[9, 7]
input b[7]
P[i:11, j:7] = select(i >= 1 && i < 10, X[i - 1, j], 0)
S[i:9, j:7] = max((P[i, j] + b[j]) * P[i + 2, j] - 3, 0)
M[i:9] = max(j:7) -S[i, j]
T[i:9] = floor(abs(M[i])) + min(M[i], 2)
)"));
  EXPECT_THAT(plan.outputs, ElementsAre(0));
}

TEST(ExactPlanTest, FunctionsAreNotExact) {
  const ExactPlan plan = PlanExact(DagOf(R"(
input X[4, 5]
E[i:4, j:5] = exp(X[i, j])
S[i:4] = sum(j:5) E[i, j]
)"));
  EXPECT_THAT(plan.outputs, IsEmpty());
  EXPECT_EQ(plan.reason, "exp in E is not exact");
}

TEST(ExactPlanTest, FractionsAreNotExact) {
  const ExactPlan plan = PlanExact(DagOf("input X[4]\nY[i:4] = X[i] * 0.5\n"));
  EXPECT_THAT(plan.outputs, IsEmpty());
  EXPECT_EQ(plan.reason, "the constant 0.5 is no integer");
  EXPECT_THAT(PlanExact(DagOf("input X[4]\nY[i:4] = X[i] * 2.0\n")).outputs, ElementsAre(0));
}

TEST(ExactPlanTest, OneRoundingAtTheEndIsAllowed) {
  const ExactPlan norm = PlanExact(DagOf(R"(
input X[4, 5]
S[] = sum(i:4, j:5) X[i, j] * X[i, j]
Y[] = sqrt(S[])
Z[] = S[] / 3
)"));
  EXPECT_THAT(norm.outputs, ElementsAre(0, 1));
  // The order matters for further arithmetic on a rounded value.
  const ExactPlan more = PlanExact(DagOf(R"(
input X[4]
Y[i:4] = sqrt(abs(X[i]))
Z[i:4] = Y[i] + X[i]
)"));
  EXPECT_THAT(more.outputs, IsEmpty());
}

// 1 / 0 and 1 / -0 are infinities of either sign, and the largest of 0 and -0 is either.
TEST(ExactPlanTest, DivisorsWhoseZerosMayDifferAreNotExact) {
  const std::string head = "input A[4, 5]\n";
  const auto plan_of = [&](const std::string& term) {
    return PlanExact(DagOf(head + "M[i:4] = max(k:5) " + term + "\nY[i:4] = 1 / M[i]\n"));
  };
  EXPECT_THAT(plan_of("A[i, k] * 2").outputs, IsEmpty());
  EXPECT_EQ(plan_of("-A[i, k]").reason, "the sign of a zero by which Y divides is not exact");
  EXPECT_THAT(plan_of("abs(A[i, k] * 2)").outputs, ElementsAre(0));
  EXPECT_THAT(plan_of("A[i, k]").outputs, ElementsAre(0));
  const ExactPlan sum = PlanExact(DagOf(head + "S[i:4] = sum(k:5) -A[i, k]\nY[i:4] = 1 / S[i]\n"));
  EXPECT_THAT(sum.outputs, ElementsAre(0));
}

TEST(ExactPlanTest, OutputsAreJudgedOneByOne) {
  const ExactPlan plan = PlanExact(DagOf(R"(
input A[8, 8]
C[i:8, j:8] = sum(k:8) A[i, k] * A[k, j]
E[i:8, j:8] = tanh(C[i, j])
output E
output C
)"));
  EXPECT_THAT(plan.outputs, ElementsAre(1));
  EXPECT_EQ(plan.reason, "tanh in E is not exact");
}

TEST(ExactPlanTest, ProductsOfManyTermsNeedOnes) {
  const ExactPlan plan = PlanExact(DagOf("input X[100]\nP[] = prod(i:100) X[i]\n"));
  EXPECT_THAT(plan.outputs, ElementsAre(0));
  EXPECT_EQ(plan.range, 1);
}

TEST(ExactPlanTest, CastsMustFit) {
  EXPECT_THAT(PlanExact(DagOf("input X[4]: i8\nY[i:4] = f32(X[i])\n")).outputs, ElementsAre(0));
  const ExactPlan plan = PlanExact(DagOf(R"(
input X[4]: i32
Y[i:4, j:4] = X[i] * X[i] * X[j] * X[j] * X[i] * X[j] * X[i] * X[j] * X[i] * X[j]
Z[i:4, j:4] = f32(Y[i, j])
)"));
  // 4^10 = 2^20 fits, 8^10 does not.
  EXPECT_EQ(plan.range, 4);
  EXPECT_THAT(plan.outputs, ElementsAre(0));
}

TEST(ExactPlanTest, IntegerDivisionByTensorsAsksForPositiveInputs) {
  const std::string head = "input X[4]: i32\ninput Y[4]: i32\n";
  EXPECT_TRUE(PlanExact(DagOf(head + "Z[i:4] = X[i] / Y[i]\n")).positive);
  EXPECT_TRUE(PlanExact(DagOf(head + "Z[i:4] = X[i] % Y[i]\n")).positive);
  EXPECT_FALSE(PlanExact(DagOf(head + "Z[i:4] = X[i] / 3 + Y[i // 2]\n")).positive);
}

}  // namespace
}  // namespace schedulegym
