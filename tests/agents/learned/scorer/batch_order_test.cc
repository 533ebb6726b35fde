#include "agents/learned/scorer/batch_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace schedulegym {
namespace {

using Batches = std::vector<std::vector<int>>;

std::vector<int> TasksOf(std::vector<int> counts) {
  std::vector<int> tasks;
  for (size_t task = 0; task < counts.size(); ++task) {
    tasks.insert(tasks.end(), static_cast<size_t>(counts[task]), static_cast<int>(task));
  }
  return tasks;
}

std::vector<int> Sorted(const Batches& batches) {
  std::vector<int> all;
  for (const auto& batch : batches) all.insert(all.end(), batch.begin(), batch.end());
  std::ranges::sort(all);
  return all;
}

TEST(BatchOrderTest, EachProgramOnceInFullBatches) {
  Rng rng(1);
  const Batches batches = BatchesOf(TasksOf({7, 3}), {}, {.batch = 4}, rng);
  ASSERT_EQ(batches.size(), 3);
  EXPECT_EQ(batches[2].size(), 2);
  EXPECT_EQ(Sorted(batches), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(BatchOrderTest, ByTaskBatchesAreMadeOfLists) {
  Rng rng(1);
  const std::vector<int> tasks = TasksOf({40, 40, 40});
  const Batches batches = BatchesOf(tasks, {}, {.batch = 20, .by_task = true, .list = 10}, rng);
  EXPECT_EQ(Sorted(batches).size(), 120);
  ASSERT_EQ(batches.size(), 6);
  for (const auto& batch : batches) {
    std::map<int, int> counts;
    for (const int program : batch) ++counts[tasks[static_cast<size_t>(program)]];
    for (const auto& [task, count] : counts) EXPECT_EQ(count % 10, 0);
  }
}

TEST(BatchOrderTest, ChanceIsTheStreams) {
  const std::vector<int> tasks = TasksOf({50, 50});
  for (const bool by_task : {false, true}) {
    const BatchOrderOptions options = {.batch = 16, .by_task = by_task, .list = 8};
    Rng first(5), again(5), other(6);
    const Batches batches = BatchesOf(tasks, {}, options, first);
    EXPECT_EQ(batches, BatchesOf(tasks, {}, options, again));
    EXPECT_NE(batches, BatchesOf(tasks, {}, options, other));
    EXPECT_NE(batches, BatchesOf(tasks, {}, options, first)) << "the next epoch has another order";
  }
}

TEST(BatchOrderTest, ByTreeABatchIsOfOneList) {
  Rng rng(1);
  const std::vector<int> trees = TasksOf({5, 2});
  const Batches batches = BatchesOf(trees, {}, {.batch = 3, .by_tree = true}, rng);
  EXPECT_EQ(Sorted(batches).size(), 7);
  ASSERT_EQ(batches.size(), 3) << "3 and 2 of the first, 2 of the second";
  for (const auto& batch : batches) {
    for (const int program : batch) {
      EXPECT_EQ(trees[static_cast<size_t>(program)], trees[static_cast<size_t>(batch[0])]);
    }
  }
}

TEST(BatchOrderTest, NothingIsNoBatch) {
  Rng rng(1);
  EXPECT_TRUE(BatchesOf({}, {}, {}, rng).empty());
  EXPECT_THROW(BatchesOf({}, {}, {.batch = 0}, rng), std::logic_error);
}

TEST(BalanceWeightsTest, AreOneOverTheSizeOfABin) {
  const std::vector<float> labels = {0, 0, 0, 1};
  EXPECT_EQ(BalanceWeights(labels, 2), (std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3, 1}));
  EXPECT_EQ(BalanceWeights(labels, 1), std::vector<double>(4, 0.25));
  EXPECT_EQ(BalanceWeights(std::vector<float>{2, 2}, 5), std::vector<double>(2, 0.5));
}

TEST(BatchOrderTest, BinsOfTheLabelAreDrawnAlike) {
  std::vector<float> labels(1000, 0);
  labels[7] = 1;
  Rng rng(1);
  int rare = 0;
  const Batches batches = BatchesOf(std::vector<int>(1000), labels, {.batch = 256, .bins = 2}, rng);
  size_t count = 0;
  for (const auto& batch : batches) {
    count += batch.size();
    rare += static_cast<int>(std::ranges::count(batch, 7));
  }
  EXPECT_EQ(count, 1000);
  EXPECT_NEAR(rare, 500, 100);
}

}  // namespace
}  // namespace schedulegym
