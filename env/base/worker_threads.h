// WorkerThreads: threads that wait for ranges of numbered work, without spinning.
#pragma once

#include <functional>
#include <memory>

namespace schedulegym {

// The caller works, too: `threads` of 1 starts none. Not copied, one Run at a time. In a process
// that was forked from the one that made them the threads are not there: the caller works alone.
class WorkerThreads {
 public:
  explicit WorkerThreads(int threads);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  // Calls work(first, last) for ranges that cover 0 to count - 1, each number once, and returns
  // when all are done. The first exception of any is thrown on.
  void Run(int count, const std::function<void(int first, int last)>& work);

 private:
  class Crew;
  bool is_here() const;

  int process_;  // whose threads they are
  std::unique_ptr<Crew> crew_;
};

}  // namespace schedulegym
