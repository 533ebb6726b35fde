#include "spaces/schedulegym/schedule_skeleton.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/spaces/space_tasks.h"

namespace schedulegym {
namespace {

std::vector<ScheduleSkeleton> ScheduleSkeletons(const std::string& workload,
                                                const Rules& rules = {}, int most = 64) {
  return FindSkeletons(SketchCache(WorkloadTask(workload, Avx512Target()), rules), most);
}

std::set<std::vector<std::string>> RulesOf(const std::vector<ScheduleSkeleton>& skeletons) {
  std::set<std::vector<std::string>> rules;
  for (const ScheduleSkeleton& skeleton : skeletons) rules.insert(skeleton.rules);
  return rules;
}

TEST(ScheduleSkeletonTest, EachIsFoundOnce) {
  for (const char* workload : {"matmul(m=64,n=64,k=64)", "conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)",
                               "conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)"}) {
    const std::vector<ScheduleSkeleton> skeletons = ScheduleSkeletons(workload);
    EXPECT_EQ(RulesOf(skeletons).size(), skeletons.size()) << workload;
    EXPECT_GE(skeletons.size(), 4u) << workload;
  }
}

// Padding stored or not, weights in panels or not, and likewise the padded input.
TEST(ScheduleSkeletonTest, OfAConvolution) {
  const auto rules = RulesOf(ScheduleSkeletons("conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)"));
  EXPECT_TRUE(rules.count({"P: inline", "Y: pack W"}));
  EXPECT_TRUE(rules.count({"P: keep", "Y: pack W"}));
  EXPECT_TRUE(rules.count({"P: inline"}));
}

// Three channels: vectors of three, or partial sums, whose weights may be in panels.
TEST(ScheduleSkeletonTest, OfAnImage) {
  const auto rules = RulesOf(ScheduleSkeletons("conv2d_transpose(h=8,w=8,ci=32,co=3,k=4,s=2,p=1)"));
  EXPECT_TRUE(rules.count({"Y: partial_sums", "Y.rf: pack W"}));
  EXPECT_TRUE(rules.count({"Y: pack W"}));
}

TEST(ScheduleSkeletonTest, FollowsTheRules) {
  for (const auto& one : RulesOf(ScheduleSkeletons("conv2d(h=14,w=14,ci=32,co=64,k=3,p=1)",
                                                   {.pack = false, .layout = false}))) {
    EXPECT_EQ(one.size(), 1u);
  }
  for (const ScheduleSkeleton& one :
       ScheduleSkeletons("norm(n=1024,m=64)", {.partial_sums = false})) {
    EXPECT_TRUE(one.lanes.empty());
  }
  for (const ScheduleSkeleton& one :
       ScheduleSkeletons("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)", {.fuse = false})) {
    for (const auto& [stage, fused] : one.fused) EXPECT_FALSE(fused);
  }
}

TEST(ScheduleSkeletonTest, StopsAtTheMost) {
  EXPECT_EQ(ScheduleSkeletons("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)", {}, 3).size(), 3u);
}

TEST(ScheduleSkeletonTest, KnowsWhatIsOpen) {
  const ScheduleSkeleton one =
      ScheduleSkeletons("conv_layer(h=14,w=14,ci=32,co=64,k=3,p=1)").front();
  EXPECT_EQ(one.nests.size(), 1u);
  EXPECT_EQ(one.vectors.size(), 1u);
  EXPECT_FALSE(one.maps.empty());
  EXPECT_FALSE(one.names.empty());
}

}  // namespace
}  // namespace schedulegym
