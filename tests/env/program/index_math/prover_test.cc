#include "env/program/index_math/prover.h"

#include <gtest/gtest.h>

#include "tests/env/program/index_expressions.h"

namespace schedulegym {
namespace {

Expr N(int64_t value) { return IndexConstant(value); }
Expr V(int id) { return Variable(id); }
Expr Div(const Expr& a, int64_t b) { return Binary(Op::kFloorDivide, a, N(b)); }
Expr Mod(const Expr& a, int64_t b) { return Binary(Op::kModulo, a, N(b)); }
Expr Min(const Expr& a, const Expr& b) { return Binary(Op::kMin, a, b); }
Expr Max(const Expr& a, const Expr& b) { return Binary(Op::kMax, a, b); }
Expr Less(const Expr& a, const Expr& b) { return Binary(Op::kLess, a, b); }
Expr AtLeast(const Expr& a, const Expr& b) { return Binary(Op::kGreaterEqual, a, b); }
Expr And(const Expr& a, const Expr& b) { return Binary(Op::kAnd, a, b); }
Expr Or(const Expr& a, const Expr& b) { return Binary(Op::kOr, a, b); }

// Variables 0, 1, ..., from 0 to below the extents.
Prover Box(const std::vector<int64_t>& extents) {
  Prover prover;
  for (size_t i = 0; i < extents.size(); ++i) {
    prover.SetRange(static_cast<int>(i), {0, extents[i] - 1});
  }
  return prover;
}

TEST(ProverTest, KnowsRangesExactly) {
  const Prover prover = Box({8, 4});
  EXPECT_TRUE(prover.ProvesWithin(V(0) * N(4) + V(1), {0, 31}));
  EXPECT_FALSE(prover.ProvesWithin(V(0) * N(4) + V(1), {0, 30}));
  EXPECT_FALSE(prover.ProvesWithin(V(0) * N(4) + V(1), {1, 31}));
}

TEST(ProverTest, UsesConditions) {
  // A guarded tile that overhangs: 16 * a + b < 100.
  Prover prover = Box({7, 16});
  const Expr index = V(0) * N(16) + V(1);
  EXPECT_FALSE(prover.ProvesWithin(index, {0, 99}));
  prover.Assume(Less(index, N(100)));
  EXPECT_TRUE(prover.ProvesWithin(index, {0, 99}));
  EXPECT_FALSE(prover.ProvesWithin(index, {0, 98}));
}

TEST(ProverTest, UsesPadding) {
  Prover prover = Box({16});
  prover.Assume(And(AtLeast(V(0), N(1)), Less(V(0), N(15))));
  EXPECT_TRUE(prover.ProvesWithin(V(0) - N(1), {0, 13}));
}

TEST(ProverTest, NegatesConjunctions) {
  // Not (a >= 4 && a < 12) leaves the two ends.
  Prover prover = Box({16});
  prover.Assume(And(AtLeast(V(0), N(4)), Less(V(0), N(12))), false);
  EXPECT_TRUE(prover.Proves(Or(Less(V(0), N(4)), AtLeast(V(0), N(12)))));
  EXPECT_TRUE(prover.Proves(Binary(Op::kNotEqual, V(0), N(7))));
  EXPECT_FALSE(prover.Proves(Less(V(0), N(4))));
}

TEST(ProverTest, DividesExactly) {
  // A transposed convolution reads (y + r - 2) // 2 where the parity fits.
  Prover prover = Box({8, 4});
  const Expr position = V(0) + V(1) - N(2);
  prover.Assume(Binary(Op::kEqual, Mod(position, 2), N(0)));
  prover.Assume(AtLeast(V(0) + V(1), N(2)));
  prover.Assume(Less(V(0) + V(1), N(9)));
  EXPECT_TRUE(prover.ProvesWithin(Div(position, 2), {0, 3}));
  EXPECT_FALSE(prover.ProvesWithin(Div(position, 2), {0, 2}));
  EXPECT_TRUE(prover.Proves(Binary(Op::kEqual, Div(position, 2) * N(2), position)));
}

TEST(ProverTest, SplitsAndFusesBack) {
  const Prover prover = Box({24 * 35});
  EXPECT_TRUE(prover.ProvesWithin(Div(V(0), 35), {0, 23}));
  EXPECT_TRUE(prover.ProvesWithin(Mod(V(0), 35), {0, 34}));
  EXPECT_TRUE(prover.Proves(Binary(Op::kEqual, Div(V(0), 35) * N(35) + Mod(V(0), 35), V(0))));
  EXPECT_TRUE(prover.ProvesWithin(Div(V(0), 5), {0, 167}));
  EXPECT_TRUE(prover.ProvesWithin(Mod(Div(V(0), 5), 7), {0, 6}));
}

TEST(ProverTest, UnderstandsClamps) {
  const Prover prover = Box({4, 6});
  const Expr begin = Min(Max(V(0) * N(4) - N(1), N(0)), N(6));
  EXPECT_TRUE(prover.ProvesWithin(begin, {0, 6}));
  EXPECT_FALSE(prover.ProvesWithin(begin, {0, 5}));
  EXPECT_TRUE(prover.ProvesWithin(begin + V(1), {0, 11}));
  EXPECT_TRUE(prover.Proves(Binary(Op::kLessEqual, begin, Max(V(0) * N(4), N(0)))));
}

TEST(ProverTest, UsesLets) {
  // let c = min(13 - 4 * a, 4): the extent of the last tile of 13 in 4s.
  Prover prover = Box({4, 4});
  prover.Define(2, Min(N(13) - V(0) * N(4), N(4)));
  prover.Assume(Less(V(1), V(2)));
  EXPECT_TRUE(prover.ProvesWithin(V(0) * N(4) + V(1), {0, 12}));
  EXPECT_TRUE(prover.ProvesWithin(V(2), {1, 4}));
}

TEST(ProverTest, ReadsSelectsInIndices) {
  const Prover prover = Box({10});
  const Expr index = Select(Less(V(0), N(3)), V(0) + N(7), V(0) - N(3));
  EXPECT_TRUE(prover.ProvesWithin(index, {0, 9}));
  EXPECT_FALSE(prover.ProvesWithin(index, {0, 8}));
}

TEST(ProverTest, RoundsOverIntegers) {
  // 3 * a == 3 * b + 1 has rational solutions, but none in integers.
  Prover prover = Box({50, 50});
  prover.Assume(Binary(Op::kEqual, V(0) * N(3), V(1) * N(3) + N(1)));
  EXPECT_TRUE(prover.ProvesUnreachable());
  EXPECT_FALSE(Box({50, 50}).ProvesUnreachable());
}

TEST(ProverTest, TakesDataAsUnknown) {
  const Expr datum = Read(DType::kF32, 0, {V(0)});
  Prover prover = Box({8});
  prover.Assume(Or(Less(Constant(DType::kF32, 0), datum), Less(V(0), N(4))));
  EXPECT_FALSE(prover.Proves(Less(V(0), N(4))));
  prover.Assume(Binary(Op::kLess, datum, datum));
  EXPECT_FALSE(prover.ProvesUnreachable());
}

TEST(ProverTest, LeavesUnknownVariablesUnbounded) {
  Prover prover;
  EXPECT_FALSE(prover.Proves(Less(V(0), N(1000000))));
  prover.Assume(Less(V(0), N(7)));
  EXPECT_TRUE(prover.Proves(Less(V(0) + N(1), N(8))));
}

struct Question {
  std::vector<int64_t> extents;
  std::vector<Expr> facts;
  Expr goal;
};

Question RandomQuestion(Rng& rng) {
  Question question;
  for (int i = 0; i < 3; ++i) question.extents.push_back(1 + rng.Below(7));
  for (int64_t i = rng.Below(3); i > 0; --i) {
    question.facts.push_back(RandomCondition(rng, 3, 1));
  }
  question.goal = RandomCondition(rng, 3, 1);
  return question;
}

bool IsTrueEverywhere(const Question& question) {
  bool holds = true;
  std::vector<int64_t> highs;
  for (int64_t extent : question.extents) highs.push_back(extent - 1);
  ForEachPoint({0, 0, 0}, highs, [&](const std::vector<int64_t>& point) {
    for (const Expr& fact : question.facts) {
      if (Evaluate(fact, point) == 0) return;
    }
    holds = holds && Evaluate(question.goal, point) != 0;
  });
  return holds;
}

// Never proves a false statement; proves nearly all true ones.
TEST(ProverTest, AgreesWithEnumeration) {
  Rng rng(7);
  int holding = 0, proved = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const Question question = RandomQuestion(rng);
    Prover prover = Box(question.extents);
    for (const Expr& fact : question.facts) prover.Assume(fact);
    const bool holds = IsTrueEverywhere(question);
    const bool proves = prover.Proves(question.goal);
    ASSERT_TRUE(holds || !proves) << trial;
    holding += holds;
    proved += proves;
  }
  EXPECT_GT(holding, 1000);
  EXPECT_GT(proved, holding * 95 / 100) << proved << " of " << holding;
}

}  // namespace
}  // namespace schedulegym
