#include "env/program/workloads/shrunk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/program/analysis.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Task TaskOf(const std::string& workload) {
  return {MakeWorkload(ParseSpec(workload).value()),
          MakeTarget(ParseSpec("interpreter(cores=1)").value()), workload};
}

std::vector<std::string> NamesOf(const Task& task, size_t most = 2) {
  std::vector<std::string> names;
  for (const auto& shrunk : ShrunkTasks(task, most)) names.push_back(shrunk->name);
  return names;
}

TEST(ShrunkTest, OnePrimeAndOneThin) {
  EXPECT_THAT(NamesOf(TaskOf("matmul(m=512,n=512,k=512)")),
              ElementsAre("matmul(m=37,n=53,k=29)", "matmul(m=1,n=13,k=7)"));
  EXPECT_THAT(NamesOf(TaskOf("matmul(m=512,n=512,k=512)"), 1),
              ElementsAre("matmul(m=37,n=53,k=29)"));
  EXPECT_THAT(NamesOf(TaskOf("matmul(m=512,n=512,k=512)"), 0), IsEmpty());
}

TEST(ShrunkTest, WhatIsSmallStays) {
  EXPECT_THAT(NamesOf(TaskOf("conv2d(h=56,w=56,ci=64,co=64,k=3,s=2,p=1)")),
              ElementsAre("conv2d(h=17,w=13,ci=19,co=11,k=3,s=2,p=1)",
                          "conv2d(h=1,w=13,ci=7,co=3,k=3,s=2,p=1)"));
  EXPECT_THAT(NamesOf(TaskOf("matmul(m=4,n=3,k=2)")), IsEmpty());
}

TEST(ShrunkTest, TypesAndRanksStay) {
  // 13 products of 53 x 29 x 41 would be more than a million flops.
  EXPECT_THAT(
      NamesOf(TaskOf("matmul(b=16,m=64,n=64,k=64,dtype=i8)")),
      ElementsAre("matmul(b=13,m=13,n=19,k=11,dtype=i8)", "matmul(b=13,m=13,n=7,k=3,dtype=i8)"));
}

// Channels are multiples of the groups, and windows fit into their inputs.
TEST(ShrunkTest, OnlyLegalExtents) {
  for (const auto& shrunk : ShrunkTasks(TaskOf("conv2d(h=28,w=28,ci=96,co=96,k=3,groups=32)"))) {
    const ComputeDag& dag = shrunk->dag;
    const ComputeDag original = TaskOf("conv2d(h=28,w=28,ci=96,co=96,k=3,groups=32)").dag;
    EXPECT_LT(dag.tensor(0).NumElements(), original.tensor(0).NumElements()) << shrunk->name;
  }
  EXPECT_THAT(NamesOf(TaskOf("conv1d(l=32,ci=16,co=16,k=11)")), testing::SizeIs(2));
}

TEST(ShrunkTest, EveryOperatorHasBoth) {
  for (const char* suite : {"ansor_ops", "ansor_subgraphs"}) {
    const Suite known = FindSuite(suite).value();
    for (const SuiteCase& entry : known.cases) {
      const Task task = TaskOf(entry.workload.ToText());
      const auto shrunk = ShrunkTasks(task);
      EXPECT_EQ(shrunk.size(), 2u) << task.name;
      for (const auto& one : shrunk) {
        EXPECT_LE(CountFlops(one->dag), 1e6) << one->name;
        EXPECT_LT(CountFlops(one->dag), CountFlops(task.dag)) << one->name;
        EXPECT_EQ(one->dag.size(), task.dag.size()) << one->name;
        EXPECT_EQ(one->dag, MakeWorkload(ParseSpec(one->name).value())) << one->name;
      }
    }
  }
}

class ShrunkFileTest : public testing::Test {
 protected:
  ShrunkFileTest()
      : folder_(std::filesystem::path(testing::TempDir()) / "shrunk_test"),
        path_((folder_ / "a.dag").string()) {
    std::filesystem::create_directories(folder_);
    Write("param n = 100\nparam t = 4\ninput A[n, t]\nB[i:n, j:t] = A[i, j] * 2.0\n");
  }
  ~ShrunkFileTest() override { std::filesystem::remove_all(folder_); }

  void Write(const std::string& text) const { std::ofstream(path_) << text; }

  std::filesystem::path folder_;
  std::string path_;
};

TEST_F(ShrunkFileTest, FilesShrinkByTheirParameters) {
  EXPECT_THAT(NamesOf(TaskOf(path_)), ElementsAre(path_ + "(n=37)", path_ + "(n=1)"));
  EXPECT_THAT(NamesOf(TaskOf(path_ + "(t=90)")),
              ElementsAre(path_ + "(t=53,n=37)", path_ + "(t=13,n=1)"));
}

TEST_F(ShrunkFileTest, AFileThatChangedSinceSaysNothing) {
  const Task task = TaskOf(path_);
  Write("param n = 100\ninput A[n]\nB[i:n] = A[i] * 2.0\n");
  EXPECT_THAT(NamesOf(task), IsEmpty());
  std::filesystem::remove(path_);
  EXPECT_THAT(NamesOf(task), IsEmpty());
}

TEST_F(ShrunkFileTest, AFileWithoutParametersHasOneShape) {
  Write("input A[100]\nB[i:100] = A[i] * 2.0\n");
  EXPECT_THAT(NamesOf(TaskOf(path_)), IsEmpty());
}

TEST(ShrunkTest, NamesThatAreNoWorkloadSayNothing) {
  Task task = TaskOf("matmul(m=64,n=64,k=64)");
  for (const char* name : {"mine", "", "matmul(", "matmul(m=64,n=64,k=65)", "nowhere.dag"}) {
    task.name = name;
    EXPECT_THAT(NamesOf(task), IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace schedulegym
