#include "agents/schedulers/similarity.h"

#include <gtest/gtest.h>

#include "env/program/workloads/workload.h"
#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

std::string TagOf(const std::string& workload) {
  return SimilarityTag(MakeWorkload(ParseSpec(workload).value()));
}

TEST(SimilarityTagTest, IsTheKindOfReductionAndTheLogarithmOfTheFlops) {
  // 2 * 64^3 = 524288 FLOP; ln 524289 / ln 1.618 = 13.1698 / 0.48119 = 27.37.
  EXPECT_EQ(TagOf("matmul(m=64,n=64,k=64)"), "sum.f32.2.1.*(a,b)_27");
  // 32 squares and their sums: 64; ln 65 / ln 1.618 = 4.1744 / 0.48119 = 8.68. The root is no
  // reduction, but its one operation counts: ln 66 / ln 1.618 = 8.71.
  EXPECT_EQ(TagOf("norm(n=4,m=8)"), "sum.f32.1.2.*(a,a)_8");
}

TEST(SimilarityTagTest, TellsSizesApartByTheirWorkOnly) {
  // 2 * 60 * 66 * 64 = 506880 FLOP; ln 506881 / ln 1.618 = 13.1360 / 0.48119 = 27.30.
  EXPECT_EQ(TagOf("matmul(m=60,n=66,k=64)"), TagOf("matmul(m=64,n=64,k=64)"));
  EXPECT_NE(TagOf("matmul(m=128,n=128,k=128)"), TagOf("matmul(m=64,n=64,k=64)"));
  EXPECT_NE(TagOf("matmul(m=64,n=64,k=64,dtype=f64)"), TagOf("matmul(m=64,n=64,k=64)"));
}

TEST(SimilarityTagTest, StridesAndKernelSizesMakeNoDifference) {
  EXPECT_EQ(TagOf("conv2d(h=28,w=28,ci=64,co=64,k=1)"),
            TagOf("conv2d(h=55,w=55,ci=64,co=64,k=1,s=2)"));
  EXPECT_EQ(TagOf("conv2d(h=12,w=12,ci=16,co=16,k=3)"),
            TagOf("conv2d(h=10,w=10,ci=16,co=16,k=3,p=1)"));
}

TEST(SimilarityTagTest, NamesMakeNoDifference) {
  const auto product = [](const std::string& a, const std::string& c) {
    return DagOf("input " + a + "[4, 4]\ninput B[4, 4]\n" + c + "[x:4, y:4] = sum(z:4) " + a +
                 "[x, z] * B[z, y]\n");
  };
  EXPECT_EQ(SimilarityTag(product("A", "C")), SimilarityTag(product("Left", "Product")));
}

TEST(SimilarityTagTest, ConditionsAndConstantsAreNotSpelled) {
  const auto sum = [](const std::string& term) {
    return SimilarityTag(DagOf("input A[8]\nS[] = sum(i:8) " + term + "\n"));
  };
  EXPECT_EQ(sum("select(i < 5, A[i] * 2.0, 1.0)"), sum("select(i >= 3, A[7 - i] * 3.0, 4.0)"));
  EXPECT_NE(sum("A[i] * 2.0"), sum("exp(A[i])"));
}

TEST(SimilarityTagTest, WithoutAReductionThereIsNone) {
  EXPECT_EQ(SimilarityTag(DagOf("input A[8]\nB[i:8] = A[i] + 1\n")), "");
}

TEST(SimilarityGroupsTest, TheBestSpeedIsThatOfTheGroup) {
  const std::vector<std::string> tags = {"a", "b", "a", "", "", "c", "c"};
  const SimilarityGroups groups(tags, 2);
  const std::vector<TaskProgress> progress = {{5.0, 1}, {9.0, 1}, {3.0, 1}, {7.0, 1},
                                              {8.0, 1}, {{}, 1},  {{}, 1}};
  EXPECT_EQ(groups.BestSpeed(0, progress), 5.0);
  EXPECT_EQ(groups.BestSpeed(2, progress), 5.0);
  EXPECT_EQ(groups.BestSpeed(1, progress), std::nullopt) << "alone";
  EXPECT_EQ(groups.BestSpeed(3, progress), std::nullopt) << "without a tag";
  EXPECT_EQ(groups.BestSpeed(5, progress), std::nullopt) << "nothing is known";
}

TEST(SimilarityGroupsTest, WhoStaysSlowLeaves) {
  const std::vector<std::string> tags = {"a", "a", "a"};
  SimilarityGroups groups(tags, 2);
  // Below 100 / 2, but not more than 5 rounds above the next task's 2.
  groups.Reconsider(0, std::vector<TaskProgress>{{49.0, 7}, {100.0, 2}, {80.0, 1}});
  // Nine rounds, but half the speed of the best is fast enough.
  groups.Reconsider(0, std::vector<TaskProgress>{{50.0, 9}, {100.0, 2}, {80.0, 1}});
  const std::vector<TaskProgress> slow = {{49.0, 8}, {100.0, 2}, {80.0, 1}};
  EXPECT_EQ(groups.BestSpeed(0, slow), 100.0);
  groups.Reconsider(0, slow);
  EXPECT_EQ(groups.BestSpeed(0, slow), std::nullopt);
  EXPECT_EQ(groups.BestSpeed(2, slow), 100.0) << "the others stay";
}

}  // namespace
}  // namespace schedulegym
