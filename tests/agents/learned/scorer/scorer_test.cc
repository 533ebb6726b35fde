#include "agents/learned/scorer/scorer.h"

// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "agents/learned/scorer/layers.h"
#include "tests/agents/learned/scorer/known_rows.h"

namespace schedulegym {
namespace {

std::vector<int> AllOf(const ProgramRows& rows) {
  std::vector<int> all(static_cast<size_t>(rows.size()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// A network and programs for it.
struct Subject {
  explicit Subject(const std::string& text, int programs = 6)
      : spec(ModelSpec(text)), rows(KnownRows(spec, 1, programs)) {
    scorer = MakeScorer(ReadScorerOptions(spec), {rows.columns, rows.task_columns, 1}, Rng(3));
    scale = ScaleOf(rows, AllOf(rows));
  }
  std::vector<float> Scores() const { return ScorePrograms(*scorer, rows, AllOf(rows), scale, 1); }

  Spec spec;
  ProgramRows rows;
  std::unique_ptr<Scorer> scorer;
  InputScale scale;
};

class ScorerNetworkTest : public testing::TestWithParam<const char*> {};

TEST_P(ScorerNetworkTest, ProgramsTogetherAreAsEachAlone) {
  const Subject subject(GetParam());
  const std::vector<float> together = subject.Scores();
  for (int i = 0; i < subject.rows.size(); ++i) {
    const std::vector<float> alone =
        ScorePrograms(*subject.scorer, subject.rows, std::vector<int>{i}, subject.scale, 1);
    EXPECT_NEAR(alone[0], together[static_cast<size_t>(i)], 1e-5);
  }
}

TEST_P(ScorerNetworkTest, ThreadsChangeNoBit) {
  const Subject subject(GetParam(), 200);
  const std::vector<float> two =
      ScorePrograms(*subject.scorer, subject.rows, AllOf(subject.rows), subject.scale, 2);
  EXPECT_EQ(two, subject.Scores());
}

// Differentiates a weighted sum of the scores by some numbers of each tensor.
TEST_P(ScorerNetworkTest, GradientsAgreeWithDifferences) {
  const Subject subject(GetParam());
  const ProgramBatch batch = BatchOf(subject.rows, AllOf(subject.rows), subject.scale);
  const auto loss = [&] {
    const at::Tensor encoded = subject.scorer->Encode(batch, subject.scorer->parameters());
    const at::Tensor weights = at::tensor({1.0F, -0.5F, 0.25F, 0.75F, -1.0F, 0.5F}).view({6, 1});
    return (subject.scorer->Score(encoded, /*trains=*/true) * weights).sum();
  };
  loss().backward();
  constexpr float kStep = 1e-3F;
  for (const at::Tensor& parameter : subject.scorer->parameters()) {
    ASSERT_TRUE(parameter.grad().defined());
    auto* values = parameter.data_ptr<float>();
    const int64_t stride = std::max<int64_t>(1, parameter.numel() / 3);
    for (int64_t i = 0; i < parameter.numel(); i += stride) {
      const float kept = values[i];
      values[i] = kept + kStep;
      const double up = loss().item<double>();
      values[i] = kept - kStep;
      const double down = loss().item<double>();
      values[i] = kept;
      const double found = parameter.grad().flatten()[i].item<double>();
      EXPECT_NEAR(found, (up - down) / (2 * kStep), 1e-3 * std::max(1.0, std::abs(found)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, ScorerNetworkTest,
    testing::Values("mlp(features=ansor,task=none,width=8)",
                    "mlp(features=ansor,task=none,width=8,normalised=true)",
                    "tlp(task=none,width=8,attention_heads=2,length=4)",
                    "tlp(mode=faithful,task=none,width=8,attention_heads=2,length=4,mixing=none)",
                    "tlp(task=none,width=8,length=4,mixing=lstm)",
                    "tlp(task=none,width=8,attention_heads=2,length=4,positions=true)",
                    "pacm(features=ansor,task=none,width=8)",
                    "pacm(features=ansor,task=none,width=8,statements=false)",
                    "recursive(features=ansor,task=none,width=9,accesses=true)",
                    "stages(features=ansor,task=none,width=8)",
                    "stages(features=ansor,task=none,width=10,order=false)",
                    "oneshot_net(task=none,width=8,attention_heads=2,blocks=2)"));

// Stages with equal rows: a sum and an LSTM distinguish their number. Only the LSTM distinguishes
// the order of two rows.
TEST(StagesScorerTest, OnlyTheLstmKnowsTheOrder) {
  for (const bool order : {false, true}) {
    ScorerOptions options =
        ReadScorerOptions(ModelSpec("stages(features=ansor,task=none,width=8)"));
    options.sees_order = order;
    ProgramRows rows = EmptyRows(options);
    rows.targets = {""};
    rows.heads = {0};
    const auto width = static_cast<size_t>(rows.columns);
    for (const float first : {0.25F, 1.0F}) {
      std::vector<float> values(2 * width, 0);
      values[0] = first;
      values[width] = 1.25F - first;
      AddProgram({values}, 0, 1, &rows);
    }
    const auto scorer = MakeScorer(options, {rows.columns, 0, 1}, Rng(3));
    const std::vector<float> scores =
        ScorePrograms(*scorer, rows, AllOf(rows), ScaleOf(rows, AllOf(rows)), 1);
    EXPECT_EQ(std::abs(scores[0] - scores[1]) > 1e-4, order);
  }
}

// Two tokens swapped: their sum after attention does not depend on the order.
TEST(TlpScorerTest, OnlyPositionsAndTheLstmKnowTheOrder) {
  const auto difference = [](const std::string& more) {
    const ScorerOptions options = ReadScorerOptions(
        ModelSpec("tlp(task=none,width=32,attention_heads=2,length=4" + more + ")"));
    ProgramRows rows = EmptyRows(options);
    rows.targets = {""};
    rows.heads = {0};
    const auto width = static_cast<size_t>(rows.columns);
    for (const size_t first : {size_t{0}, size_t{1}}) {
      std::vector<float> values(2 * width, 0);
      values[first] = values[width + 1 - first] = 20;
      AddProgram({values}, 0, 1, &rows);
    }
    const auto scorer = MakeScorer(options, {rows.columns, 0, 1}, Rng(3));
    const InputScale no_scale = {std::vector<float>(width, 1), {}};
    const std::vector<float> scores = ScorePrograms(*scorer, rows, AllOf(rows), no_scale, 1);
    return std::abs(scores[0] - scores[1]);
  };
  EXPECT_LT(difference(""), 3e-6);
  EXPECT_GT(difference(",positions=true"), 1e-5);
  EXPECT_GT(difference(",mixing=lstm"), 1e-5);
}

// Without features of its schedule a program is its number of stages and its task.
TEST(StagesScorerTest, AcquiredFeaturesHaveASwitch) {
  for (const bool seen : {false, true}) {
    const Subject subject(std::string("stages(features=ansor,task=none,width=8,acquired=") +
                          (seen ? "true)" : "false)"));
    ProgramRows other = subject.rows;
    for (float& value : other.values) value /= 2;
    const std::vector<float> changed =
        ScorePrograms(*subject.scorer, other, AllOf(other), subject.scale, 1);
    EXPECT_EQ(changed != subject.Scores(), seen);
  }
}

// Tokens beyond the last one are padding: with the mask more padding changes no score.
TEST(TlpScorerTest, PaddingCountsOnlyWithoutTheMask) {
  const auto scores = [](const std::string& masked, int length) {
    return Subject("tlp(task=none,width=8,attention_heads=2,masked=" + masked +
                   ",length=" + std::to_string(length) + ")")
        .Scores();
  };
  const std::vector<float> narrow = scores("true", 4), wide = scores("true", 12);
  for (size_t i = 0; i < narrow.size(); ++i) EXPECT_NEAR(narrow[i], wide[i], 1e-6);
  EXPECT_GT(std::abs(scores("false", 4)[0] - scores("false", 12)[0]), 1e-4);
}

TEST(DroppedOutTest, KeepsTheExpectation) {
  Rng rng(1);
  const at::Tensor ones = at::ones({100, 80});
  const at::Tensor dropped = DroppedOut(ones, 0.25, rng);
  EXPECT_NEAR(dropped.mean().item<double>(), 1, 0.03);
  const auto* values = dropped.data_ptr<float>();
  for (int i = 0; i < 8000; ++i) {
    EXPECT_TRUE(values[i] == 0 || std::abs(values[i] - 4.0F / 3) < 1e-6F) << values[i];
  }
  EXPECT_TRUE(at::equal(DroppedOut(ones, 0, rng), ones));
}

// Equal tokens have equal attention weights, so that the result is their value.
TEST(AttentionTest, OverEqualTokensIsTheirValue) {
  Rng rng(1);
  std::vector<at::Tensor> weights;
  for (int i = 0; i < 4; ++i) AddLinear(4, 4, weights, rng);
  const at::Tensor token = at::tensor({0.5F, -1.0F, 2.0F, 0.25F});
  const at::Tensor two = token.expand({1, 2, 4}), one = token.expand({1, 1, 4});
  const at::Tensor expected = Linear(Linear(token, weights, 4), weights, 6);
  for (const int heads : {1, 2}) {
    const at::Tensor of_two = Attention(two, at::ones({1, 2}), weights, 0, heads);
    const at::Tensor of_one = Attention(one, at::ones({1, 1}), weights, 0, heads);
    EXPECT_LT((of_two[0][1] - expected).abs().max().item<double>(), 1e-6);
    EXPECT_LT((of_one[0][0] - expected).abs().max().item<double>(), 1e-6);
  }
  const at::Tensor none = Attention(two, at::zeros({1, 2}), weights, 0, 1);
  EXPECT_EQ(none.abs().max().item<double>(), 0);
}

TEST(SumByGroupTest, GroupsWithoutARowAreZero) {
  const at::Tensor rows = at::tensor({1.0F, 2.0F, 4.0F}).view({3, 1});
  const at::Tensor sums = SumByGroup(rows, at::tensor(std::vector<int64_t>{0, 2, 2}), 3);
  EXPECT_EQ(sums[0].item<float>(), 1);
  EXPECT_EQ(sums[1].item<float>(), 0);
  EXPECT_EQ(sums[2].item<float>(), 6);
}

}  // namespace
}  // namespace schedulegym
