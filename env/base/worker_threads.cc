// A pool of threads for loops. An index range is divided into pieces of count / (4 * threads), at
// least one; the caller works, too. The first exception is thrown again when all threads have
// stopped. After a fork the child has no threads and runs loops alone.
#include "env/base/worker_threads.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace schedulegym {

// Ranges for each thread: some are slower than others.
constexpr int kRangesPerThread = 4;

class WorkerThreads::Crew {
 public:
  explicit Crew(int threads) {
    try {
      for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { Serve(); });
    } catch (const std::system_error&) {
      // As many as the system grants.
    }
  }

  ~Crew() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    begin_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  // The caller's among them.
  int size() const { return static_cast<int>(threads_.size()) + 1; }

  void Run(int count, const std::function<void(int, int)>& work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      count_ = count;
      chunk_ = std::max(1, count / (size() * kRangesPerThread));
      next_ = 0;
      fault_ = nullptr;
      ++round_;
    }
    begin_.notify_all();
    TakeRanges();
    std::unique_lock lock(mutex_);
    end_.wait(lock, [&] { return busy_ == 0; });
    work_ = nullptr;
    count_ = next_ = 0;
    if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
  }

 private:
  void Serve() {
    std::unique_lock lock(mutex_);
    for (uint64_t seen = 0;;) {
      begin_.wait(lock, [&] { return ends_ || round_ != seen; });
      if (ends_) return;
      seen = round_;
      if (next_ >= count_) continue;  // the others were faster
      ++busy_;
      lock.unlock();
      TakeRanges();
      lock.lock();
      if (--busy_ == 0) end_.notify_one();
    }
  }

  void TakeRanges() {
    for (;;) {
      int first = 0, last = 0;
      {
        const std::lock_guard lock(mutex_);
        if (next_ >= count_) return;
        first = next_;
        last = next_ = std::min(count_, first + chunk_);
      }
      try {
        (*work_)(first, last);
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!fault_) fault_ = std::current_exception();
      }
    }
  }

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(int, int)>* work_ = nullptr;
  int count_ = 0, chunk_ = 1, next_ = 0;
  int busy_ = 0;        // threads that are in the current round
  uint64_t round_ = 0;  // of work
  bool ends_ = false;
  std::exception_ptr fault_;
  std::vector<std::thread> threads_;
};

WorkerThreads::WorkerThreads(int threads)
    : process_(getpid()), crew_(std::make_unique<Crew>(threads)) {}

// After a fork the child has no threads to join, so it releases the pool without a join.
WorkerThreads::~WorkerThreads() {
  if (!is_here()) (void)crew_.release();
}

bool WorkerThreads::is_here() const { return process_ == getpid(); }

void WorkerThreads::Run(int count, const std::function<void(int, int)>& work) {
  if (count < 2 || crew_->size() == 1 || !is_here()) {
    if (count > 0) work(0, count);
    return;
  }
  crew_->Run(count, work);
}

}  // namespace schedulegym
