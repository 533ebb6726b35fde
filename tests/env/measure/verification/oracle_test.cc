#include "env/measure/verification/oracle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

constexpr int64_t kEnough = 1'000'000;

double NumberOf(const std::string& text, const std::vector<const void*>& inputs,
                const std::string& tensor, std::vector<int64_t> index) {
  const ComputeDag dag = DagOf(text);
  return Oracle(dag, inputs).Cell(dag.Find(tensor), index, kEnough).value().number;
}

int64_t IntegerOf(const std::string& text, const std::vector<const void*>& inputs,
                  const std::string& tensor, std::vector<int64_t> index) {
  const ComputeDag dag = DagOf(text);
  return Oracle(dag, inputs).Cell(dag.Find(tensor), index, kEnough).value().integer;
}

TEST(OracleTest, SumsProductsAndExtremes) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6};   // 2 x 3
  const std::vector<float> b = {1, -1, 2, 0, 5, 7};  // 3 x 2
  const std::string text = R"(
input A[2, 3]
input B[3, 2]
C[i:2, j:2] = sum(k:3) A[i, k] * B[k, j]
P[i:2] = prod(k:3) A[i, k]
M[j:2] = max(k:3) B[k, j]
N[] = min(i:2, k:3) A[i, k] - 10
)";
  const std::vector<const void*> inputs = {a.data(), b.data()};
  EXPECT_EQ(NumberOf(text, inputs, "C", {0, 0}), 1 + 4 + 15);
  EXPECT_EQ(NumberOf(text, inputs, "C", {1, 1}), -4 + 0 + 42);
  EXPECT_EQ(NumberOf(text, inputs, "P", {1}), 120);
  EXPECT_EQ(NumberOf(text, inputs, "M", {0}), 5);
  EXPECT_EQ(NumberOf(text, inputs, "N", {}), -9);
}

TEST(OracleTest, ReadsOnlyTheChosenSide) {
  const std::vector<float> x = {1, 2, 3};
  const std::string text = R"(
input X[3]
P[i:5] = select(i >= 1 && i < 4, X[i - 1], 0)
Y[i:3] = P[i] + 10 * P[i + 1] + 100 * P[i + 2]
)";
  EXPECT_EQ(NumberOf(text, {x.data()}, "Y", {0}), 0 + 10 + 200);
  EXPECT_EQ(NumberOf(text, {x.data()}, "Y", {2}), 2 + 30 + 0);
}

TEST(OracleTest, ChainsOfReductions) {
  const std::vector<float> x = {0, 1, 2, -1, 0.5, 3};
  const std::string text = R"(
input X[2, 3]
M[i:2] = max(j:3) X[i, j]
E[i:2, j:3] = exp(X[i, j] - M[i])
S[i:2] = sum(j:3) E[i, j]
Y[i:2, j:3] = E[i, j] / S[i]
)";
  const double sum = std::exp(-4.0) + std::exp(-2.5) + 1;
  EXPECT_DOUBLE_EQ(NumberOf(text, {x.data()}, "Y", {1, 1}), std::exp(-2.5) / sum);
}

TEST(OracleTest, Functions) {
  const std::vector<double> x = {0.3};
  const auto of = [&](const std::string& value) {
    return NumberOf("input X[1]: f64\nY[i:1] = " + value + "\n", {x.data()}, "Y", {0});
  };
  EXPECT_DOUBLE_EQ(of("log(X[i])"), std::log(0.3));
  EXPECT_DOUBLE_EQ(of("sqrt(X[i]) * rsqrt(X[i])"), 1);
  EXPECT_DOUBLE_EQ(of("tanh(X[i])"), std::tanh(0.3));
  EXPECT_DOUBLE_EQ(of("sigmoid(X[i])"), 1 / (1 + std::exp(-0.3)));
  EXPECT_DOUBLE_EQ(of("erf(X[i])"), std::erf(0.3));
  EXPECT_DOUBLE_EQ(of("pow(X[i], 2.5)"), std::pow(0.3, 2.5));
  EXPECT_EQ(of("floor(X[i] * 10)"), std::floor(0.3 * 10));
  EXPECT_EQ(of("floor(-X[i])"), -1);
  EXPECT_EQ(of("abs(-X[i])"), 0.3);
  EXPECT_EQ(of("select(X[i] < 0.3 || !(X[i] >= 0.3), 1.0, 2.0)"), 2);
  EXPECT_EQ(of("min(X[i], 0.1) + max(X[i], 0.5)"), 0.1 + 0.5);
}

