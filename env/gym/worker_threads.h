// WorkerThreads: threads that wait for ranges of numbered work, without spinning.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace schedulegym {

// The caller works, too: `threads` of 1 starts none. Not copied, one Run at a time.
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
  void Serve();
  void TakeRanges();

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(int, int)>* work_ = nullptr;
  int count_ = 0, chunk_ = 1, next_ = 0;
  int busy_ = 0;        // threads that are in the work at hand
  uint64_t round_ = 0;  // of work
  bool ends_ = false;
  std::exception_ptr fault_;
  std::vector<std::thread> threads_;
};

}  // namespace schedulegym
