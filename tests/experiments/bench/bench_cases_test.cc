#include "experiments/bench/bench_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "env/base/fault.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BenchCasesTest : public testing::Test {
 protected:
  std::vector<BenchCase> Cases(const std::vector<std::string>& words) const {
    return MakeBenchCases(words, target_, testing::TempDir());
  }
  std::vector<std::string> Workloads(const std::string& word) const {
    std::vector<std::string> names;
    for (const BenchCase& one : Cases({word})) names.push_back(one.workload);
    return names;
  }
  std::string Refusal(const std::string& word) const {
    return InputFaultOf([&] { Cases({word}); });
  }
  // An index of two cases; the first has a schedule.
  std::string ExpertsIn(const std::string& name) const {
    const std::string folder = testing::TempDir() + name;
    std::filesystem::create_directories(folder + "/avx2");
    std::ofstream(folder + "/index.txt") << "a norm(b=1,n=1024,m=1024)\nb norm(b=2,n=9,m=9)\n";
    std::ofstream(folder + "/avx2/a.trace") << "trace 1\n";
    return folder;
  }

  Target target_ = MakeTarget(*ParseSpec("interpreter"));
};

TEST_F(BenchCasesTest, ASuiteIsAllItsCases) {
  const std::vector<BenchCase> cases = Cases({"smoke", "norm(n=8,m=8)"});
  EXPECT_GT(cases.size(), 10);
  EXPECT_EQ(cases.back().workload, "norm(n=8,m=8)");
  EXPECT_FALSE(cases.front().schedule.has_value());
}

TEST_F(BenchCasesTest, ANetworksTasksAreRowsWithTheirCounts) {
  const std::string path = testing::TempDir() + "bench_cases.net";
  std::ofstream(path) << "2 norm(b=1,n=8,m=8)\n1 softmax(n=4,m=4)\n3 norm(b=1,n=8,m=8)\n";
  const std::vector<BenchCase> cases = Cases({"norm(b=1,n=8,m=8)", path, path});
  ASSERT_EQ(cases.size(), 3);
  EXPECT_EQ(cases[0].count, 0) << "asked for by itself";
  EXPECT_EQ(cases[1].workload, "norm(b=1,n=8,m=8)");
  EXPECT_EQ(cases[1].count, 10);
  EXPECT_EQ(cases[2].count, 2);
  EXPECT_EQ(cases[2].group, "softmax");
  EXPECT_GT(Cases({"resnet50"}).size(), 20);
}

TEST_F(BenchCasesTest, GroupsAreTheSuitesOperatorsOrElseTheWorkloadsNames) {
  const std::vector<BenchCase> cases = Cases({"smoke", "norm(n=8,m=8)"});
  EXPECT_EQ(cases.front().group, "GMM");
  EXPECT_EQ(cases.back().group, "norm");
}

TEST_F(BenchCasesTest, AnUnknownNameIsToldTheSuitesAndTheWorkloads) {
  EXPECT_THAT(Refusal("ansor_op"),
              AllOf(HasSubstr("unknown suite or workload 'ansor_op'"), HasSubstr("ansor_ops, "),
                    HasSubstr("matmul, "), HasSubstr("did you mean 'ansor_ops'?")));
  EXPECT_THAT(Refusal("no/file.dag"), HasSubstr("cannot read 'no/file.dag'"));
}

TEST_F(BenchCasesTest, ASuiteByBatch) {
  EXPECT_EQ(Cases({"ansor_ops"}).size(), 80);
  EXPECT_EQ(Cases({"ansor_ops(batch=1)"}).size(), 40);
  EXPECT_EQ(Cases({"ansor_ops(batch=16)"}).size(), 40);
  EXPECT_THAT(Workloads("ansor_subgraphs(batch=16)"),
              AllOf(testing::SizeIs(8), testing::Each(HasSubstr("(n=16,"))));
  // The batch is not written, and softmax has none: its first size is not a batch.
  EXPECT_THAT(Workloads("smoke(batch=1,operator=SMX)"), ElementsAre("softmax(n=7,m=19)"));
  EXPECT_THAT(Workloads("smoke(batch=2,operator=GMM)"), ElementsAre("matmul(b=2,m=6,n=11,k=7)"));
}

