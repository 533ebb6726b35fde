#include "experiments/bench/bench_messages.h"

#include <gtest/gtest.h>

#include "backends/runner/wire/encoding.h"

namespace schedulegym {
namespace {

BenchRow Sent(const BenchRow& row) { return FromWire(*Decode<WireRow>(Encode(ToWire(row)))); }

TEST(BenchMessagesTest, ARowArrivesAsItWasSent) {
  BenchRow row;
  row.workload = "matmul(m=2,n=3,k=4)";
  row.cores = 3;
  row.origin = "record 1f";
  row.seconds = 1.5;
  row.gflops = 2.5;
  row.any = {{{"onednn", "blocked", 2.5, 1.9, 1e-7}}, RatioInterval{2, 1, 3}, "onednn"};
  row.plain = {{{"openblas", "gemm", 3.5, 1.8, {}}}, RatioInterval{5, 4, 6}, "openblas"};
  row.peak_gflops = 9;
  row.peak_fraction = 0.25;
  row.flops = 48;
  row.cpu_per_wall = 1.75;
  row.short_of_cores = true;
  row.failure = "none";
  const BenchRow back = Sent(row);
  EXPECT_EQ(back.workload, row.workload);
  EXPECT_EQ(back.cores, row.cores);
  EXPECT_EQ(back.origin, row.origin);
  EXPECT_EQ(back.seconds, row.seconds);
  EXPECT_EQ(back.gflops, row.gflops);
  ASSERT_EQ(back.any.peers.size(), 1);
  EXPECT_EQ(back.any.peers[0].name, "onednn");
  EXPECT_EQ(back.any.peers[0].detail, "blocked");
  EXPECT_EQ(back.any.peers[0].seconds, 2.5);
  EXPECT_EQ(back.any.peers[0].cpu_per_wall, 1.9);
  EXPECT_EQ(back.any.peers[0].difference, 1e-7);
  EXPECT_EQ(back.any.ratio, row.any.ratio);
  EXPECT_EQ(back.any.best_peer, "onednn");
  ASSERT_EQ(back.plain.peers.size(), 1);
  EXPECT_EQ(back.plain.peers[0].name, "openblas");
  EXPECT_FALSE(back.plain.peers[0].difference.has_value());
  EXPECT_EQ(back.plain.ratio, row.plain.ratio);
  EXPECT_EQ(back.plain.best_peer, "openblas");
  EXPECT_EQ(back.peak_gflops, row.peak_gflops);
  EXPECT_EQ(back.peak_fraction, row.peak_fraction);
  EXPECT_EQ(back.flops, row.flops);
  EXPECT_EQ(back.cpu_per_wall, row.cpu_per_wall);
  EXPECT_TRUE(back.short_of_cores);
  EXPECT_EQ(back.failure, row.failure);
}

TEST(BenchMessagesTest, WhatIsUnknownStaysSo) {
  const BenchRow back = Sent({});
  EXPECT_FALSE(back.seconds.has_value());
  EXPECT_TRUE(back.any.peers.empty());
  EXPECT_FALSE(back.plain.ratio.has_value());
}

}  // namespace
}  // namespace schedulegym
