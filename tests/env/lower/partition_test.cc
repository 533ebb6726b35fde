#include "env/lower/walk.h"

#include <gtest/gtest.h>

#include "env/base/rng.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

// For the loop of stage C at `position`; earlier loops are bound to variables.
std::optional<Range> Sure(std::string_view dag, std::string_view steps, int position) {
  const ScheduleState state = StateAfter(dag, steps);
  const int id = state.Find("C");
  const Stage& stage = state.stage(id);
  ProgramBuilder builder(state);
  std::vector<int64_t> extents;
  for (const Axis& axis : stage.effective->axes) extents.push_back(axis.extent);
  Nest nest =
      MakeNest(id, stage, extents, std::vector<Expr>(stage.effective->spatial, IndexConstant(0)));
  for (int i = 0; i < position; ++i) {
    const int node = nest.LoopNode(i);
    nest.value[node] = Variable(builder.AddVariable("i", {0, nest.extent[node] - 1}));
  }
  return SurelyTrueIterations(builder, nest, position, nest.extent[nest.LoopNode(position)]);
}

std::string CopyWhere(const std::string& condition) {
  return "input X[40]\nC[x:11, y:5] = select(" + condition + ", X[x], 0)\n";
}
std::string SumWhere(const std::string& condition) {
  return "input X[40]\nC[x:9] = sum(r:3) select(" + condition + ", X[x], 0)\n";
}

TEST(PartitionTest, CutsAtEveryComparison) {
  EXPECT_EQ(Sure(CopyWhere("x >= 1 && x < 10"), "", 0), (Range{1, 9}));
  EXPECT_EQ(Sure(CopyWhere("x > 1"), "", 0), (Range{2, 10}));
  EXPECT_EQ(Sure(CopyWhere("x <= 7"), "", 0), (Range{0, 7}));
  EXPECT_EQ(Sure(CopyWhere("7 >= x && 3 <= x"), "", 0), (Range{3, 7}));
  EXPECT_EQ(Sure(CopyWhere("10 - x < 4"), "", 0), (Range{7, 10}));
  EXPECT_EQ(Sure(CopyWhere("2 * x > 5"), "", 0), (Range{3, 10}));
  EXPECT_EQ(Sure(CopyWhere("3 * x <= 10"), "", 0), (Range{0, 3}));
}

// x + r from 1 to 9, for r from 0 to 2.
TEST(PartitionTest, TakesOtherLoopsAtTheirWorst) {
  EXPECT_EQ(Sure(SumWhere("x + r >= 1 && x + r < 10"), "", 0), (Range{1, 7}));
  EXPECT_EQ(Sure(CopyWhere("x - y >= 0"), "", 0), (Range{4, 10}));
  EXPECT_EQ(Sure(CopyWhere("x - y >= 0"), "", 1), (Range{0, 0}));  // x may be 0
}

// x = x.0 * 4 + x.1: whole parts within 1..9 are those from 4 to 7.
TEST(PartitionTest, CutsWholeParts) {
  constexpr char kDag[] = "input X[12]\nC[x:12] = select(x >= 1 && x < 10, X[x], 0)\n";
  constexpr char kSplit[] = "split(stage=C, loop=0, lengths=[4])";
  EXPECT_EQ(Sure(kDag, kSplit, 0), (Range{1, 1}));
}

TEST(PartitionTest, HasNothingToCut) {
  EXPECT_EQ(Sure("input X[40]\nC[x:11] = X[x] + 1\n", "", 0), std::nullopt);
  EXPECT_EQ(Sure(CopyWhere("y >= 1"), "", 0), std::nullopt);            // of another loop
  EXPECT_EQ(Sure(CopyWhere("x % 2 == 0"), "", 0), std::nullopt);        // no bound
  EXPECT_EQ(Sure(CopyWhere("x > 10"), "", 0), std::nullopt);            // holds in no iteration
  EXPECT_EQ(Sure(CopyWhere("x >= 6 && x < 5"), "", 0), std::nullopt);   // nor here
  EXPECT_EQ(Sure(CopyWhere("x >= 1 || y >= 1"), "", 0), std::nullopt);  // neither alone decides
}

// A select restricts the loop only at the top of a sum, and only if the combiner is a sum.
TEST(PartitionTest, LooksAtTheTop) {
  EXPECT_EQ(Sure("input X[40]\nC[x:9] = select(x >= 1, X[x], 0) + 1\n", "", 0), std::nullopt);
  EXPECT_EQ(Sure("input X[40]\nC[x:9] = max(r:3) select(x >= 1, X[x], 0)\n", "", 0), std::nullopt);
  EXPECT_EQ(Sure("input X[40]\nC[x:9] = sum(r:3) select(x >= 1, X[x], 1)\n", "", 0), std::nullopt);
}

// Compares with the iterations in which the condition holds for all values of the other loop.
TEST(PartitionTest, AgreesWithEnumeration) {
  Rng rng(13);
  int cut = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int64_t a = 1 + rng.Below(3), b = rng.Below(4), c = rng.Below(30);
    const int64_t sign_a = rng.Chance(0.5) ? 1 : -1, sign_b = rng.Chance(0.5) ? 1 : -1;
    const auto term = [](int64_t sign, int64_t factor, const std::string& name) {
      return std::string(sign > 0 ? " + " : " - ") + std::to_string(factor) + " * " + name;
    };
    const int64_t bound = rng.Below(30);
    const std::string condition = std::to_string(c) + term(sign_a, a, "x") + term(sign_b, b, "y") +
                                  " >= " + std::to_string(bound);
    std::optional<Range> expected;
    for (int64_t x = 0; x < 11; ++x) {
      bool holds = true;
      for (int64_t y = 0; y < 5; ++y) {
        holds = holds && c + sign_a * a * x + sign_b * b * y >= bound;
      }
      if (!holds) continue;
      if (!expected) expected = Range{x, x};
      expected->high = x;
    }
    cut += expected && *expected != Range{0, 10};
    EXPECT_EQ(Sure(CopyWhere(condition), "", 0), expected) << condition;
  }
  EXPECT_GT(cut, 80);
}

}  // namespace
}  // namespace schedulegym
