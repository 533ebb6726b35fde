#include "spaces/schedulegym/structure.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

std::vector<Structure> Structures(const std::string& workload, const Rules& rules = {},
                                  int most = 64) {
  return FindStructures(Preparations(WorkloadTask(workload, Avx512Target()), rules), most);
}

std::set<std::vector<std::string>> RulesOf(const std::vector<Structure>& structures) {
  std::set<std::vector<std::string>> rules;
  for (const Structure& structure : structures) rules.insert(structure.rules);
  return rules;
}

TEST(StructureTest, EachIsFoundOnce) {
  for (const char* workload : {"matmul(m=64,n=64,k=64)", "conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)",
                               "conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)"}) {
    const std::vector<Structure> structures = Structures(workload);
    EXPECT_EQ(RulesOf(structures).size(), structures.size()) << workload;
    EXPECT_GE(structures.size(), 4u) << workload;
  }
}

// Padding in its own memory or not, weights in panels or not, and so the padded input.
TEST(StructureTest, OfAConvolution) {
  const auto rules = RulesOf(Structures("conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)"));
  EXPECT_TRUE(rules.count({"P: inline", "Y: pack W"}));
  EXPECT_TRUE(rules.count({"P: keep", "Y: pack W"}));
  EXPECT_TRUE(rules.count({"P: inline"}));
}

// Three channels: partial sums, of which the weights then lie in panels, or vectors of three.
TEST(StructureTest, OfAnImage) {
  const auto rules = RulesOf(Structures("conv2d_transpose(h=8,w=8,ci=32,co=3,k=4,s=2,p=1)"));
  EXPECT_TRUE(rules.count({"Y: partial_sums", "Y.rf: pack W"}));
  EXPECT_TRUE(rules.count({"Y: pack W"}));
}

TEST(StructureTest, FollowsTheRules) {
  for (const auto& one : RulesOf(
           Structures("conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)", {.pack = false, .layout = false}))) {
    EXPECT_EQ(one.size(), 1u);
  }
  for (const Structure& one : Structures("norm(n=1024,m=64)", {.partial_sums = false})) {
    EXPECT_TRUE(one.lanes.empty());
  }
  for (const Structure& one :
       Structures("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)", {.fuse = false})) {
    for (const auto& [stage, fused] : one.fused) EXPECT_FALSE(fused);
  }
}

TEST(StructureTest, StopsAtTheMost) {
  EXPECT_EQ(Structures("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)", {}, 3).size(), 3u);
}

TEST(StructureTest, KnowsWhatIsOpen) {
  const Structure one = Structures("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)").front();
  EXPECT_EQ(one.nests.size(), 1u);
  EXPECT_EQ(one.vectors.size(), 1u);
  EXPECT_FALSE(one.maps.empty());
  EXPECT_FALSE(one.names.empty());
}

}  // namespace
}  // namespace schedulegym
