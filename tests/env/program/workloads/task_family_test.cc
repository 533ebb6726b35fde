#include "env/program/workloads/task_family.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "env/program/workloads/network.h"

namespace schedulegym {
namespace {

constexpr const char* kSum = "input A[64, 8]\nC[i:64] = sum(r:8) A[i, r]\n";

TEST(TaskFamily, BuiltInWorkloadIsItsName) {
  EXPECT_EQ(FamilyOf("matmul(m=8,n=8,k=8)", "whatever"), "matmul");
  EXPECT_EQ(FamilyOf("conv2d_relu(h=28,w=28,ci=64,co=128,k=3,p=1)", ""), "conv2d_relu");
}

// Counted by hand in resnet18.net: eight shapes of convolutions with relu, four that also add a
// shortcut, three projections, and one shape each of four more. A layer may occur twice.
TEST(TaskFamily, Resnet18HasSevenFamilies) {
  std::map<std::string, int> tasks, layers;
  for (const WeightedWorkload& one : ReadNetwork("resnet18")) {
    const std::string family = FamilyOf(one.workload.ToText(), "");
    ++tasks[family];
    layers[family] += static_cast<int>(one.count);
  }
  const std::map<std::string, int> expected_tasks = {
      {"conv2d_relu", 8},    {"conv2d_add_relu", 4}, {"conv2d_bias", 3}, {"max_pool2d", 1},
      {"average_pool2d", 1}, {"linear", 1},          {"softmax", 1}};
  EXPECT_EQ(tasks, expected_tasks);
  EXPECT_EQ(layers.at("conv2d_relu"), 9);
  EXPECT_EQ(layers.at("conv2d_add_relu"), 8);
  EXPECT_EQ(layers.at("conv2d_bias"), 3);
}

TEST(TaskFamily, AnythingElseIsItsTextWithoutNumbers) {
  EXPECT_EQ(FamilyOf("own.dag(n=64)", kSum), "input A[#, #]\nC[i:#] = sum(r:#) A[i, r]\n");
  EXPECT_EQ(FamilyOf("own.dag", kSum),
            FamilyOf("copy.dag", "input A[60, 9]\nC[i:60] = sum(r:9) A[i, r]\n"));
}

// A2 and A3 are different tensors.
TEST(TaskFamily, DigitsOfNamesStay) {
  EXPECT_NE(FamilyOf("own.dag", "input A2[4]\n"), FamilyOf("own.dag", "input A3[4]\n"));
}

TEST(SizeDistance, SumsLogarithmsOfRatios) {
  EXPECT_DOUBLE_EQ(SizeDistance(kSum, kSum).value(), 0);
  // 64 against 32 twice, 8 against 16 twice: four factors of two.
  const auto distance = SizeDistance(kSum, "input A[32, 16]\nC[i:32] = sum(r:16) A[i, r]\n");
  ASSERT_TRUE(distance);
  EXPECT_NEAR(*distance, 4 * std::log(2), 1e-12);
}

TEST(SizeDistance, OtherFormsHaveNone) {
  EXPECT_FALSE(SizeDistance(kSum, "input A[64]\nC[i:64] = A[i]\n"));
}

}  // namespace
}  // namespace schedulegym
