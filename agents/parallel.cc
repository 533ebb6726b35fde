#include "agents/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace schedulegym {
namespace {

// As many as the system grants.
std::vector<std::jthread> StartThreads(int count, const std::function<void()>& run) {
  std::vector<std::jthread> threads;
  try {
    while (static_cast<int>(threads.size()) < count) threads.emplace_back(run);
  } catch (const std::system_error&) {
  }
  return threads;
}

}  // namespace

void ParallelFor(int count, int threads, const std::function<void(int)>& work,
                 const StopToken& stop) {
  std::atomic<int> next = 0;
  std::vector<std::exception_ptr> faults(count);
  const auto run = [&] {
    for (int i = next++; i < count; i = next++) {
      try {
        stop.Check();
        work(i);
      } catch (...) {
        faults[i] = std::current_exception();
      }
    }
  };
  {
    const std::vector<std::jthread> helpers = StartThreads(std::min(threads, count) - 1, run);
    run();
  }
  for (const std::exception_ptr& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
}

int SearchThreads(const Task& task) {
  const auto here = static_cast<int>(std::thread::hardware_concurrency());
  return std::max(1, std::min(task.target.cores, here));
}

}  // namespace schedulegym