TEST(OracleTest, IntegersWrapTruncateAndFloor) {
  const std::vector<int8_t> x = {100, -7};
  const std::string head = "input X[2]: i8\n";
  EXPECT_EQ(IntegerOf(head + "Y[i:2] = X[i] + X[i]\n", {x.data()}, "Y", {0}), 200 - 256);
  EXPECT_EQ(IntegerOf(head + "Y[] = sum(k:2) X[0] * 2\n", {x.data()}, "Y", {}), (400 - 512) + 0);
  EXPECT_EQ(IntegerOf(head + "Y[i:2] = X[i] / 2\n", {x.data()}, "Y", {1}), -3);
  EXPECT_EQ(IntegerOf(head + "Y[i:2] = X[i] // 2\n", {x.data()}, "Y", {1}), -4);
  EXPECT_EQ(IntegerOf(head + "Y[i:2] = X[i] % 4\n", {x.data()}, "Y", {1}), 1);
  EXPECT_EQ(IntegerOf(head + "Y[i:2] = i32(X[i]) * 1000\n", {x.data()}, "Y", {0}), 100000);
  EXPECT_EQ(
      IntegerOf("input X[1]\nY[i:1] = i32(X[i])\n", {std::vector<float>{-2.7f}.data()}, "Y", {0}),
      -2);
}

TEST(OracleTest, RemembersReductions) {
  const std::vector<float> x(1000, 1.0f);
  const ComputeDag dag = DagOf(R"(
input X[1000]
S[] = sum(i:1000) X[i]
Y[i:1000] = X[i] / S[]
)");
  Oracle oracle(dag, {x.data()});
  for (int64_t i = 0; i < 10; ++i) {
    EXPECT_EQ(oracle.Cell(dag.Find("Y"), std::vector<int64_t>{i}, kEnough)->number, 1e-3);
  }
  EXPECT_EQ(oracle.terms(), 1000 + 10);
}

TEST(OracleTest, GivesUpWhenACellTakesTooMuch) {
  const std::vector<float> x(1000, 1.0f);
  const ComputeDag dag = DagOf("input X[1000]\nS[] = sum(i:1000) X[i]\n");
  Oracle oracle(dag, {x.data()});
  EXPECT_FALSE(oracle.Cell(1, {}, 100).has_value());
  EXPECT_LE(oracle.terms(), 110);
  // A cell that was cut short is not cached.
  EXPECT_EQ(oracle.Cell(1, {}, 2000)->number, 1000);
}

TEST(OracleTest, ConversionsStopAtTheEndsOfAType) {
  const std::vector<float> x = {200.5f, -1e10f, -3.7f, NAN};
  const std::string text = "input X[4]\nY[i:4] = i8(X[i])\nZ[i:4] = i32(X[i])\n";
  EXPECT_EQ(IntegerOf(text, {x.data()}, "Y", {0}), 127);
  EXPECT_EQ(IntegerOf(text, {x.data()}, "Y", {1}), -128);
  EXPECT_EQ(IntegerOf(text, {x.data()}, "Y", {2}), -3);
  EXPECT_EQ(IntegerOf(text, {x.data()}, "Y", {3}), 0);
  EXPECT_EQ(IntegerOf(text, {x.data()}, "Z", {0}), 200);
  EXPECT_EQ(IntegerOf(text, {x.data()}, "Z", {1}), -2147483648);
}

// IEEE 754-2019, maximumNumber and minimumNumber: return the other argument, at any place.
TEST(OracleTest, ExtremesLeaveOutNoNumbers) {
  const std::vector<float> x = {NAN, 2};
  const auto of = [&](const std::string& value) {
    return NumberOf("input X[2]\nY[i:1] = " + value + "\n", {x.data()}, "Y", {0});
  };
  for (const char* function : {"max", "min"}) {
    const std::string head = function;
    EXPECT_EQ(of(head + "(X[0], X[1])"), 2) << head;
    EXPECT_EQ(of(head + "(X[1], X[0])"), 2) << head;
    EXPECT_TRUE(std::isnan(of(head + "(X[0], X[0])"))) << head;
  }
}

// If all terms are NaN the result is that of no terms: the identity.
TEST(OracleTest, ReductionsToExtremesLeaveOutNoNumbers) {
  const std::vector<float> x = {NAN, 2, -3, 2, NAN, -3, NAN, NAN, NAN};
  const auto of = [&](const std::string& reduction, int64_t row) {
    const std::string text = "input X[3, 3]\nY[i:3] = " + reduction + "(k:3) X[i, k]\n";
    return NumberOf(text, {x.data()}, "Y", {row});
  };
  for (int64_t row : {0, 1}) {
    EXPECT_EQ(of("max", row), 2);
    EXPECT_EQ(of("min", row), -3);
  }
  EXPECT_EQ(of("max", 2), -INFINITY);
  EXPECT_EQ(of("min", 2), INFINITY);
}

TEST(OracleTest, SigmoidOfLargeArguments) {
  const std::vector<double> x = {-735};
  EXPECT_GT(NumberOf("input X[1]: f64\nY[i:1] = sigmoid(X[i])\n", {x.data()}, "Y", {0}), 0);
}

}  // namespace
}  // namespace schedulegym
