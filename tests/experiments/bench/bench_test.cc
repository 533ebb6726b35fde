#include "experiments/bench/bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "env/base/fault.h"
#include "env/measure/clocks.h"
#include "experiments/bench/bench_cases.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

// Runs rows on the interpreter: slow, but there in every build.
class BenchTest : public testing::Test {
 protected:
  BenchTest() {
    options_.contest = {.rounds = 3, .sample_seconds = 1e-6, .attempts = 1};
    target_ = MakeTarget(*ParseSpec("interpreter"));
    target_.cores = 1;
  }
  std::vector<BenchCase> Cases(const std::vector<std::string>& words) {
    return MakeBenchCases(words, target_, testing::TempDir());
  }
  BenchSummary Run(const std::vector<BenchCase>& cases) {
    const SteadyClock wall;
    const ProcessCpuClock cpu;
    return RunBench(cases, options_, {wall, cpu},
                    [this](const BenchRow& row) { rows_.push_back(row); });
  }
  void UseTrace(const std::string& trace) {
    options_.schedule_of = [trace](const std::shared_ptr<const Task>&) {
      return BenchSchedule{trace, "test"};
    };
  }

  Target target_;
  BenchOptions options_;
  std::vector<BenchRow> rows_;
};

TEST_F(BenchTest, ARowComparesOursWithTheBestPeer) {
  UseTrace("trace 1\nsplit(stage=C, loop=0, lengths=[3])\n");
  const BenchSummary summary = Run(Cases({"matmul(m=5,n=6,k=7)"}));
  ASSERT_EQ(rows_.size(), 1);
  const BenchRow& row = rows_[0];
  EXPECT_EQ(row.failure, "");
  EXPECT_EQ(row.origin, "test");
  EXPECT_EQ(row.flops, 2 * 5 * 6 * 7);
  ASSERT_EQ(row.peers.size(), 2);
  EXPECT_EQ(row.peers[0].name, "openblas");
  EXPECT_EQ(row.peers[1].name, "onednn");
  for (const PeerResult& peer : row.peers) EXPECT_LT(peer.difference.value(), 1e-5);
  EXPECT_NEAR(*row.gflops, row.flops / *row.seconds * 1e-9, 1e-9);
  EXPECT_NEAR(*row.peak_fraction, *row.gflops / *row.peak_gflops, 1e-9);
  EXPECT_LE(row.ratio->low, row.ratio->median);
  EXPECT_LE(row.ratio->median, row.ratio->high);
  EXPECT_EQ(summary.rows, 1);
  EXPECT_EQ(summary.failures, 0);
  EXPECT_NEAR(*summary.geomean_ratio, row.ratio->median, 1e-12);
}

TEST_F(BenchTest, TheGeometricMeanIsOverRowsWithARatio) {
  UseTrace("trace 1\n");
  const BenchSummary summary =
      Run(Cases({"matmul(m=3,n=4,k=5)", "softmax(n=3,m=5)", "attention(heads=1,t=3,d=2)"}));
  ASSERT_EQ(rows_.size(), 3);
  EXPECT_TRUE(rows_[2].peers.empty());
  EXPECT_FALSE(rows_[2].ratio.has_value());
  EXPECT_TRUE(rows_[2].seconds.has_value());
  EXPECT_NEAR(*summary.geomean_ratio, std::sqrt(rows_[0].ratio->median * rows_[1].ratio->median),
              1e-9);
}

TEST_F(BenchTest, WithoutAScheduleThePeersStandAlone) {
  const BenchSummary summary = Run(Cases({"norm(n=8,m=8)"}));
  EXPECT_FALSE(rows_[0].seconds.has_value());
  EXPECT_FALSE(rows_[0].peers[0].difference.has_value());
  EXPECT_GT(rows_[0].peers[0].seconds, 0);
  EXPECT_FALSE(summary.geomean_ratio.has_value());
}

TEST_F(BenchTest, ABrokenTraceFailsItsRowOnly) {
  UseTrace("trace 1\nsplit(stage=C, loop=9, lengths=[3])\n");
  const BenchSummary summary = Run(Cases({"matmul(m=3,n=4,k=5)", "matmul(m=4,n=4,k=5)"}));
  EXPECT_EQ(summary.rows, 2);
  EXPECT_EQ(summary.failures, 2);
  EXPECT_THAT(rows_[0].failure, HasSubstr("line 2"));
  EXPECT_FALSE(rows_[0].seconds.has_value());
  EXPECT_EQ(rows_[0].peers.size(), 2);
}

TEST_F(BenchTest, ADifferentResultIsAFailure) {
  // The row says softmax, its task computes something else of the same shape.
  std::vector<BenchCase> cases = Cases({"softmax(n=4,m=5)"});
  const std::string file = testing::TempDir() + "doubled.dag";
  std::ofstream(file) << "input X[4, 5]\nY[i:4, j:5] = X[i, j] * 2\n";
  cases[0].task = Cases({file})[0].task;
  cases[0].schedule = BenchSchedule{"trace 1\n", "test"};
  EXPECT_EQ(Run(cases).failures, 1);
  EXPECT_THAT(rows_[0].failure, HasSubstr("differs from onednn"));
}

TEST_F(BenchTest, UnknownPeersAreRefusedBeforeTheFirstRow) {
  options_.peers = {"mkl"};
  EXPECT_THROW(Run(Cases({"norm(n=8,m=8)"})), InputError);
  EXPECT_TRUE(rows_.empty());
}

TEST_F(BenchTest, StopsWhenAsked) {
  options_.stop = [this] { return rows_.size() == 1; };
  EXPECT_EQ(Run(Cases({"norm(n=8,m=8)", "norm(n=9,m=9)"})).rows, 1);
}

TEST_F(BenchTest, ASuiteIsAllItsCases) {
  const std::vector<BenchCase> cases = Cases({"smoke", "norm(n=8,m=8)"});
  EXPECT_GT(cases.size(), 10);
  EXPECT_EQ(cases.back().workload, "norm(n=8,m=8)");
  EXPECT_FALSE(cases.front().schedule.has_value());
}

TEST_F(BenchTest, ExpertsBringTheirSchedules) {
  const std::string folder = testing::TempDir() + "bench_experts";
  std::filesystem::create_directories(folder + "/avx2");
  std::ofstream(folder + "/index.txt") << "a norm(n=8,m=8)\nb norm(n=9,m=9)\n";
  std::ofstream(folder + "/avx2/a.trace") << "trace 1\n";
  target_.vector_bits = 256;
  const std::vector<BenchCase> cases = MakeBenchCases({"expert"}, target_, folder);
  ASSERT_EQ(cases.size(), 2);
  EXPECT_EQ(cases[0].schedule->trace, "trace 1\n");
  EXPECT_EQ(cases[0].schedule->origin, "expert");
  EXPECT_FALSE(cases[1].schedule.has_value());
}

TEST_F(BenchTest, UnknownWorkloadsAreInputErrors) {
  EXPECT_THROW(Cases({"matmull(m=3,n=4,k=5)"}), InputError);
  EXPECT_THROW(Cases({"matmul(m=3"}), InputError);
}

}  // namespace
}  // namespace schedulegym
