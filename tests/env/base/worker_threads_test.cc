#include "env/base/worker_threads.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <numeric>

namespace schedulegym {
namespace {

TEST(WorkerThreadsTest, CoverEachNumberOnce) {
  for (int threads : {1, 2, 5}) {
    WorkerThreads workers(threads);
    for (int count : {0, 1, 2, 7, 100, 1000}) {
      std::vector<std::atomic<int>> seen(count);
      workers.Run(count, [&](int first, int last) {
        for (int i = first; i < last; ++i) ++seen[i];
      });
      for (int i = 0; i < count; ++i) EXPECT_EQ(seen[i], 1) << threads << " " << count << " " << i;
    }
  }
}

TEST(WorkerThreadsTest, ManyRoundsAreDoneWhenTheyReturn) {
  WorkerThreads workers(3);
  int64_t sum = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<int> values(8, 0);
    workers.Run(8, [&](int first, int last) {
      for (int i = first; i < last; ++i) values[i] = i;
    });
    sum += std::accumulate(values.begin(), values.end(), 0);
  }
  EXPECT_EQ(sum, 2000 * 28);
}

TEST(WorkerThreadsTest, ThrowOnWhatWorkThrows) {
  for (int threads : {1, 3}) {
    WorkerThreads workers(threads);
    const auto fail = [](int, int) { throw std::runtime_error("no"); };
    EXPECT_THROW(workers.Run(20, fail), std::runtime_error);
    // The threads can be used again.
    std::atomic<int> done = 0;
    workers.Run(20, [&](int first, int last) { done += last - first; });
    EXPECT_EQ(done, 20);
  }
}

// A forked process has no worker threads and does not wait for them.
TEST(WorkerThreadsTest, AForkedProcessWorksAloneAndLetsGo) {
  constexpr unsigned kPatience = 60;
  auto workers = std::make_unique<WorkerThreads>(3);
  workers->Run(6, [](int, int) {});
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(kPatience);
    int done = 0;
    workers->Run(20, [&](int first, int last) { done += last - first; });
    workers.reset();
    _exit(done == 20 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  std::atomic<int> done = 0;
  workers->Run(20, [&](int first, int last) { done += last - first; });
  EXPECT_EQ(done, 20);
}

}  // namespace
}  // namespace schedulegym
