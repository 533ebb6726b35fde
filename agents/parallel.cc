#include "agents/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace schedulegym {
namespace {

// Starts as many threads as the system grants.
std::vector<std::jthread> StartThreads(int count, const std::function<void()>& run) {
  std::vector<std::jthread> threads;
  try {
    while (static_cast<int>(threads.size()) < count) threads.emplace_back(run);
  } catch (const std::system_error&) {
  }
  return threads;
}

// A work item with its number and the exception that it throws.
class NumberedWork {
 public:
  NumberedWork(int count, const std::function<void(int)>& work, const StopToken& stop)
      : work_(work), stop_(stop), faults_(count) {}

  void Do(int number) {
    try {
      stop_.Check();
      work_(number);
    } catch (...) {
      faults_[number] = std::current_exception();
    }
  }

  // Rethrows the first exception by number.
  void ThrowFault() const {
    for (const std::exception_ptr& fault : faults_) {
      if (fault) std::rethrow_exception(fault);
    }
  }

 private:
  const std::function<void(int)>& work_;
  const StopToken& stop_;
  std::vector<std::exception_ptr> faults_;
};

}  // namespace

void ParallelFor(int count, int threads, const std::function<void(int)>& work,
                 const StopToken& stop) {
  std::atomic<int> next = 0;
  NumberedWork numbered(count, work, stop);
  const auto run = [&] {
    for (int i = next++; i < count; i = next++) numbered.Do(i);
  };
  {
    const std::vector<std::jthread> helpers = StartThreads(std::min(threads, count) - 1, run);
    run();
  }
  numbered.ThrowFault();
}

void WaitingThreads::For(int count, int threads, const std::function<void(int)>& work,
                         const StopToken& stop) {
  if (crew_ == nullptr || size_ != threads) {
    crew_ = std::make_unique<WorkerThreads>(threads);
    size_ = threads;
  }
  NumberedWork numbered(count, work, stop);
  crew_->Run(count, [&](int first, int last) {
    for (int i = first; i < last; ++i) numbered.Do(i);
  });
  numbered.ThrowFault();
}

int SearchThreads(const Task& task) {
  const auto here = static_cast<int>(std::thread::hardware_concurrency());
  // Work of a device leaves the processors free.
  return std::max(1, task.target.IsGpu() ? here : std::min(task.target.cores, here));
}

}  // namespace schedulegym
