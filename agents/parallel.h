// ParallelFor: the same work for each of several numbers, on several threads.
#pragma once

#include <functional>
#include <memory>

#include "env/base/stop_token.h"
#include "env/base/worker_threads.h"
#include "env/program/task.h"

namespace schedulegym {

// Calls work(0) to work(count - 1), each once, in any order, at most `threads` at a time; from this
// thread alone where that is 1. Of what they throw, the first by number is thrown on once all have
// ended. Once `stop` is set no more are called, and Interrupted is thrown. Threads are started at
// each call: for work of milliseconds, such as a generation or a round's draws; what is shorter
// goes to WaitingThreads.
void ParallelFor(int count, int threads, const std::function<void(int)>& work,
                 const StopToken& stop = {});

// Threads that wait from one batch of work to the next; started when first asked for. A copy has
// its own.
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

// What a search may keep busy while it thinks about a task: the cores that its kernels run on, for
// no kernel does meanwhile, as far as this machine has them.
int SearchThreads(const Task& task);

}  // namespace schedulegym