TEST_F(BenchCasesTest, ASuiteByOperator) {
  EXPECT_THAT(Workloads("ansor_ops(batch=1,operator=NRM)"),
              ElementsAre("norm(b=1,n=256,m=256)", "norm(b=1,n=512,m=512)",
                          "norm(b=1,n=1024,m=1024)", "norm(b=1,n=4096,m=1024)"));
}

TEST_F(BenchCasesTest, WhatASuiteLacksIsNamed) {
  EXPECT_THAT(Refusal("ansor_ops(batch=3)"), HasSubstr("expected batch 1 or 16"));
  EXPECT_THAT(Refusal("ansor_ops(operator=GEM)"), HasSubstr("did you mean 'GMM'"));
  EXPECT_THAT(Refusal("ansor_ops(size=3)"), AllOf(HasSubstr("size"), HasSubstr("batch")));
  EXPECT_THAT(Refusal("ansor_ops(batch=all)"), HasSubstr("batch"));
}

TEST_F(BenchCasesTest, LongCasesOfASuiteTakeFewerTrials) {
  std::vector<std::string> limited;
  for (const BenchCase& one : Cases({"ansor_ops(batch=1)"})) {
    if (!one.most_trials) continue;
    EXPECT_EQ(*one.most_trials, 200);
    limited.push_back(one.workload);
  }
  EXPECT_THAT(limited, ElementsAre("conv3d(n=1,d=16,h=224,w=224,ci=3,co=64,k=7,s=2,p=3)",
                                   "conv3d(n=1,d=16,h=14,w=14,ci=256,co=256,k=3,s=1,p=1)",
                                   "conv3d(n=1,d=16,h=7,w=7,ci=512,co=512,k=3,s=1,p=1)"));
  EXPECT_FALSE(Cases({limited[2]})[0].most_trials.has_value()) << "typed, it is no case of a suite";
}

TEST_F(BenchCasesTest, ExpertsBringTheirSchedules) {
  target_.vector_bits = 256;
  const std::string folder = ExpertsIn("bench_experts");
  const std::vector<BenchCase> cases = MakeBenchCases({"expert"}, target_, folder);
  ASSERT_EQ(cases.size(), 2);
  EXPECT_EQ(cases[0].schedule->trace, "trace 1\n");
  EXPECT_EQ(cases[0].schedule->origin, "expert");
  EXPECT_EQ(cases[0].group, "NRM") << "as the built-in suite says";
  EXPECT_FALSE(cases[1].schedule.has_value());
  EXPECT_EQ(cases[1].group, "norm") << "which no built-in suite has";
  EXPECT_EQ(MakeBenchCases({"expert(batch=2)"}, target_, folder).at(0).workload, cases[1].workload);
}

TEST_F(BenchCasesTest, UnknownWorkloadsAreInputErrors) {
  EXPECT_THROW(Cases({"matmull(m=3,n=4,k=5)"}), InputError);
  EXPECT_THROW(Cases({"matmul(m=3"}), InputError);
}

TEST_F(BenchCasesTest, LargerOnesAreLeftOutAndNamed) {
  std::vector<BenchCase> cases =
      Cases({"matmul(m=10,n=10,k=10)", "matmul(m=10,n=10,k=11)", "matmul(m=1,n=1,k=1)"});
  EXPECT_THAT(LeaveOutLarger(2000, cases), ElementsAre("matmul(m=10,n=10,k=11)"));
  ASSERT_EQ(cases.size(), 2);
  EXPECT_EQ(cases[1].workload, "matmul(m=1,n=1,k=1)");
}

}  // namespace
}  // namespace schedulegym
