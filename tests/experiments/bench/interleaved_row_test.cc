#include "experiments/bench/interleaved_row.h"

#include <gtest/gtest.h>

#include <cmath>

#include "env/ipc/encoding.h"
#include "experiments/bench/bench_cases.h"

namespace schedulegym {
namespace {

// A product of 2 * 10 * 10 * 10 operations.
class InterleavedRowTest : public testing::Test {
 protected:
  InterleavedRowTest() {
    Target target = MakeTarget(*ParseSpec("interpreter"));
    target.cores = 1;
    case_ = MakeBenchCases({"matmul(m=10,n=10,k=10)"}, target, testing::TempDir()).at(0);
    case_.schedule = BenchSchedule{"trace 1\n", "record 1f", "B"};
  }

  static InterleavedEntry Entry(const std::string& name, double seconds, bool is_plain = true) {
    return {.name = name,
            .detail = name + " detail",
            .seconds = seconds,
            .samples = std::vector<float>(9, static_cast<float>(seconds)),
            .is_plain = is_plain};
  }

  static InterleavedRow Contest(std::vector<InterleavedEntry> entries) {
    InterleavedRow interleaved;
    interleaved.timing.entries = std::move(entries);
    interleaved.timing.peak_gflops = 4;
    return interleaved;
  }

  BenchCase case_;
};

TEST_F(InterleavedRowTest, ARowHoldsOursBesideTheBestPeerOfEachLayout) {
  InterleavedRow interleaved = Contest({Entry("schedulegym", 1e-6), Entry("onednn", 2e-6, false),
                                        Entry("onednn", 4e-6), Entry("openblas", 3e-6)});
  interleaved.timing.entries[0].cpu_per_wall = 0.9;
  interleaved.timing.entries[3].difference = 1e-7;
  interleaved.timing.short_of_cores = true;
  const BenchRow row = RowOf(case_, {"openblas", "onednn"}, interleaved);
  EXPECT_EQ(row.workload, "matmul(m=10,n=10,k=10)");
  EXPECT_EQ(row.origin, "record 1f");
  EXPECT_EQ(row.grade, "B");
  EXPECT_EQ(row.flops, 2000);
  EXPECT_EQ(row.seconds, 1e-6);
  EXPECT_NEAR(*row.gflops, 2, 1e-9);
  EXPECT_NEAR(*row.peak_fraction, 0.5, 1e-9);
  EXPECT_EQ(row.cpu_per_wall, 0.9);
  EXPECT_TRUE(row.short_of_cores);
  EXPECT_EQ(row.any.best_peer, "onednn");
  EXPECT_NEAR(row.any.ratio->median, 2, 1e-6);
  EXPECT_EQ(row.plain.best_peer, "openblas");
  EXPECT_NEAR(row.plain.ratio->median, 3, 1e-6);
  ASSERT_EQ(row.plain.peers.size(), 2);
  EXPECT_EQ(row.plain.peers[0].name, "openblas") << "in the order asked for";
  EXPECT_EQ(row.plain.peers[0].difference, 1e-7);
  EXPECT_EQ(row.plain.peers[1].seconds, 4e-6);
}

TEST_F(InterleavedRowTest, WithoutAScheduleThePeersStandAlone) {
  case_.schedule.reset();
  const BenchRow row = RowOf(case_, {"onednn"}, Contest({Entry("onednn", 2e-6)}));
  EXPECT_EQ(row.origin, "");
  EXPECT_FALSE(row.seconds.has_value());
  EXPECT_FALSE(row.any.ratio.has_value());
  EXPECT_EQ(row.any.best_peer, "onednn");
}

TEST_F(InterleavedRowTest, NothingTimedIsARowWithItsFailure) {
  InterleavedRow interleaved;
  interleaved.failure = "no such stage";
  const BenchRow row = RowOf(case_, {"onednn"}, interleaved);
  EXPECT_EQ(row.failure, "no such stage");
  EXPECT_TRUE(row.any.peers.empty());
}

// Two processes are alike; the third has its memory elsewhere, and has a third of all rounds.
TEST_F(InterleavedRowTest, AMinorityOfProcessesDoesNotMoveTheRatio) {
  const InterleavedRow usual = Contest({Entry("schedulegym", 1e-6), Entry("onednn", 2e-6)});
  const InterleavedRow odd = Contest({Entry("schedulegym", 3e-6), Entry("onednn", 2e-6)});
  const InterleavedRow all[] = {odd, usual, usual};
  const BenchRow row = RowOf(case_, {"onednn"}, PoolInterleavedRows(all));
  EXPECT_EQ(row.processes, 3);
  EXPECT_NEAR(row.any.ratio->median, 2, 1e-6);
  EXPECT_NEAR(row.any.ratio->low, 2.0 / 3, 1e-6) << "9 of 27 rounds: the sign test's interval";
  EXPECT_NEAR(row.any.ratio->high, 2, 1e-6);
}

TEST_F(InterleavedRowTest, TheFirstFailureStandsForAll) {
  InterleavedRow interleaved_rows[] = {Contest({Entry("onednn", 2e-6)}),
                                       Contest({Entry("onednn", 2e-6)}),
                                       Contest({Entry("onednn", 2e-6)})};
  interleaved_rows[1].failure = "differs";
  interleaved_rows[1].timing.entries.clear();
  interleaved_rows[2].failure = "differs more";
  EXPECT_EQ(PoolInterleavedRows(interleaved_rows).failure, "differs");
  EXPECT_TRUE(PoolInterleavedRows(interleaved_rows).timing.entries.empty());
}

TEST_F(InterleavedRowTest, ArrivesAsItWasSent) {
  InterleavedRow sent = Contest({Entry("schedulegym", 1e-6), Entry("onednn", 2e-6, false)});
  sent.failure = "why";
  sent.timing.entries[0].cpu_per_wall = 1.5;
  sent.timing.entries[1].difference = 0.5;
  sent.timing.peak_detail = "avx512";
  sent.timing.cpu_per_wall = 1.25;
  sent.timing.short_of_cores = true;
  sent.timing.processes = 4;
  const auto received = Decode<InterleavedRow>(Encode(sent));
  ASSERT_TRUE(received.ok());
  EXPECT_EQ(received->failure, "why");
  const InterleavedResult& timing = received->timing;
  ASSERT_EQ(timing.entries.size(), 2);
  EXPECT_EQ(timing.entries[0].name, "schedulegym");
  EXPECT_EQ(timing.entries[0].detail, "schedulegym detail");
  EXPECT_EQ(timing.entries[0].samples, sent.timing.entries[0].samples);
  EXPECT_EQ(timing.entries[0].seconds, 1e-6);
  EXPECT_EQ(timing.entries[0].cpu_per_wall, 1.5);
  EXPECT_FALSE(timing.entries[0].difference.has_value());
  EXPECT_EQ(timing.entries[1].difference, 0.5);
  EXPECT_FALSE(timing.entries[1].is_plain);
  EXPECT_EQ(timing.peak_gflops, 4);
  EXPECT_EQ(timing.peak_detail, "avx512");
  EXPECT_EQ(timing.cpu_per_wall, 1.25);
  EXPECT_TRUE(timing.short_of_cores);
  EXPECT_EQ(timing.processes, 4);
}

}  // namespace
}  // namespace schedulegym
