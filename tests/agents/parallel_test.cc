#include "agents/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/env/measure/dag_of.h"

namespace schedulegym {
namespace {

TEST(ParallelForTest, CallsEachNumberOnce) {
  for (int threads : {1, 2, 7, 1000}) {
    for (int count : {0, 1, 5, 300}) {
      std::vector<int> calls(count);
      ParallelFor(count, threads, [&](int i) { ++calls[i]; });
      EXPECT_EQ(calls, std::vector<int>(count, 1));
    }
  }
}

TEST(ParallelForTest, OneThreadIsThisOneInOrder) {
  const auto self = std::this_thread::get_id();
  std::vector<int> order;
  ParallelFor(5, 1, [&](int i) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
}

// Each waits until the other has started.
TEST(ParallelForTest, TwoRunAtOnce) {
  std::atomic<int> begun = 0;
  ParallelFor(2, 2, [&](int) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 2);
}

TEST(ParallelForTest, TheFirstFaultByNumberIsThrownOnceAllHaveEnded) {
  std::atomic<int> calls = 0;
  try {
    ParallelFor(40, 3, [&](int i) {
      ++calls;
      if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "7");
  }
  EXPECT_EQ(calls, 40);
}

TEST(ParallelForTest, NoMoreIsBegunOnceItIsToStop) {
  std::atomic<bool> stop = false;
  int calls = 0;
  const auto work = [&](int i) {
    ++calls;
    stop = i == 4;
  };
  EXPECT_THROW(ParallelFor(40, 1, work, StopToken(&stop)), Interrupted);
  EXPECT_EQ(calls, 5);
}

TEST(WaitingThreadsTest, DoWhatParallelForDoesCallAfterCall) {
  WaitingThreads waiting;
  for (int threads : {1, 2, 2, 5}) {
    for (int count : {0, 1, 5, 300}) {
      std::vector<int> calls(count);
      waiting.For(count, threads, [&](int i) { ++calls[i]; });
      EXPECT_EQ(calls, std::vector<int>(count, 1));
    }
  }
  const WaitingThreads copy = waiting;
  WaitingThreads other(copy);
  int calls = 0;
  other.For(3, 1, [&](int) { ++calls; });
  EXPECT_EQ(calls, 3);
}

TEST(WaitingThreadsTest, TheFirstFaultByNumberIsThrownAndAStopEndsIt) {
  WaitingThreads waiting;
  try {
    waiting.For(40, 3, [](int i) {
      if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "7");
  }
  const std::atomic<bool> stop = true;
  EXPECT_THROW(waiting.For(
                   40, 2, [](int) {}, StopToken(&stop)),
               Interrupted);
}

TEST(SearchThreadsTest, AreTheCoresOfTheTaskThatThisMachineHas) {
  Task task{DagOf("input X[4]\nY[i:4] = X[i] + 1\n"), Target{}, "task"};
  task.target.cores = 1;
  EXPECT_EQ(SearchThreads(task), 1);
  task.target.cores = 0;
  EXPECT_EQ(SearchThreads(task), 1);
  task.target.cores = 1 << 20;
  EXPECT_EQ(SearchThreads(task),
            static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
}

}  // namespace
}  // namespace schedulegym
