#include "env/program/workloads/task_list.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

std::shared_ptr<const Task> TaskOf(const std::string& workload) {
  return LoadTask(workload, MakeTarget({"llvm", {}}));
}

// Sizes of a task, by key.
std::map<std::string, int64_t> SizesOf(const Task& task) {
  std::map<std::string, int64_t> sizes;
  const Spec workload = ParseWorkload(task.name).value();
  for (const SpecOption& option : workload.options) {
    sizes[option.key] = std::get<int64_t>(option.value.value);
  }
  return sizes;
}

bool IsSmooth(int64_t size) {
  while (size % 2 == 0) size /= 2;
  return size == 1 || size == 3 || size == 5 || size == 7;
}

TEST(DrawnTaskTest, LargeNumbersAreDrawnAndSmallOnesStay) {
  const auto task = TaskOf("conv2d(h=14,w=28,ci=256,co=64,k=3,s=2,p=1)");
  Rng rng(1);
  std::set<int64_t> heights;
  for (int draw = 0; draw < 100; ++draw) {
    const auto drawn = DrawTask(task, rng);
    const auto before = SizesOf(*task), after = SizesOf(*drawn);
    for (const char* key : {"k", "s", "p"}) EXPECT_EQ(after.at(key), before.at(key)) << key;
    for (const char* key : {"h", "w", "ci", "co"}) {
      EXPECT_TRUE(IsSmooth(after.at(key))) << after.at(key);
      // Rounding moves the size a little.
      EXPECT_GT(after.at(key), before.at(key) / 4.8) << key;
      EXPECT_LT(after.at(key), before.at(key) * 4.8) << key;
    }
    heights.insert(after.at("h"));
  }
  EXPECT_GT(heights.size(), 10U);
}

TEST(DrawnTaskTest, TheSameChanceDrawsTheSame) {
  const auto task = TaskOf("matmul(m=512,n=32,k=100)");
  Rng one(5), same(5), other(6);
  const auto drawn = DrawTask(task, one);
  EXPECT_EQ(DrawTask(task, same)->name, drawn->name);
  EXPECT_NE(DrawTask(task, other)->name, drawn->name);
}

// Channels are multiples of the groups.
TEST(DrawnTaskTest, WhatIsDrawnIsAComputation) {
  const auto task = TaskOf("conv2d(h=14,w=14,ci=24,co=24,k=3,s=1,p=1,groups=3)");
  Rng rng(2);
  for (int draw = 0; draw < 20; ++draw) {
    const auto sizes = SizesOf(*DrawTask(task, rng));
    EXPECT_EQ(sizes.at("ci") % 3, 0);
    EXPECT_EQ(sizes.at("co") % 3, 0);
  }
}

TEST(DrawnTaskTest, WithoutLargeNumbersItStays) {
  const auto task = TaskOf("matmul(m=4,n=4,k=7)");
  Rng rng(3);
  EXPECT_EQ(DrawTask(task, rng), task);
}

}  // namespace
}  // namespace schedulegym
