#include "env/program/index_math/inequalities.h"

#include <gtest/gtest.h>

#include "env/base/rng.h"
#include "env/program/expressions/integer_math.h"
#include "tests/env/program/index_expressions.h"

namespace schedulegym {
namespace {

TEST(InequalitiesTest, FindsEmptyRanges) {
  EXPECT_TRUE(HasNoSolution({{{3, 2}}, {}, {}}));
  EXPECT_FALSE(HasNoSolution({{{2, 2}}, {}, {}}));
}

TEST(InequalitiesTest, CombinesConstraints) {
  // x < y, y < z, z < x
  const Affine xy{{{0, 1}, {1, -1}}, 1}, yz{{{1, 1}, {2, -1}}, 1}, zx{{{0, -1}, {2, 1}}, 1};
  const Range all{-kUnbounded, kUnbounded};
  EXPECT_TRUE(HasNoSolution({{all, all, all}, {xy, yz, zx}, {}}));
  EXPECT_FALSE(HasNoSolution({{all, all, all}, {xy, yz}, {}}));
}

TEST(InequalitiesTest, SubstitutesEqualities) {
  // x = 2 y, 3 <= x <= 3
  EXPECT_TRUE(HasNoSolution({{{3, 3}, {0, 9}}, {}, {Affine{{{0, 1}, {1, -2}}, 0}}}));
  EXPECT_FALSE(HasNoSolution({{{4, 4}, {0, 9}}, {}, {Affine{{{0, 1}, {1, -2}}, 0}}}));
}

TEST(InequalitiesTest, SurvivesLargeCoefficients) {
  const int64_t large = int64_t{1} << 39;
  const Affine a{{{0, large}, {1, 3}}, -5}, b{{{0, -large + 1}, {1, -large}}, 7};
  EXPECT_FALSE(HasNoSolution({{{0, 9}, {0, 9}}, {a}, {b}}) &&
               HasNoSolution({{{0, 9}, {0, 9}}, {}, {}}));
}

// Never returns true for a system with a solution.
TEST(InequalitiesTest, AgreesWithEnumeration) {
  Rng rng(5);
  int empty = 0, shown = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    Inequalities system;
    std::vector<int64_t> lows, highs;
    for (int i = 0; i < 3; ++i) {
      lows.push_back(rng.Below(5) - 2);
      highs.push_back(lows.back() + rng.Below(6));
      system.ranges.push_back({lows[i], highs[i]});
    }
    for (int64_t i = 1 + rng.Below(4); i > 0; --i) {
      Affine form;
      for (int id = 0; id < 3; ++id) form.Add(id, rng.Below(9) - 4);
      form.constant = rng.Below(25) - 10;
      (rng.Chance(0.3) ? system.zero : system.at_most_zero).push_back(form);
    }
    bool has_solution = false;
    ForEachPoint(lows, highs, [&](const std::vector<int64_t>& point) {
      const RangeOf at = [&](int id) { return Range{point[id], point[id]}; };
      bool holds = true;
      for (const Affine& form : system.at_most_zero) holds = holds && form.Bounds(at).low <= 0;
      for (const Affine& form : system.zero) holds = holds && form.Bounds(at).low == 0;
      has_solution = has_solution || holds;
    });
    const bool none = HasNoSolution(system);
    ASSERT_FALSE(none && has_solution) << trial;
    empty += !has_solution;
    shown += none;
  }
  EXPECT_GT(empty, 500);
  EXPECT_GT(shown, empty * 9 / 10);
}

}  // namespace
}  // namespace schedulegym
