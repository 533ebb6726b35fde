#include "env/measure/verification/error_dag.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "env/base/rng.h"
#include "env/measure/verification/verify.h"
#include "tests/env/measure/dag_of.h"
#include "tests/env/measure/expected_cells.h"

namespace schedulegym {
namespace {

constexpr double kUnit = 0x1p-24;

std::vector<float> Reals(int64_t count, Rng& rng) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(2 * rng.Uniform() - 1));
  return values;
}

// Rounds a significand to `bits`, like a format of lower precision.
float Coarse(float value, int bits) {
  const uint32_t step = uint32_t{1} << (24 - bits);
  return std::bit_cast<float>((std::bit_cast<uint32_t>(value) + step / 2) & ~(step - 1));
}

// A matrix product in f32 with its own order of sums; `round` rounds each partial sum.
struct Product {
  int64_t m = 6, n = 5, k = 512;

  std::string Text() const {
    const std::string M = std::to_string(m), N = std::to_string(n), K = std::to_string(k);
    return "input A[" + M + ", " + K + "]\ninput B[" + K + ", " + N + "]\nC[i:" + M + ", j:" + N +
           "] = sum(k:" + K + ") A[i, k] * B[k, j]\n";
  }

  std::vector<float> Run(const std::vector<float>& a, const std::vector<float>& b,
                         const std::vector<int64_t>& order,
                         const std::function<float(float)>& round) const {
    std::vector<float> c;
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t at : order) sum = round(sum + round(a[i * k + at] * b[at * n + j]));
        c.push_back(sum);
      }
    }
    return c;
  }
};

TEST(ErrorDagTest, AProductsBoundIsTheOneOfTheTheory) {
  for (int64_t k : {1, 2, 9, 16, 64, 100}) {
    const Product product{2, 2, k};
    Rng rng(static_cast<uint64_t>(k));
    const std::vector<float> a = Reals(2 * k, rng);
    const std::vector<float> b = Reals(2 * k, rng);
    const Expected expected = Expect(DagOf(product.Text()), {a.data(), b.data()});
    double sum = 0;
    double magnitude = 0;
    for (int64_t i = 0; i < k; ++i) {
      const double term = static_cast<double>(a[k + i]) * b[2 * i];
      sum += term;
      magnitude += std::abs(term);
    }
    const double factor = std::min(4 * std::sqrt(static_cast<double>(k)), static_cast<double>(k));
    EXPECT_NEAR(expected.values[2], sum, 1e-12);
    EXPECT_NEAR(expected.bounds[2], factor * kUnit * magnitude, 1e-9 * expected.bounds[2]) << k;
  }
}

TEST(ErrorDagTest, EveryOrderOfAProductPasses) {
  for (int64_t k : {1, 3, 17, 512, 2000}) {
    const Product product{6, 5, k};
    Rng rng(static_cast<uint64_t>(k));
    const std::vector<float> a = Reals(product.m * k, rng);
    const std::vector<float> b = Reals(product.n * k, rng);
    const ComputeDag dag = DagOf(product.Text());
    const Expected expected = Expect(dag, {a.data(), b.data()});
    std::vector<int64_t> order(static_cast<size_t>(k));
    std::iota(order.begin(), order.end(), 0);
    for (int shuffle = 0; shuffle < 4; ++shuffle) {
      const auto c = product.Run(a, b, order, [](float value) { return value; });
      EXPECT_EQ(CompareBounded(dag.tensor(2), c.data(), expected.values, expected.bounds),
                std::nullopt);
      for (size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<size_t>(rng.Below(static_cast<int64_t>(i)))]);
      }
    }
  }
}

TEST(ErrorDagTest, OnePrecisionLowerIsRejected) {
  for (int64_t k : {8, 64, 512, 2000}) {
    const Product product{6, 5, k};
    Rng rng(static_cast<uint64_t>(k));
    const std::vector<float> a = Reals(product.m * k, rng);
    const std::vector<float> b = Reals(product.n * k, rng);
    const ComputeDag dag = DagOf(product.Text());
    const Expected expected = Expect(dag, {a.data(), b.data()});
    std::vector<int64_t> order(static_cast<size_t>(k));
    std::iota(order.begin(), order.end(), 0);
    const auto rejected = [&](const std::vector<float>& c) {
      return CompareBounded(dag.tensor(2), c.data(), expected.values, expected.bounds).has_value();
    };
    // Sums of f16's precision, with exact inputs.
    EXPECT_TRUE(rejected(product.Run(a, b, order, [](float x) { return Coarse(x, 11); }))) << k;
    // Inputs of bf16's precision, summed in f32.
    std::vector<float> coarse_a = a, coarse_b = b;
    for (float& value : coarse_a) value = Coarse(value, 8);
    for (float& value : coarse_b) value = Coarse(value, 8);
    EXPECT_TRUE(rejected(product.Run(coarse_a, coarse_b, order, [](float x) { return x; }))) << k;
  }
}

