#include "experiments/bench/interleaved_result.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace schedulegym {
namespace {

InterleavedEntry Entry(const std::string& name, std::vector<float> samples) {
  return {.name = name,
          .detail = name + " detail",
          .seconds = samples[samples.size() / 2],
          .samples = samples};
}

InterleavedResult Result(std::vector<float> ours, std::vector<float> theirs, double peak) {
  InterleavedResult result;
  result.entries = {Entry("ours", std::move(ours)), Entry("theirs", std::move(theirs))};
  result.peak_gflops = peak;
  result.cpu_per_wall = 2;
  return result;
}

TEST(PoolInterleavedTest, SamplesOfAllProcessesStandTogether) {
  const InterleavedResult pooled =
      PoolInterleaved({Result({1, 1, 1}, {4, 4, 4}, 100), Result({2, 2, 2}, {5, 5, 5}, 90),
                       Result({8, 8, 8}, {6, 6, 6}, 40)});
  EXPECT_EQ(pooled.processes, 3);
  ASSERT_EQ(pooled.entries.size(), 2);
  EXPECT_EQ(pooled.entries[0].samples, (std::vector<float>{1, 1, 1, 2, 2, 2, 8, 8, 8}));
  EXPECT_EQ(pooled.entries[0].seconds, 2);
  EXPECT_EQ(pooled.entries[1].seconds, 5);
  EXPECT_EQ(pooled.entries[1].detail, "theirs detail");
  EXPECT_EQ(pooled.peak_gflops, 90);
}

TEST(PoolInterleavedTest, TheLeastShareOfCoresAndTheLargestDifferenceCount) {
  std::vector<InterleavedResult> results = {Result({1}, {4}, 100), Result({2}, {5}, 100),
                                            Result({2}, {5}, 100)};
  results[0].entries[1].difference = 1e-6;
  results[1].entries[1].difference = 3e-6;
  results[2].entries[1].difference = 2e-6;
  results[0].entries[0].cpu_per_wall = 1.9;
  results[1].entries[0].cpu_per_wall = 1.2;
  results[2].entries[0].cpu_per_wall = 1.8;
  results[1].cpu_per_wall = 1.2;
  results[1].short_of_cores = true;
  const InterleavedResult pooled = PoolInterleaved(results);
  EXPECT_EQ(pooled.entries[1].difference, 3e-6);
  EXPECT_FALSE(pooled.entries[0].difference.has_value());
  EXPECT_EQ(pooled.entries[0].cpu_per_wall, 1.8) << "the median";
  EXPECT_EQ(pooled.cpu_per_wall, 1.2);
  EXPECT_TRUE(pooled.short_of_cores);
}

TEST(PoolInterleavedTest, OneProcessIsItself) {
  InterleavedResult one = Result({3, 1, 2}, {4, 4, 4}, 100);
  one.entries[0].seconds = 7;  // its median is not recomputed
  EXPECT_EQ(PoolInterleaved({one}).entries[0].seconds, 7);
}

TEST(PoolInterleavedTest, WithoutAPeakThereIsNone) {
  std::vector<InterleavedResult> results = {Result({1}, {4}, 1), Result({2}, {5}, 1)};
  results[0].peak_gflops = results[1].peak_gflops = std::nullopt;
  EXPECT_FALSE(PoolInterleaved(results).peak_gflops.has_value());
}

TEST(PoolInterleavedTest, OtherContendersAreABug) {
  std::vector<InterleavedResult> results = {Result({1}, {4}, 1), Result({2}, {5}, 1)};
  results[1].entries[1].name = "somebody";
  EXPECT_THROW(PoolInterleaved(results), std::logic_error);
  results[1].entries.pop_back();
  EXPECT_THROW(PoolInterleaved(results), std::logic_error);
  EXPECT_THROW(PoolInterleaved({}), std::logic_error);
}

}  // namespace
}  // namespace schedulegym
