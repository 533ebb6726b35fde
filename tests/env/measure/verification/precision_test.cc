// Gate B's bound on whole operators: every legal order passes, one precision lower does not.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <map>

#include "env/measure/verification/error_dag.h"
#include "env/measure/verification/inputs.h"
#include "env/program/workloads/workload.h"
#include "tests/env/measure/verification/rounded_run.h"

namespace schedulegym {
namespace {

constexpr int kSeeds = 3;
constexpr SumOrder kOrders[] = {SumOrder::kForward, SumOrder::kBackward, SumOrder::kPairwise,
                                SumOrder::kLanes8,  SumOrder::kLanes64,  SumOrder::kShuffled};

// A workload, its inputs as verification draws them, and the expected values.
class Expected {
 public:
  Expected(const std::string& workload, uint64_t seed)
      : dag_(MakeWorkload(ParseSpec(workload).value())), error_(MakeErrorDag(dag_).value()) {
    Rng rng(seed);
    for (int input : dag_.inputs()) inputs_.push_back(Draw(dag_.tensor(input), rng));
    const Precision exact = {53, 53};
    const Cells cells = RunRounded(error_.dag, inputs_, exact, SumOrder::kPairwise, rng);
    values_ = cells[error_.dag.outputs()[0]];
    bounds_ = cells[error_.dag.outputs()[*error_.bounds[0]]];
  }

  // The largest error as a share of the allowed one: at most 1 is right.
  double Excess(const Precision& precision, SumOrder order, uint64_t seed) const {
    Rng rng(seed);
    const int output = dag_.outputs()[0];
    const Cells cells = RunRounded(dag_, inputs_, precision, order, rng);
    double excess = 0;
    for (size_t i = 0; i < values_.size(); ++i) {
      const double allowed = bounds_[i] + FinalRounding(dag_.tensor(output).type, values_[i]);
      excess = std::max(excess, std::abs(cells[output][i] - values_[i]) / allowed);
    }
    return excess;
  }

 private:
  static std::vector<double> Draw(const Tensor& tensor, Rng& rng) {
    const auto count = static_cast<size_t>(tensor.NumElements());
    if (tensor.type == DType::kF64) {
      std::vector<double> values(count);
      FillInput(tensor, InputPattern::kReals, {}, rng, values.data());
      return values;
    }
    std::vector<float> values(count);
    FillInput(tensor, InputPattern::kReals, {}, rng, values.data());
    return {values.begin(), values.end()};
  }

  ComputeDag dag_;
  ErrorDag error_;
  Cells inputs_;
  std::vector<double> values_, bounds_;
};

// Computed once per workload and seed.
const Expected& ExpectedOf(const std::string& workload, uint64_t seed) {
  static std::map<std::pair<std::string, uint64_t>, Expected> made;
  return made.try_emplace({workload, seed}, workload, seed).first->second;
}

std::string NameOf(const testing::TestParamInfo<const char*>& info) {
  std::string name;
  for (const char* c = info.param; *c != 0; ++c) name += std::isalnum(*c) ? *c : '_';
  return name;
}

class SinglePrecisionTest : public testing::TestWithParam<const char*> {};
class DoublePrecisionTest : public testing::TestWithParam<const char*> {};

void ExpectOrdersPass(const std::string& workload, int bits) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Expected& expected = ExpectedOf(workload, seed);
    for (SumOrder order : kOrders) {
      for (bool fused : {false, true}) {
        EXPECT_LE(expected.Excess({bits, bits, 53, fused}, order, seed), 1)
            << "order " << static_cast<int>(order) << ", fused " << fused << ", seed " << seed;
      }
    }
  }
}

void ExpectRejected(const std::string& workload, const Precision& precision) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Expected& expected = ExpectedOf(workload, seed);
    for (SumOrder order : {SumOrder::kPairwise, SumOrder::kLanes8}) {
      const double excess = expected.Excess(precision, order, seed);
      EXPECT_GT(excess, 1) << "order " << static_cast<int>(order) << ", seed " << seed;
    }
  }
}

TEST_P(SinglePrecisionTest, EveryOrderPasses) { ExpectOrdersPass(GetParam(), 24); }

// bf16 has 8 bits of significand, f16 and tf32 have 11.
TEST_P(SinglePrecisionTest, SumsOfLowerPrecisionAreRejected) {
  for (int bits : {8, 11}) ExpectRejected(GetParam(), {24, bits});
}

