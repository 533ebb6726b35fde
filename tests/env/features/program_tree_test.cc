#include "env/features/program_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

using Place = TreeLoopLayout;
using ::testing::ElementsAre;

constexpr char kChain[] =
    "input A[8, 16]\nP[i:8, k:16] = A[i, k] + 1\nC[i:8] = sum(k:16) P[i, k]\n";

std::vector<int> Of(const std::vector<ProgramNode>& nodes, int ProgramNode::*number) {
  std::vector<int> numbers;
  for (const ProgramNode& node : nodes) numbers.push_back(node.*number);
  return numbers;
}

std::vector<ProgramNode> TreeAfter(const char* steps) {
  return TreeOf(FindLoopNests(StateAfter(kChain, steps)));
}

TEST(ProgramTreeTest, StatementsApartHaveLoopsOfTheirOwn) {
  const std::vector<ProgramNode> nodes = TreeAfter("");
  EXPECT_THAT(Of(nodes, &ProgramNode::parent), ElementsAre(-1, 0, 1, -1, 3, 4));
  EXPECT_THAT(Of(nodes, &ProgramNode::statement), ElementsAre(-1, -1, 0, -1, -1, 1));
  const float eight = std::log2(9.0F), sixteen = std::log2(17.0F);
  EXPECT_THAT(nodes[0].loop, ElementsAre(eight, 0, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(nodes[1].loop, ElementsAre(sixteen, 0, 0, 0, 0, 0, 1, 0));
  EXPECT_THAT(nodes[3].loop, ElementsAre(eight, 0, 0, 0, 0, 0, 0, 1));
  EXPECT_THAT(nodes[4].loop, ElementsAre(sixteen, 0, 0, 0, 1, 0, 1, 0));
}

TEST(ProgramTreeTest, ALoopIsSharedByTheStatementsWithin) {
  const std::vector<ProgramNode> nodes =
      TreeAfter("compute_at(stage=P, target=C, loop=0)\nparallel(stage=C, loop=0)");
  EXPECT_THAT(Of(nodes, &ProgramNode::parent), ElementsAre(-1, 0, 1, 0, 3));
  EXPECT_EQ(nodes[0].loop[Place::kShared], 1);
  EXPECT_EQ(nodes[0].loop[Place::kParallel], 1);
  EXPECT_EQ(nodes[1].loop[Place::kShared], 0);
  EXPECT_EQ(nodes[3].loop[Place::kReduction], 1);
  EXPECT_EQ(nodes[3].loop[Place::kPosition], 1);
}

}  // namespace
}  // namespace schedulegym
