#include "tests/support/busy_machine.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace schedulegym {
namespace {

double SpentByThisThread() {
  timespec spent{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

}  // namespace

bool AreCoresBusy() {
  constexpr std::chrono::milliseconds kWhile{300};
  constexpr double kLeastShare = 0.9;
  std::vector<double> spent(std::max(1U, std::thread::hardware_concurrency()));
  const auto end = std::chrono::steady_clock::now() + kWhile;
  {
    std::vector<std::jthread> threads;
    for (double& one : spent) {
      threads.emplace_back([&one, end] {
        while (std::chrono::steady_clock::now() < end) continue;
        one = SpentByThisThread();
      });
    }
  }
  const double all =
      std::chrono::duration<double>(kWhile).count() * static_cast<double>(spent.size());
  return std::accumulate(spent.begin(), spent.end(), 0.0) < kLeastShare * all;
}

}  // namespace schedulegym
