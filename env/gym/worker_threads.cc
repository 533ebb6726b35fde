#include "env/gym/worker_threads.h"

#include <algorithm>
#include <system_error>

namespace schedulegym {

// Ranges for each thread: some are slower than others.
constexpr int kRangesPerThread = 4;

WorkerThreads::WorkerThreads(int threads) {
  try {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { Serve(); });
  } catch (const std::system_error&) {
    // As many as the system grants.
  }
}

WorkerThreads::~WorkerThreads() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerThreads::Serve() {
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

void WorkerThreads::TakeRanges() {
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

void WorkerThreads::Run(int count, const std::function<void(int, int)>& work) {
  const int threads = static_cast<int>(threads_.size()) + 1;
  if (threads == 1 || count < 2) {
    if (count > 0) work(0, count);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    count_ = count;
    chunk_ = std::max(1, count / (threads * kRangesPerThread));
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

}  // namespace schedulegym