TEST(ErrorDagTest, ADroppedTermIsRejected) {
  const Product product{6, 5, 512};
  Rng rng(4);
  const std::vector<float> a = Reals(product.m * 512, rng);
  const std::vector<float> b = Reals(product.n * 512, rng);
  const ComputeDag dag = DagOf(product.Text());
  const Expected expected = Expect(dag, {a.data(), b.data()});
  std::vector<int64_t> order(511);
  std::iota(order.begin(), order.end(), 0);
  const auto c = product.Run(a, b, order, [](float value) { return value; });
  EXPECT_NE(CompareBounded(dag.tensor(2), c.data(), expected.values, expected.bounds),
            std::nullopt);
}

// In unit roundoffs of the sum of magnitudes, for 1,024 positive terms.
double FactorOf(const std::string& text, size_t inputs) {
  std::vector<float> a(inputs);
  for (size_t i = 0; i < inputs; ++i) a[i] = 0.5f + 0.4f * static_cast<float>(i % 7) / 7;
  const Expected expected = Expect(DagOf(text), {a.data()});
  return expected.bounds[0] / (kUnit * expected.values[0]);
}

TEST(ErrorDagTest, TermsThatMayBeEqualHaveTheWorstCase) {
  const std::string begin = "input A[1, 1024]\nC[i:1] = sum(k:1024) ";
  EXPECT_NEAR(FactorOf(begin + "A[i, k]\n", 1024), 4 * 32, 0.01);
  EXPECT_NEAR(FactorOf(begin + "max(A[i, k], 0)\n", 1024), 4 * 32, 0.01);
  EXPECT_NEAR(FactorOf(begin + "select(A[i, k] > 0, A[i, k], 0)\n", 1024), 4 * 32, 0.01);
  EXPECT_NEAR(FactorOf(begin + "max(A[i, k], 0.5)\n", 1024), 1024, 0.01);
  EXPECT_NEAR(FactorOf(begin + "select(A[i, k] > 0.6, A[i, k], 0.5)\n", 1024), 1024, 0.01);
  EXPECT_NEAR(FactorOf(begin + "A[i, 0]\n", 1024), 1024, 0.01);
  EXPECT_NEAR(FactorOf("input A[64]\nC[i:1] = sum(k:64, r:16) A[k]\n", 64), 1024, 0.01);
  EXPECT_NEAR(FactorOf("input A[1]\nB[j:1024] = A[0]\nC[i:1] = sum(k:1024) B[k]\n", 1), 1024, 0.01);
}

TEST(ErrorDagTest, EqualTermsInOrderPass) {
  const ComputeDag dag = DagOf("input A[8]\nC[i:8] = sum(k:1000) A[i]\n");
  Rng rng(1);
  double worst = 0;
  for (int round = 0; round < 20; ++round) {
    const std::vector<float> a = Reals(8, rng);
    const Expected expected = Expect(dag, {a.data()});
    std::vector<float> c(8);
    for (size_t i = 0; i < 8; ++i) {
      for (int k = 0; k < 1000; ++k) c[i] += a[i];
      worst = std::max(worst, std::abs(c[i] - expected.values[i]) / std::abs(expected.values[i]));
    }
    EXPECT_EQ(CompareBounded(dag.tensor(1), c.data(), expected.values, expected.bounds),
              std::nullopt);
  }
  EXPECT_GT(worst, 4 * std::sqrt(1000) * kUnit) << "the roundings are not independent";
}

