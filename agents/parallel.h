// ParallelFor: runs the same work for each of several numbers, on several threads.
#pragma once

#include <functional>
#include <memory>

#include "env/base/stop_token.h"
#include "env/base/worker_threads.h"
#include "env/program/task.h"

namespace schedulegym {

// Calls work(0) to work(count - 1), each once, in any order, at most `threads` at a time; only on
// this thread if `threads` is 1. After all have ended, rethrows the exception with the lowest
// number. Once `stop` is set, calls no more and throws Interrupted. Each call starts its threads:
// use it for work of milliseconds, such as a generation or a round's draws, and WaitingThreads for
// less.
void ParallelFor(int count, int threads, const std::function<void(int)>& work,
                 const StopToken& stop = {});

// Threads that wait between batches of work. They start at the first call. A copy has its own.
class WaitingThreads {
 public:
  WaitingThreads() = default;
  WaitingThreads(const WaitingThreads& other) { (void)other; }
  WaitingThreads& operator=(const WaitingThreads& other) {
    (void)other;
    return *this;
  }

  // As ParallelFor; one call at a time.
  void For(int count, int threads, const std::function<void(int)>& work,
           const StopToken& stop = {});

 private:
  int size_ = 0;
  std::unique_ptr<WorkerThreads> crew_;
};

// The number of threads for a search of a task: the cores of its kernels, as far as this machine
// has them. No kernel runs meanwhile.
int SearchThreads(const Task& task);

}  // namespace schedulegym