TEST_P(SinglePrecisionTest, OperationsOfLowerPrecisionAreRejected) {
  for (int bits : {8, 11}) ExpectRejected(GetParam(), {bits, 24});
}

TEST_P(SinglePrecisionTest, AllOfLowerPrecisionIsRejected) {
  for (int bits : {8, 11}) ExpectRejected(GetParam(), {bits, bits});
}

// Like matrix units that read lower precision and sum in f32. Such errors average out while the
// bound grows: from some thousand terms on only the integers detect them.
TEST_P(SinglePrecisionTest, InputsOfLowerPrecisionAreRejected) {
  for (int bits : {8, 11}) ExpectRejected(GetParam(), {24, 24, bits, true});
}

INSTANTIATE_TEST_SUITE_P(
    Operators, SinglePrecisionTest,
    testing::Values("matmul(m=8,n=8,k=64)", "matmul(m=8,n=8,k=512)", "matmul(m=8,n=8,k=1024)",
                    "conv2d(h=4,w=3,ci=64,co=8,k=3,p=1)", "conv_layer(h=4,w=4,ci=32,co=8,k=3,p=1)",
                    "softmax(n=8,m=1000)", "layernorm(n=8,m=768)", "norm(b=8,n=16,m=32)",
                    "attention(heads=2,t=16,d=32)", "mlp(t=8,d=64,hidden=128)"),
    NameOf);

// Runs a product on the wide integers of gate A; true if all bits are exact.
bool IsExactInIntegers(int64_t depth, const Precision& precision, SumOrder order) {
  const ComputeDag dag =
      MakeWorkload(ParseSpec("matmul(m=4,n=16,k=" + std::to_string(depth) + ")").value());
  const ExactPlan plan = PlanExact(dag);
  Rng rng(9);
  Cells inputs;
  for (size_t i = 0; i < dag.inputs().size(); ++i) {
    ExactPlan wide = plan;
    wide.range = plan.wide[i];
    std::vector<float> values(static_cast<size_t>(dag.tensor(dag.inputs()[i]).NumElements()));
    FillInput(dag.tensor(dag.inputs()[i]), InputPattern::kSparseIntegers, wide, rng, values.data());
    inputs.emplace_back(values.begin(), values.end());
  }
  const auto run = [&](const Precision& how, SumOrder in) {
    return RunRounded(dag, inputs, how, in, rng)[dag.outputs()[0]];
  };
  return run(precision, order) == run({53, 53}, SumOrder::kForward);
}

TEST(PrecisionOfIntegersTest, EveryOrderOfLongSumsIsExact) {
  for (int64_t depth : {64, 2048, 4608}) {
    for (SumOrder order : kOrders) EXPECT_TRUE(IsExactInIntegers(depth, {24, 24}, order)) << depth;
  }
}

TEST(PrecisionOfIntegersTest, RoundedInputsOfLongSumsAreFound) {
  for (int64_t depth : {64, 2048, 4608}) {
    for (int bits : {8, 11}) {
      EXPECT_FALSE(IsExactInIntegers(depth, {24, 24, bits, true}, SumOrder::kLanes8)) << depth;
      EXPECT_FALSE(IsExactInIntegers(depth, {bits, 24}, SumOrder::kLanes8)) << depth;
    }
  }
  // For bf16 also in much longer sums.
  EXPECT_FALSE(IsExactInIntegers(25088, {24, 24, 8, true}, SumOrder::kLanes8));
}

TEST_P(DoublePrecisionTest, EveryOrderPasses) { ExpectOrdersPass(GetParam(), 53); }

TEST_P(DoublePrecisionTest, SinglePrecisionIsRejected) {
  ExpectRejected(GetParam(), {24, 24});
  ExpectRejected(GetParam(), {53, 24});
  ExpectRejected(GetParam(), {24, 53});
}

INSTANTIATE_TEST_SUITE_P(Operators, DoublePrecisionTest,
                         testing::Values("matmul(m=8,n=8,k=512,dtype=f64)",
                                         "conv2d(h=4,w=3,ci=64,co=8,k=3,p=1,dtype=f64)",
                                         "softmax(n=8,m=1000,dtype=f64)",
                                         "layernorm(n=8,m=768,dtype=f64)",
                                         "norm(b=8,n=64,m=64,dtype=f64)",
                                         "attention(heads=2,t=16,d=32,dtype=f64)"),
                         NameOf);

}  // namespace
}  // namespace schedulegym
