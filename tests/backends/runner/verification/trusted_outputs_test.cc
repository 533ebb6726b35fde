#include "backends/runner/verification/trusted_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/backends/runner/faulty_backend.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;

class TrustedOutputsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (size_t i = 0; i < 40; ++i) x_.As<float>()[i] = static_cast<float>(i % 7) - 3;
  }

  Result<std::vector<AlignedBuffer>> Exact(double most_naive_flops = 1e8) {
    return ExactOutputs(task_, inputs_, {0}, {backend_, reference_, most_naive_flops}, rng_);
  }

  Result<RealOutputs> Bounded() {
    return BoundedOutputs(task_, MakeErrorDag(task_.dag).value(), inputs_, {backend_, reference_},
                          rng_);
  }

  Task task_{DagOf("input X[5, 8]\nY[i:5] = sum(k:8) X[i, k] * X[i, k]\n"),
             MakeTarget(ParseSpec("interpreter").value()), "squares"};
  Misdeed misdeed_;
  FaultyBackend backend_{task_.target, misdeed_};
  int references_ = 0;
  ReferenceFunction reference_ = [this](std::shared_ptr<const Task> task) {
    ++references_;
    return ReplayText(std::move(task), "trace 1\nsplit(stage=Y, loop=1, lengths=[4])\n").value();
  };
  AlignedBuffer x_{40 * 4};
  std::vector<void*> inputs_ = {x_.data()};
  Rng rng_{1};
};

TEST_F(TrustedOutputsTest, SmallComputationsRunTheNaiveProgram) {
  const auto outputs = Exact();
  ASSERT_TRUE(outputs.ok()) << outputs.error().message;
  // 9 + 4 + 1 + 0 + 1 + 4 + 9 + 9
  EXPECT_EQ((*outputs)[0].As<float>()[0], 37);
  EXPECT_EQ(references_, 0);
}

TEST_F(TrustedOutputsTest, LargeOnesRunTheReference) {
  const auto outputs = Exact(79);
  ASSERT_TRUE(outputs.ok()) << outputs.error().message;
  EXPECT_EQ((*outputs)[0].As<float>()[0], 37);
  EXPECT_EQ(references_, 1);
  Exact(80).value();
  EXPECT_EQ(references_, 1);
}

TEST_F(TrustedOutputsTest, ValuesComeWithBounds) {
  const auto real = Bounded();
  ASSERT_TRUE(real.ok()) << real.error().message;
  EXPECT_EQ(real->values[0].As<double>()[0], 37);
  // Eight terms: at most eight roundings.
  EXPECT_NEAR(real->bounds[0]->As<double>()[0], 8 * 37 * 0x1p-24, 1e-12);
}

TEST_F(TrustedOutputsTest, AWrongCellIsABug) {
  misdeed_.after_call = [](std::span<void* const> arguments, int) {
    static_cast<float*>(arguments[1])[4] += 1;
  };
  try {
    Exact().value();
    FAIL() << "trusted a wrong kernel";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Y[4]"));
  }
}

TEST_F(TrustedOutputsTest, AWrongBoundIsABug) {
  misdeed_.after_call = [](std::span<void* const> arguments, int) {
    static_cast<double*>(arguments[2])[2] *= 2;
  };
  EXPECT_THROW(Bounded().value(), std::logic_error);
}

// max and min leave out NaN at any place: in the kernel, the oracle and the comparison.
TEST_F(TrustedOutputsTest, NansCompareAsDefined) {
  task_.dag = DagOf(R"(
input X[5, 8]
L[i:4] = log(X[0, i])
E[i:4] = max(-9.0, log(X[0, i]))
F[i:4] = min(log(X[0, i]), 9.0)
M[i:2] = max(k:3) log(X[0, 3 * i + k])
W[i:4] = i32(max(5.0, log(X[0, i])))
output L
output E
output F
output M
output W
)");
  const std::vector<float> row = {-3, 0, 1, -1, -2, -1};
  std::copy(row.begin(), row.end(), x_.As<float>().begin());
  const auto real = Bounded();
  ASSERT_TRUE(real.ok()) << real.error().message;
  std::vector<float> l = {NAN, -INFINITY, 0, NAN}, e = {-9, -9, 0, -9}, f = {9, -INFINITY, 0, 9};
  std::vector<float> m = {0, -INFINITY};
  std::vector<int32_t> w = {5, 5, 5, 5};
  const std::vector<void*> found = {l.data(), e.data(), f.data(), m.data(), w.data()};
  EXPECT_EQ(CompareReals(task_.dag, *real, found), std::nullopt);
  // A number in place of NaN, and NaN in place of a number.
  for (float* cell : {&l[0], &e[0], &f[3], &m[1]}) {
    const float right = std::exchange(*cell, cell == l.data() ? 0.0f : NAN);
    EXPECT_NE(CompareReals(task_.dag, *real, found), std::nullopt);
    *cell = right;
  }
  w[0] = 0;
  EXPECT_NE(CompareReals(task_.dag, *real, found), std::nullopt);
}

TEST_F(TrustedOutputsTest, FailuresToCompileAndRunComeThrough) {
  misdeed_.compile_error = Error{ErrorKind::kUnsupported, "no such type"};
  EXPECT_EQ(Exact().error().message, "no such type");
  misdeed_ = {.run_error = Error{ErrorKind::kRun, "fell over"}};
  EXPECT_EQ(Bounded().error().message, "fell over");
}

}  // namespace
}  // namespace schedulegym