TEST(ErrorDagTest, CopiesAndPaddingAreExact) {
  const ErrorDag error = MakeErrorDag(DagOf(R"(
input X[4, 5]
P[i:6, j:5] = select(i >= 1 && i < 5, X[i - 1, j], 0)
M[i:6] = max(j:5) abs(P[i, j])
)"))
                             .value();
  EXPECT_EQ(error.bounds, std::vector<std::optional<int>>{std::nullopt});
  EXPECT_EQ(error.dag.size(), 3);
}

TEST(ErrorDagTest, IntegersHaveNoBoundAndKeepTheirType) {
  const ErrorDag error = MakeErrorDag(DagOf(R"(
input X[4]: i8
Y[] = sum(i:4) i32(X[i]) * 3
)"))
                             .value();
  EXPECT_EQ(error.bounds[0], std::nullopt);
  EXPECT_EQ(error.dag.tensor(error.dag.Find("Y")).type, DType::kI32);
}

TEST(ErrorDagTest, ElementwiseRoundingsAddUp) {
  const std::vector<float> a = {3}, b = {-5}, c = {7};
  const Expected expected =
      Expect(DagOf("input A[1]\ninput B[1]\ninput C[1]\nY[i:1] = (A[i] + B[i]) * C[i] + 0.1\n"),
             {a.data(), b.data(), c.data()});
  // A + B: 2u. Times 7: 14u, and 14u for the product. 0.1 in f32: its distance. Sum: 13.9u.
  const double constant = std::abs(0.1 - static_cast<double>(0.1f));
  EXPECT_NEAR(expected.values[0], -13.9, 1e-12);
  EXPECT_NEAR(expected.bounds[0], (14 + 14 + 13.9) * kUnit + constant, 1e-15);
}

TEST(ErrorDagTest, NamesThatAreTakenAreLeft) {
  const auto error = MakeErrorDag(DagOf(R"(
input A_error[4]
A[i:4] = A_error[i] * A_error[i]
)"));
  ASSERT_TRUE(error.ok());
  EXPECT_EQ(error->dag.size(), 3);
}

// For each function of a sum that f32 rounds: its f32 value lies within the bound, and a value
// three times the bound off does not.
TEST(ErrorDagTest, FunctionsCarryTheirArgumentsError) {
  const std::vector<std::pair<std::string, std::function<float(float)>>> functions = {
      {"exp", [](float x) { return std::exp(x); }},
      {"log", [](float x) { return std::log(x); }},
      {"sqrt", [](float x) { return std::sqrt(x); }},
      {"rsqrt", [](float x) { return 1 / std::sqrt(x); }},
      {"tanh", [](float x) { return std::tanh(x); }},
      {"sigmoid", [](float x) { return 1 / (1 + std::exp(-x)); }},
      {"erf", [](float x) { return std::erf(x); }},
      {"floor", [](float x) { return std::floor(x); }},
  };
  Rng rng(8);
  std::vector<float> a, b;
  for (int i = 0; i < 300; ++i) {
    a.push_back(static_cast<float>(1 + 2 * rng.Uniform()));
    b.push_back(static_cast<float>(0.01 * rng.Uniform()));
  }
  a[0] = 1.9999999f;  // rounds up to 2, where floor steps
  b[0] = 1e-7f;
  for (const auto& [name, function] : functions) {
    const ComputeDag dag =
        DagOf("input A[300]\ninput B[300]\nY[i:300] = " + name + "(A[i] + B[i])\n");
    const Expected expected = Expect(dag, {a.data(), b.data()});
    std::vector<float> found;
    for (size_t i = 0; i < a.size(); ++i) found.push_back(function(a[i] + b[i]));
    EXPECT_EQ(CompareBounded(dag.tensor(2), found.data(), expected.values, expected.bounds),
              std::nullopt)
        << name;
    found[7] += static_cast<float>(4e-6 * (1 + std::abs(found[7])));
    EXPECT_NE(CompareBounded(dag.tensor(2), found.data(), expected.values, expected.bounds),
              std::nullopt)
        << name;
  }
}

TEST(ErrorDagTest, DivisionAndPowerCarryBothErrors) {
  const std::vector<float> a = {3}, b = {4};
  const std::string head = "input A[1]\ninput B[1]\n";
  const Expected quotient =
      Expect(DagOf(head + "Y[i:1] = (A[i] * A[i]) / (B[i] * B[i])\n"), {a.data(), b.data()});
  // Two relative errors of u, and the division's own.
  EXPECT_NEAR(quotient.bounds[0], 3 * kUnit * 9 / 16, 1e-12);
  const Expected power =
      Expect(DagOf(head + "Y[i:1] = pow(A[i] * A[i], B[i])\n"), {a.data(), b.data()});
  EXPECT_NEAR(power.bounds[0], (4 + 8) * kUnit * std::pow(9, 4), 1e-7);
}

TEST(ErrorDagTest, AComparisonThatMayTurnAllowsBothSides) {
  const ComputeDag dag = DagOf(R"(
input A[3]
input B[3]
Y[i:3] = select(A[i] + B[i] > 1, 5.0, 7.0)
)");
  const std::vector<float> a = {1, 1, 0.5}, b = {0x1p-26f, 1, 0.25};
  const Expected expected = Expect(dag, {a.data(), b.data()});
  // In f32 the first sum is 1, so it is not above 1.
  EXPECT_EQ(expected.values, (std::vector<double>{5, 5, 7}));
  EXPECT_EQ(expected.bounds, (std::vector<double>{2, 0, 0}));
}

TEST(ErrorDagTest, ProductsOfManyTerms) {
  const std::vector<float> x = {1.5, 2, 4, 0.5};
  const Expected expected = Expect(DagOf("input X[4]\nP[] = prod(i:4) X[i] * X[i]\n"), {x.data()});
  // Four terms with a relative error of u each, and four products.
  EXPECT_NEAR(expected.values[0], 36, 1e-12);
  EXPECT_NEAR(expected.bounds[0], 8 * kUnit * 36, 1e-9);
}

// The conditions of a sum's factors move to the outside, where lowering can use them; the values do
// not change.
TEST(ErrorDagTest, SelectsAmongFactorsGuardTheWholeTerm) {
  const ComputeDag dag = DagOf(R"(
input X[4]
input W[3]
Y[i:8] = sum(k:3) select((i + k) % 2 == 0 && i + k < 8, X[(i + k) // 2], 0) * W[k] * 2
)");
  const ErrorDag error = MakeErrorDag(dag).value();
  for (const char* name : {"Y", "Y_error"}) {
    EXPECT_EQ(error.dag.tensor(error.dag.Find(name)).body->op, Op::kSelect) << name;
  }
  const std::vector<float> x = {1, -2, 3, -4}, w = {0.5, 7, -0.25};
  const Expected expected = Expect(dag, {x.data(), w.data()});
  // i = 2: X[1] W[0] + X[2] W[2]; i = 3: X[2] W[1]; i = 7: its only even sum, 8, is the end.
  EXPECT_EQ(expected.values[2], 2 * (-1 - 0.75));
  EXPECT_EQ(expected.values[3], 2 * 21);
  EXPECT_EQ(expected.values[7], 0);
  // Three terms: factor 3; the inner product rounds, the outer one is the sum's.
  EXPECT_NEAR(expected.bounds[3], (3 * 42 + 42) * kUnit, 1e-12);
  EXPECT_EQ(expected.bounds[7], 0);
}

TEST(ErrorDagTest, ConditionsOnDataStayWhereTheyAre) {
  const ErrorDag error = MakeErrorDag(DagOf(R"(
input X[4]
input W[4]
Y[] = sum(k:4) select(X[k] > 0.5, X[k], 0) * W[k]
)"))
                             .value();
  EXPECT_EQ(error.dag.tensor(error.dag.Find("Y")).body->op, Op::kMultiply);
}

TEST(ErrorDagTest, SoftmaxInSinglePrecisionPasses) {
  const ComputeDag dag = DagOf(R"(
input X[8, 100]
M[i:8] = max(j:100) X[i, j]
E[i:8, j:100] = exp(X[i, j] - M[i])
S[i:8] = sum(j:100) E[i, j]
Y[i:8, j:100] = E[i, j] / S[i]
)");
  Rng rng(2);
  std::vector<float> x = Reals(800, rng);
  for (float& value : x) value *= 10;
  const Expected expected = Expect(dag, {x.data()});
  std::vector<float> y(800);
  for (int i = 0; i < 8; ++i) {
    const float* row = &x[i * 100];
    const float most = *std::max_element(row, row + 100);
    float sum = 0;
    for (int j = 0; j < 100; ++j) sum += y[i * 100 + j] = std::exp(row[j] - most);
    for (int j = 0; j < 100; ++j) y[i * 100 + j] /= sum;
  }
  const Tensor& tensor = dag.tensor(dag.outputs()[0]);
  EXPECT_EQ(CompareBounded(tensor, y.data(), expected.values, expected.bounds), std::nullopt);
  y[123] *= 1 + 2e-5f;
  EXPECT_NE(CompareBounded(tensor, y.data(), expected.values, expected.bounds), std::nullopt);
}

}  // namespace
}  // namespace schedulegym
