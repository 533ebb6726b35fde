#include "env/program/workloads/task_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/base/fault.h"

namespace schedulegym {
namespace {

Target SomeTarget() {
  Target target;
  target.memory_bytes = int64_t{1} << 30;
  return target;
}

class TaskListTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "tasks test @1/";
    std::filesystem::create_directories(folder_);
    Write("two.dag", "param n = 8\ninput A[n]\nB[i:n] = A[i] * 2.0\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + name) << text;
  }

  std::string folder_;
};

TEST_F(TaskListTest, PathsMayHoldAnyCharacters) {
  const auto task = LoadTask(folder_ + "two.dag(n=16)", SomeTarget());
  EXPECT_EQ(task->dag.tensor(0).shape, std::vector<int64_t>{16});
}

TEST_F(TaskListTest, SpecsAreTheirOwnNames) {
  EXPECT_EQ(LoadTask("matmul( m=8,n=4, k=2 )", SomeTarget())->name, "matmul(m=8,n=4,k=2)");
  EXPECT_THROW(LoadTask("matmul(m=8", SomeTarget()), InputError);
  EXPECT_THROW(LoadTask("matmull(m=8)", SomeTarget()), InputError);
}

TEST_F(TaskListTest, EqualTasksAreOne) {
  Write("a.net", "2 two.dag\n3 matmul(m=8,n=4,k=2)\n1 two.dag(n=8)\n");
  const TaskList list = LoadTasks({"matmul(m=8,n=4,k=2)", folder_ + "a.net"}, SomeTarget());
  EXPECT_TRUE(list.has_network);
  ASSERT_EQ(list.tasks.size(), 2u);
  EXPECT_EQ(list.tasks[0].count, 4);
  EXPECT_EQ(list.tasks[1].count, 3);
  EXPECT_EQ(list.networks, (std::vector<std::string>{"matmul(m=8,n=4,k=2)", folder_ + "a.net"}));
  EXPECT_EQ(list.tasks[0].counts, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(list.tasks[1].counts, (std::vector<int64_t>{0, 3}));
  EXPECT_FALSE(LoadTasks({"matmul(m=8,n=4,k=2)"}, SomeTarget()).has_network);
}

TEST_F(TaskListTest, AFaultInANetworkNamesFileAndLine) {
  for (const auto& [layer, fault] : std::vector<std::pair<std::string, std::string>>{
           {"matmull(m=8,n=4,k=2)", "unknown workload 'matmull'"},
           {"three.dag", "cannot read '" + folder_ + "three.dag'"}}) {
    Write("b.net", "# first\n2 two.dag\n3 " + layer + "\n");
    try {
      LoadTasks({folder_ + "b.net"}, SomeTarget());
      FAIL() << layer;
    } catch (const InputError& found) {
      EXPECT_THAT(found.what(), testing::StartsWith(folder_ + "b.net:3: " + fault));
    }
  }
}

TEST_F(TaskListTest, AnUnknownNameIsToldWorkloadsNetworksAndListsOfTasks) {
  for (const auto& [typed, nearest] : std::vector<std::pair<std::string, std::string>>{
           {"programs_trian", "programs_train"}, {"resnet81", "resnet18"}, {"matmull", "matmul"}}) {
    try {
      LoadTasks({typed}, SomeTarget());
      FAIL() << typed;
    } catch (const InputError& found) {
      EXPECT_THAT(found.what(), testing::StartsWith("unknown workload '" + typed + "'"));
      EXPECT_THAT(found.what(), testing::HasSubstr("did you mean '" + nearest + "'?"));
      EXPECT_THAT(found.what(), testing::HasSubstr("programs_valid"));
      EXPECT_THAT(found.what(), testing::HasSubstr("mobilenet_v2"));
      EXPECT_THAT(found.what(), testing::HasSubstr("softmax"));
    }
  }
}

TEST_F(TaskListTest, WhatDoesNotFitIsRefused) {
  EXPECT_THROW(LoadTask("matmul(m=100000,n=100000,k=8)", SomeTarget()), InputError);
}

}  // namespace
}  // namespace schedulegym
