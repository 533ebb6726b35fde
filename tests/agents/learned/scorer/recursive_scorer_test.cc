// First include: torch_internal.h has the reason.
#include <ATen/core/ivalue.h>

#include <ATen/TensorOperators.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <cmath>

#include "agents/learned/scorer/scorer.h"
#include "env/base/spec.h"

namespace schedulegym {
namespace {

constexpr int kWidth = 9;

ScorerOptions Options(const std::string& more = "") {
  return ReadScorerOptions(
      RequireSpec("model", "recursive(features=ansor,task=none,width=9" + more + ")"));
}

// A program of a tree whose rows differ only in their first and last number.
ProgramRows Tree(const std::vector<int>& parents, const std::vector<float>& numbers) {
  ProgramRows rows = EmptyRows(Options());
  rows.targets = {""};
  rows.heads = {0};
  ProgramValues program = {{}, parents};
  for (const float number : numbers) {
    std::vector<float> row(static_cast<size_t>(rows.columns), 0.25F);
    row.front() = row.back() = number;
    program.values.insert(program.values.end(), row.begin(), row.end());
  }
  AddProgram(program, 0, 1, &rows);
  return rows;
}

InputScale NoScale(const ProgramRows& rows) {
  return {std::vector<float>(static_cast<size_t>(rows.columns), 1), {}};
}

float ScoreOf(Scorer& scorer, const ProgramRows& rows) {
  return ScorePrograms(scorer, rows, std::vector<int>{0}, NoScale(rows), 1)[0];
}

std::unique_ptr<Scorer> Make(const ScorerOptions& options) {
  return MakeScorer(options, {EmptyRows(options).columns, 0, 1}, Rng(5));
}

TEST(RecursiveScorerTest, WeightsOfZeroLeaveTheOutputsBias) {
  const auto scorer = Make(Options());
  {
    const c10::NoGradGuard guard;
    for (const at::Tensor& one : scorer->parameters()) one.zero_();
    scorer->parameters().back().fill_(0.75);
  }
  EXPECT_EQ(ScoreOf(*scorer, Tree({-1, 0}, {1, 1})), 0.75F);
}

TEST(RecursiveScorerTest, OnlyUnlikeSiblingsTellTheirOrder) {
  const auto scorer = Make(Options());
  const std::vector<int> tree = {-1, 0, 0};
  const float equal = ScoreOf(*scorer, Tree(tree, {1, 0.5F, 0.5F}));
  EXPECT_EQ(equal, ScoreOf(*scorer, Tree(tree, {1, 0.5F, 0.5F})));
  const float one = ScoreOf(*scorer, Tree(tree, {1, 0.5F, 400}));
  const float other = ScoreOf(*scorer, Tree(tree, {1, 400, 0.5F}));
  EXPECT_GT(std::abs(one - other), 1e-6);
}

TEST(RecursiveScorerTest, TheTreeAndItsLoopsCountOnlyWhereTheyAreSeen) {
  const std::vector<float> numbers = {1, 0.5F, 1, 2};
  const std::vector<int> apart = {-1, 0, -1, 2}, within = {-1, 0, 0, 2};
  const auto seen = Make(Options());
  EXPECT_NE(ScoreOf(*seen, Tree(apart, numbers)), ScoreOf(*seen, Tree(within, numbers)));
  const auto summed = Make(Options(",tree=false"));
  EXPECT_EQ(ScoreOf(*summed, Tree(apart, numbers)), ScoreOf(*summed, Tree(within, numbers)));
  const auto bare = Make(Options(",loops=false"));
  EXPECT_EQ(ScoreOf(*bare, Tree(apart, {1, 0.5F, 1, 2})),
            ScoreOf(*bare, Tree(apart, {3, 0.5F, 4, 2})));
}

// As published: layers within loops receive no gradient before the layers of loops have moved.
TEST(RecursiveScorerTest, AZeroStartStopsTheGradientAtLoops) {
  for (const bool starts_at_zero : {false, true}) {
    const auto scorer = Make(Options(starts_at_zero ? ",zero_start=true" : ""));
    const ProgramRows rows = Tree({-1, 0, 0, 1, 1, 2}, {1, 2, 3, 4, 5, 6});
    const ProgramBatch batch = BatchOf(rows, std::vector<int>{0}, NoScale(rows));
    scorer->Score(scorer->Encode(batch, scorer->parameters()), /*trains=*/true).sum().backward();
    int gates = 0;
    for (const at::Tensor& one : scorer->parameters()) {
      // The first two of three LSTMs, weights and biases each, are within loops.
      if (one.size(0) != 4 * kWidth || ++gates > 8) continue;
      const double largest = one.grad().defined() ? one.grad().abs().max().item<double>() : 0;
      EXPECT_EQ(largest == 0, starts_at_zero) << gates;
    }
    EXPECT_EQ(gates, 12);
    EXPECT_GT(scorer->parameters().back().grad().abs().max().item<double>(), 0);
  }
}

}  // namespace
}  // namespace schedulegym
