#include "agents/constraints/solve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

namespace schedulegym {
namespace {

using testing::ElementsAre;

std::vector<int64_t> ValuesOf(const Domains& domains, int variable) {
  std::vector<int64_t> values;
  for (const int position : domains.PositionsOf(variable)) {
    values.push_back(domains.problem().variable(variable).values[position]);
  }
  return values;
}

// Three inner lengths of a loop of 8.
ConstraintProblem FactorsOfEight() {
  ConstraintProblem problem;
  for (const char* name : {"a", "b", "c"}) problem.AddListed(name, {1, 2, 4, 8});
  const int rest = problem.AddListed("rest", {1, 2, 4, 8});
  problem.AddProduct({0, 1, 2, rest}, problem.AddConstant(8));
  return problem;
}

// Chi-square statistic of `draws` draws over all solutions, of which there must be `count`.
double ChiSquare(const ConstraintProblem& problem, int count, int draws) {
  const SolutionSampler sampler(problem);
  EXPECT_TRUE(sampler.is_exact());
  EXPECT_EQ(sampler.count(), count);
  Rng rng(7);
  std::map<Solution, int> drawn;
  for (int i = 0; i < draws; ++i) ++drawn[sampler.Draw(rng).value()];
  EXPECT_EQ(std::ssize(drawn), count);
  const double expected = static_cast<double>(draws) / count;
  double sum = 0;
  for (const auto& [solution, times] : drawn) {
    sum += (times - expected) * (times - expected) / expected;
  }
  return sum;
}

// 20 solutions; the quantile of 0.999 at 19 degrees of freedom is 43.8.
TEST(SolutionSamplerTest, FactorsOfEightAreUniform) {
  EXPECT_LT(ChiSquare(FactorsOfEight(), 20, 20'000), 43.8);
}

// With b * c at most 4 there are 16, with c at most 4 there are 19: quantiles 37.7 and 42.3.
TEST(SolutionSamplerTest, LinkedLengthsAreUniform) {
  ConstraintProblem linked = FactorsOfEight();
  linked.AddProduct({1, 2}, linked.AddRange("inner", 1, 4));
  EXPECT_LT(ChiSquare(linked, 16, 1'000'000), 37.7);
  ConstraintProblem bounded = FactorsOfEight();
  bounded.AddAtMost(2, bounded.AddConstant(4));
  EXPECT_LT(ChiSquare(bounded, 19, 20'000), 42.3);
}

TEST(DomainsTest, PropagationAloneNarrows) {
  const ConstraintProblem problem = FactorsOfEight();
  Domains domains = Domains::Of(problem).value();
  ASSERT_TRUE(domains.Fix(0, 2));
  EXPECT_THAT(ValuesOf(domains, 1), ElementsAre(1, 2));
  EXPECT_THAT(ValuesOf(domains, 2), ElementsAre(1, 2));
  ASSERT_TRUE(domains.Fix(1, 1));
  EXPECT_THAT(ValuesOf(domains, 2), ElementsAre(1));
  EXPECT_THAT(ValuesOf(domains, 3), ElementsAre(1));
}

// A loop of 7 whose last length is 2 or 4.
TEST(SolutionSamplerTest, WithoutASolutionItSaysSo) {
  ConstraintProblem problem;
  problem.AddListed("last", {2, 4});
  const int rest = problem.AddListed("rest", {1, 7});
  problem.AddProduct({0, rest}, problem.AddConstant(7));
  const SolutionSampler sampler(problem);
  Rng rng(1);
  EXPECT_FALSE(sampler.Draw(rng));
  EXPECT_EQ(sampler.count(), 0);
  ConstraintProblem empty;
  empty.AddListed("a", {1, 2});
  empty.AddOneOf(0, {3});
  EXPECT_FALSE(SolutionSampler(empty).Draw(rng));
}

// Found only by search: each pair of three variables of two values must differ.
TEST(SolveTest, ExhaustedSearchesAreImpossible) {
  ConstraintProblem problem;
  for (int i = 0; i < 3; ++i) problem.AddListed("x", {0, 1});
  const int one = problem.AddConstant(1);
  for (const auto& [a, b] : {std::pair(0, 1), {1, 2}, {0, 2}}) problem.AddSum({a, b}, one);
  Rng rng(1);
  const Domains domains = Domains::Of(problem).value();
  EXPECT_EQ(Solve(domains, {}, rng).end, SolveEnd::kImpossible);
}

TEST(SolveTest, HintsAreTakenWhereTheyGo) {
  const ConstraintProblem problem = FactorsOfEight();
  const Domains domains = Domains::Of(problem).value();
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const Solution solution = Solve(domains, {2, 4, 1}, rng).solution;
    EXPECT_THAT(solution, ElementsAre(2, 4, 1, 1, 8));
  }
  std::set<Solution> near;
  for (int i = 0; i < 50; ++i) near.insert(Solve(domains, {8, 8, 8}, rng).solution);
  for (const Solution& one : near) {
    EXPECT_EQ(std::ranges::count(one.begin(), one.begin() + 3, 8), 1);
  }
  EXPECT_EQ(near.size(), 3u);
}

TEST(SolutionSamplerTest, BeyondItsNodesItSearches) {
  const ConstraintProblem problem = FactorsOfEight();
  const SolutionSampler sampler(problem, 3);
  EXPECT_FALSE(sampler.is_exact());
  Rng rng(1);
  std::set<Solution> drawn;
  for (int i = 0; i < 2000; ++i) drawn.insert(sampler.Draw(rng).value());
  EXPECT_EQ(drawn.size(), 20u);
}

// A random problem of three to five small variables.
ConstraintProblem RandomProblem(Rng& rng) {
  ConstraintProblem problem;
  const auto variables = static_cast<int>(3 + rng.Below(3));
  for (int i = 0; i < variables; ++i) {
    std::set<int64_t> values;
    for (int j = 0; j < 4; ++j) values.insert(1 + rng.Below(6));
    problem.AddListed("x", {values.begin(), values.end()});
  }
  const auto any = [&] { return static_cast<int>(rng.Below(variables)); };
  const auto constraints = static_cast<int>(1 + rng.Below(3));
  for (int i = 0; i < constraints; ++i) {
    switch (rng.Below(6)) {
      case 0: problem.AddProduct({any(), any()}, any()); break;
      case 1: problem.AddSum({any(), any()}, any()); break;
      case 2: problem.AddAtMost(any(), any()); break;
      case 3: problem.AddSelect(any(), {any(), any(), any(), any()}, any()); break;
      case 4: problem.AddOneOf(any(), {1, 2, 3, 5}); break;
      default: problem.AddProduct({any(), any(), any()}, problem.AddRange("p", 4, 24)); break;
    }
  }
  return problem;
}

bool Satisfies(const Constraint& constraint, const Solution& values, int64_t low, int64_t high) {
  int64_t product = 1, sum = 0;
  for (const int one : constraint.operands) {
    product *= values[one];
    sum += values[one];
  }
  const int64_t first = values[constraint.operands[0]];
  const int64_t result = values[constraint.result];
  switch (constraint.kind) {
    case ConstraintKind::kProduct:
      return result < 0 ? product >= low && product <= high : product == result;
    case ConstraintKind::kSum: return sum == result;
    case ConstraintKind::kAtMost: return first <= result;
    case ConstraintKind::kEqual: return first == result;
    case ConstraintKind::kSelect:
      return first + 1 < std::ssize(constraint.operands) &&
             values[constraint.operands[1 + first]] == result;
  }
  return false;
}

// All solutions over the listed variables, by enumeration; ranges are -1.
std::set<Solution> BruteForce(const ConstraintProblem& problem) {
  std::set<Solution> solutions;
  if (problem.is_empty()) return solutions;
  Solution values(problem.size(), -1);
  const std::function<void(int)> assign = [&](int variable) {
    if (variable == problem.size()) {
      const bool holds = std::ranges::all_of(problem.constraints(), [&](const Constraint& one) {
        const ConstraintVariable& result = problem.variable(one.result);
        return Satisfies(one, values, result.low, result.high);
      });
      if (holds) solutions.insert(values);
      return;
    }
    if (!problem.variable(variable).is_listed()) return assign(variable + 1);
    for (const int64_t value : problem.variable(variable).values) {
      values[variable] = value;
      assign(variable + 1);
    }
  };
  assign(0);
  return solutions;
}

TEST(SolutionSamplerTest, SolutionsEqualThoseOfBruteForce) {
  Rng rng(11);
  int solvable = 0;
  for (int number = 0; number < 100; ++number) {
    const ConstraintProblem problem = RandomProblem(rng);
    const std::set<Solution> expected = BruteForce(problem);
    const SolutionSampler sampler(problem);
    ASSERT_EQ(sampler.count(), static_cast<double>(expected.size())) << number;
    solvable += expected.empty() ? 0 : 1;
    for (int draw = 0; draw < 20 && !expected.empty(); ++draw) {
      for (Solution solution :
           {sampler.Draw(rng).value(), Solve(*sampler.domains(), {}, rng).solution}) {
        for (int i = 0; i < problem.size(); ++i) {
          if (!problem.variable(i).is_listed()) solution[i] = -1;
        }
        ASSERT_TRUE(expected.contains(solution)) << number;
      }
    }
    if (expected.empty() && sampler.domains()) {
      EXPECT_EQ(Solve(*sampler.domains(), {}, rng).end, SolveEnd::kImpossible) << number;
    }
  }
  EXPECT_GT(solvable, 50);
}

}  // namespace
}  // namespace schedulegym
