#include "env/lower/buffer_access.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "env/base/rng.h"

namespace schedulegym {
namespace {

constexpr int kVariables = 3;  // i, the loop; j, a loop within; n, from around

Expr V(int id) { return Variable(id); }
Expr N(int64_t value) { return IndexConstant(value); }
Fact RangeFact(int variable, int64_t extent) {
  return {Fact::Kind::kRange, variable, {0, extent - 1}, nullptr};
}
BufferAccess AccessOf(bool is_store, std::vector<Expr> indices, std::vector<Fact> facts) {
  return {0, is_store, std::move(indices), std::move(facts)};
}

// The loop i of 8 iterations, n around it from 0 to 7.
Prover Outer() {
  Prover prover;
  prover.SetRange(2, {0, 7});
  return prover;
}
const BufferAccess* Race(const std::vector<BufferAccess>& accesses) {
  return FindRace(Outer(), accesses, 0, kVariables);
}

TEST(FindRaceTest, LetsIterationsRead) {
  EXPECT_EQ(Race({}), nullptr);
  EXPECT_EQ(Race({AccessOf(false, {N(0)}, {RangeFact(0, 8)})}), nullptr);
}

TEST(FindRaceTest, NamesTheStore) {
  const std::vector<BufferAccess> same = {AccessOf(true, {V(0)}, {RangeFact(0, 8)}),
                                          AccessOf(false, {V(0)}, {RangeFact(0, 8)})};
  EXPECT_EQ(Race(same), nullptr);
  const std::vector<BufferAccess> next = {AccessOf(false, {V(0) + N(1)}, {RangeFact(0, 8)}),
                                          AccessOf(true, {V(0)}, {RangeFact(0, 8)})};
  EXPECT_EQ(Race(next), &next[1]);
  const std::vector<BufferAccess> always = {AccessOf(true, {N(3)}, {RangeFact(0, 8)})};
  EXPECT_EQ(Race(always), &always[0]);
}

TEST(FindRaceTest, KeepsBuffersApart) {
  std::vector<BufferAccess> accesses = {AccessOf(true, {V(0)}, {RangeFact(0, 8)}),
                                        AccessOf(false, {V(0) + N(1)}, {RangeFact(0, 8)})};
  accesses[1].buffer = 1;
  EXPECT_EQ(Race(accesses), nullptr);
}

// Values that are equal in all iterations do not prove a difference, nor prevent one.
TEST(FindRaceTest, TakesWhatIsAroundAsFixed) {
  EXPECT_EQ(Race({AccessOf(true, {V(0) + V(2)}, {RangeFact(0, 8)})}), nullptr);
  const std::vector<BufferAccess> fixed = {AccessOf(true, {V(2)}, {RangeFact(0, 8)})};
  EXPECT_EQ(Race(fixed), &fixed[0]);
}

// One dimension that differs is enough: C[j, i].
TEST(FindRaceTest, NeedsOneDimension) {
  const std::vector<Fact> facts = {RangeFact(0, 8), RangeFact(1, 8)};
  EXPECT_EQ(Race({AccessOf(true, {V(1), V(0)}, facts)}), nullptr);
  EXPECT_NE(Race({AccessOf(true, {V(1), V(1)}, facts)}), nullptr);
}

// i steps by 3; j reaches 3 or 4 cells.
TEST(FindRaceTest, StepsOverWhatOneIterationReaches) {
  const auto race = [](int64_t reach) {
    return Race({AccessOf(true, {V(0) * N(3) + V(1)}, {RangeFact(0, 8), RangeFact(1, reach)})});
  };
  EXPECT_EQ(race(3), nullptr);
  EXPECT_NE(race(4), nullptr);
}

// An iteration writes cell i if i < 4, else it reads cell i - 4; both accesses have this condition.
TEST(FindRaceTest, UsesConditions) {
  const auto race = [](int64_t bound) {
    const Expr below = Binary(Op::kLess, V(0), N(bound));
    const Fact is_below{Fact::Kind::kTrue, 0, {}, below};
    const Fact is_not{Fact::Kind::kFalse, 0, {}, below};
    return Race({AccessOf(true, {V(0)}, {RangeFact(0, 8), is_below}),
                 AccessOf(false, {V(0) - N(4)}, {RangeFact(0, 8), is_not})});
  };
  EXPECT_NE(race(4), nullptr);  // iteration 4 reads what iteration 0 writes
  EXPECT_EQ(race(0), nullptr);  // nothing is written
  const Fact is_even{
      Fact::Kind::kTrue, 0, {}, Binary(Op::kEqual, Binary(Op::kModulo, V(0), N(2)), N(0))};
  const Fact is_odd{Fact::Kind::kFalse, 0, {}, is_even.expr};
  EXPECT_EQ(Race({AccessOf(true, {V(0)}, {RangeFact(0, 8), is_even}),
                  AccessOf(false, {V(0)}, {RangeFact(0, 8), is_odd})}),
            nullptr);
  EXPECT_EQ(Race({AccessOf(true, {V(0)}, {RangeFact(0, 8), is_even}),
                  AccessOf(false, {V(0) - N(2)}, {RangeFact(0, 8), is_odd})}),
            nullptr);
  EXPECT_NE(Race({AccessOf(true, {V(0)}, {RangeFact(0, 8), is_even}),
                  AccessOf(false, {V(0) - N(1)}, {RangeFact(0, 8), is_odd})}),
            nullptr);
}

// j = 7 - i in each iteration, or j = i // 2.
TEST(FindRaceTest, UsesLets) {
  const auto race = [](const Expr& value) {
    return Race({AccessOf(
        true, {V(1)}, {RangeFact(0, 8), RangeFact(1, 8), Fact{Fact::Kind::kValue, 1, {}, value}})});
  };
  EXPECT_EQ(race(N(7) - V(0)), nullptr);
  EXPECT_NE(race(Binary(Op::kFloorDivide, V(0), N(2))), nullptr);
}

// Two linear accesses to a matrix, against all pairs of iterations.
TEST(FindRaceTest, AgreesWithEnumeration) {
  Rng rng(11);
  const auto draw = [&] { return rng.Below(7) - 3; };
  int races = 0, none = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const int64_t extents[] = {2 + rng.Below(4), 1 + rng.Below(4)};
    const std::vector<Fact> facts = {RangeFact(0, extents[0]), RangeFact(1, extents[1])};
    int64_t factors[2][2][3];
    std::vector<BufferAccess> accesses;
    for (int a = 0; a < 2; ++a) {
      std::vector<Expr> indices;
      for (int d = 0; d < 2; ++d) {
        for (int64_t& factor : factors[a][d]) factor = rng.Chance(0.4) ? 0 : draw();
        const auto& f = factors[a][d];
        indices.push_back(V(0) * N(f[0]) + V(1) * N(f[1]) + N(f[2]));
      }
      accesses.push_back(AccessOf(a == 0, std::move(indices), facts));
    }
    std::set<std::array<int64_t, 2>> stored[5], touched[5];
    for (int64_t i = 0; i < extents[0]; ++i) {
      for (int64_t j = 0; j < extents[1]; ++j) {
        for (int a = 0; a < 2; ++a) {
          std::array<int64_t, 2> cell;
          for (int d = 0; d < 2; ++d) {
            cell[d] = factors[a][d][0] * i + factors[a][d][1] * j + factors[a][d][2];
          }
          touched[i].insert(cell);
          if (a == 0) stored[i].insert(cell);
        }
      }
    }
    bool meet = false;
    for (int64_t one = 0; one < extents[0]; ++one) {
      for (int64_t two = 0; two < extents[0]; ++two) {
        for (const auto& cell : stored[one])
          meet = meet || (one != two && touched[two].count(cell));
      }
    }
    ++(meet ? races : none);
    EXPECT_EQ(Race(accesses) != nullptr, meet) << "trial " << trial;
  }
  EXPECT_GT(races, 100);
  EXPECT_GT(none, 100);
}

}  // namespace
}  // namespace schedulegym
