#include "experiments/bench/bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "env/base/fault.h"
#include "env/measure/timing/clocks.h"
#include "experiments/bench/bench_cases.h"

namespace schedulegym {
namespace {

using ::testing::HasSubstr;

// Runs rows on the interpreter: slow, but available in every build.
class BenchTest : public testing::Test {
 protected:
  BenchTest() {
    options_.interleaved = {.rounds = 3, .sample_seconds = 1e-6, .attempts = 1};
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
      return BenchSchedule{trace, "test", "B"};
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
  EXPECT_EQ(row.grade, "B");
  EXPECT_EQ(row.flops, 2 * 5 * 6 * 7);
  ASSERT_EQ(row.any.peers.size(), 2);
  EXPECT_EQ(row.any.peers[0].name, "openblas");
  EXPECT_EQ(row.any.peers[1].name, "onednn");
  for (const PeerResult& peer : row.any.peers) EXPECT_LT(peer.difference.value(), 1e-5);
  EXPECT_NEAR(*row.gflops, row.flops / *row.seconds * 1e-9, 1e-9);
  EXPECT_NEAR(*row.peak_fraction, *row.gflops / *row.peak_gflops, 1e-9);
  EXPECT_LE(row.any.ratio->low, row.any.ratio->median);
  EXPECT_LE(row.any.ratio->median, row.any.ratio->high);
  EXPECT_EQ(summary.all.rows, 1);
  EXPECT_EQ(summary.failures, 0);
  EXPECT_NEAR(*summary.all.any.geomean, row.any.ratio->median, 1e-12);
}

TEST_F(BenchTest, MatricesHaveOneLayout) {
  UseTrace("trace 1\n");
  Run(Cases({"matmul(m=5,n=6,k=7)"}));
  const BenchRow& row = rows_.at(0);
  EXPECT_EQ(row.plain.best_peer, row.any.best_peer);
  EXPECT_EQ(row.plain.ratio->median, row.any.ratio->median);
}

TEST_F(BenchTest, PlainLayoutsAreNeverTheFasterOnes) {
  UseTrace("trace 1\n");
  Run(Cases({"conv2d(h=9,w=9,ci=16,co=16,k=3,p=1)"}));
  const BenchRow& row = rows_.at(0);
  ASSERT_EQ(row.any.peers.size(), 1);
  ASSERT_EQ(row.plain.peers.size(), 1);
  EXPECT_LE(row.any.peers[0].seconds, row.plain.peers[0].seconds);
  EXPECT_THAT(row.plain.peers[0].detail, HasSubstr("channels last"));
  EXPECT_LT(row.plain.peers[0].difference.value(), 1e-5);
}

TEST_F(BenchTest, RowsKeepWhatIsKnownOfTheirCase) {
  std::vector<BenchCase> cases = Cases({"norm(n=8,m=8)"});
  cases[0].group = "NRM";
  cases[0].effort = SearchEffort{7, 3};
  const BenchSummary summary = Run(cases);
  EXPECT_EQ(rows_.at(0).group, "NRM");
  EXPECT_EQ(rows_.at(0).effort->trials, 7);
  EXPECT_EQ(summary.groups.at(0).name, "NRM");
}

TEST_F(BenchTest, TheGeometricMeanIsOverRowsWithARatio) {
  UseTrace("trace 1\n");
  const BenchSummary summary =
      Run(Cases({"matmul(m=3,n=4,k=5)", "softmax(n=3,m=5)", "attention(heads=1,t=3,d=2)"}));
  ASSERT_EQ(rows_.size(), 3);
  EXPECT_TRUE(rows_[2].any.peers.empty());
  EXPECT_TRUE(rows_[2].plain.peers.empty());
  EXPECT_FALSE(rows_[2].any.ratio.has_value());
  EXPECT_TRUE(rows_[2].seconds.has_value());
  EXPECT_NEAR(*summary.all.any.geomean,
              std::sqrt(rows_[0].any.ratio->median * rows_[1].any.ratio->median), 1e-9);
}

TEST_F(BenchTest, WithoutAScheduleThePeersStandAlone) {
  const BenchSummary summary = Run(Cases({"norm(n=8,m=8)"}));
  EXPECT_FALSE(rows_[0].seconds.has_value());
  EXPECT_FALSE(rows_[0].any.peers[0].difference.has_value());
  EXPECT_GT(rows_[0].any.peers[0].seconds, 0);
  EXPECT_FALSE(summary.all.any.geomean.has_value());
}

TEST_F(BenchTest, ABrokenTraceFailsItsRowOnly) {
  UseTrace("trace 1\nsplit(stage=C, loop=9, lengths=[3])\n");
  const BenchSummary summary = Run(Cases({"matmul(m=3,n=4,k=5)", "matmul(m=4,n=4,k=5)"}));
  EXPECT_EQ(summary.all.rows, 2);
  EXPECT_EQ(summary.failures, 2);
  EXPECT_THAT(rows_[0].failure, HasSubstr("line 2"));
  EXPECT_FALSE(rows_[0].seconds.has_value());
  EXPECT_EQ(rows_[0].any.peers.size(), 2);
}

TEST_F(BenchTest, ADifferentResultIsAFailure) {
  // The row is softmax, and its task computes something else of the same shape.
  std::vector<BenchCase> cases = Cases({"softmax(n=4,m=5)"});
  const std::string file = testing::TempDir() + "doubled.dag";
  std::ofstream(file) << "input X[4, 5]\nY[i:4, j:5] = X[i, j] * 2\n";
  cases[0].task = Cases({file})[0].task;
  cases[0].schedule = BenchSchedule{"trace 1\n", "test", ""};
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
  EXPECT_EQ(Run(Cases({"norm(n=8,m=8)", "norm(n=9,m=9)"})).all.rows, 1);
}

}  // namespace
}  // namespace schedulegym
