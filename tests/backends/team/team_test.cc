#include "backends/team/team.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace schedulegym {
namespace {

using Body = std::function<void(int64_t begin, int64_t end, int64_t worker)>;
using std::chrono::microseconds;

void RunLoop(int64_t extent, int64_t workers, const Body& body) {
  const auto share = [](void* closure, int64_t begin, int64_t end, int64_t worker) {
    (*static_cast<const Body*>(closure))(begin, end, worker);
  };
  RunOnTeam(share, const_cast<Body*>(&body), extent, workers);
}

// Whether each iteration of a loop ran once, no worker's number was too large, and no worker had
// two threads at a time. Each share calls `pass_time`.
bool EachRunsOnce(
    int64_t extent, int64_t workers,
    const std::function<void(int64_t)>& pass_time = [](int64_t) {}) {
  std::vector<std::atomic<int>> runs(extent);
  std::vector<std::atomic<int>> threads(workers);
  std::atomic<bool> right = true;
  RunLoop(extent, workers, [&](int64_t begin, int64_t end, int64_t worker) {
    if (worker < 0 || worker >= workers || begin < 0 || begin >= end || end > extent) {
      right = false;
      return;
    }
    if (threads[worker].fetch_add(1) != 0) right = false;
    for (int64_t i = begin; i < end; ++i) ++runs[i];
    pass_time(begin);
    --threads[worker];
  });
  for (const std::atomic<int>& count : runs) {
    if (count != 1) right = false;
  }
  return right;
}

// Runs a loop that waits for `workers` threads inside it. False if they do not come within 20 s.
bool HasThreads(int64_t workers) {
  std::mutex mutex;
  std::set<std::thread::id> inside;
  std::atomic<bool> all_came = true;
  RunLoop(workers, workers, [&](int64_t, int64_t, int64_t) {
    const auto count = [&] {
      const std::lock_guard<std::mutex> lock(mutex);
      inside.insert(std::this_thread::get_id());
      return static_cast<int64_t>(inside.size());
    };
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (count() < workers) {
      if (std::chrono::steady_clock::now() < limit) {
        std::this_thread::sleep_for(microseconds(100));
      } else {
        all_came = false;
        return;
      }
    }
  });
  return all_came;
}

// Exit status of a forked process; `fork` is the system's or the library's.
int StatusOf(pid_t child, const std::function<bool()>& is_right) {
  if (child == 0) _exit(is_right() ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

class TeamTest : public testing::Test {
 protected:
  // Tests that change the process run in their own processes.
  TeamTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(TeamTest, EachIterationRunsOnce) {
  for (const int64_t extent : {1, 2, 3, 7, 8, 9, 64, 1000}) {
    for (const int64_t workers : {1, 2, 3, 5}) {
      EXPECT_TRUE(EachRunsOnce(extent, workers)) << extent << " on " << workers;
    }
  }
}

TEST_F(TeamTest, EachRunsOnceWhereverThreadsAreHeldUp) {
  for (int round = 0; round < 200; ++round) {
    const auto hold_up = [&](int64_t begin) {
      const int64_t drawn = (begin * 2654435761 + int64_t{round} * 40503) >> 4;
      if (drawn % 7 == 0) std::this_thread::sleep_for(microseconds(drawn % 300));
      if (drawn % 5 == 0) sched_yield();
    };
    ASSERT_TRUE(EachRunsOnce(5 + round % 60, 2 + round % 3, hold_up)) << round;
  }
}

TEST_F(TeamTest, UsesAsManyThreadsAsAreAsked) {
  EXPECT_TRUE(HasThreads(2));
  EXPECT_TRUE(HasThreads(4));
}

TEST_F(TeamTest, ALoopOfOneThreadRunsOnTheCallersInOnePiece) {
  int shares = 0;
  RunLoop(1000, 1, [&, caller = std::this_thread::get_id()](int64_t, int64_t end, int64_t) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(end, 1000);
    ++shares;
  });
  EXPECT_EQ(shares, 1);
}

// On a quiet machine each thread begins with its own part: only this keeps the same memory in the
// same core's cache.
TEST_F(TeamTest, AThreadBeginsWithItsOwnPart) {
  std::atomic<int64_t> first[2] = {-1, -1};
  std::atomic<int> inside = 0;
  RunLoop(100, 2, [&](int64_t begin, int64_t, int64_t worker) {
    int64_t none = -1;
    if (!first[worker].compare_exchange_strong(none, begin)) return;
    ++inside;
    for (int i = 0; i < 200'000 && inside < 2; ++i) std::this_thread::sleep_for(microseconds(100));
  });
  EXPECT_EQ(first[0], 0);
  EXPECT_EQ(first[1], 50);
}

TEST_F(TeamTest, SeveralThreadsMayCallAtOnce) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&wrong, caller] {
      for (int call = 0; call < 300; ++call) {
        if (!EachRunsOnce(1 + (caller + call) % 40, 2 + caller % 2)) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

// A caller does not wait for helpers that belong to another loop.
TEST_F(TeamTest, ACallerWithoutHelpersWorksAlone) {
  std::atomic<bool> ends = false;
  std::atomic<int> busy = 0;
  std::thread holder([&] {
    RunLoop(2, 2, [&](int64_t, int64_t, int64_t) {
      ++busy;
      while (!ends) std::this_thread::sleep_for(microseconds(100));
    });
  });
  while (busy < 2) std::this_thread::sleep_for(microseconds(100));
  EXPECT_TRUE(EachRunsOnce(100, 2));
  ends = true;
  holder.join();
}

std::set<int> CoresOf(pid_t thread) {
  cpu_set_t set;
  std::set<int> cores;
  if (sched_getaffinity(thread, sizeof set, &set) != 0) return cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.insert(core);
  }
  return cores;
}

cpu_set_t SetOf(const std::set<int>& cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) CPU_SET(core, &set);
  return set;
}

// Binds a thread (0: the calling one) to cores. False if it may not run on them.
bool Bind(pid_t thread, const std::set<int>& cores) {
  const cpu_set_t set = SetOf(cores);
  return sched_setaffinity(thread, sizeof set, &set) == 0;
}

// State of a helper that was called after a pause in which it fell asleep.
struct Awakening {
  pid_t helper = 0;     // 0 if none came
  std::set<int> cores;  // where it may run
  int core = -1;        // where it ran
};

// Whether a thread of this process sleeps, by /proc.
bool Sleeps(const std::filesystem::path& thread) {
  std::ifstream file(thread / "stat");
  std::string line;
  std::getline(file, line);
  return line.find(") S ") != std::string::npos;
}

// Waits until all threads but the calling one sleep. On a loaded machine a spinning thread may
// first have to wait for a core.
void LetOthersSleep() {
  const std::string own = std::to_string(syscall(SYS_gettid));
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    if (thread.path().filename() == own) continue;
    while (!Sleeps(thread.path())) std::this_thread::sleep_for(microseconds(1000));
  }
}

// The caller waits for the helper for at most `limit`.
Awakening CallAfterPause(microseconds limit) {
  LetOthersSleep();
  Awakening seen;
  std::atomic<bool> came = false;
  RunLoop(2, 2, [&](int64_t, int64_t, int64_t worker) {
    if (worker == 1) {
      if (came) return;  // the caller was held up, and may by now call it to its own core
      seen = {static_cast<pid_t>(syscall(SYS_gettid)), CoresOf(0), sched_getcpu()};
      came = true;
      return;
    }
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!came && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(microseconds(100));
    }
  });
  return seen;
}

constexpr microseconds kLong{20'000'000}, kShort{20'000};

// A helper that wakes on the caller's core waits there for the end of a slice and comes too late.
// The caller uses one core; the helper started before that and may use all.
bool IsKeptOff(const std::set<int>& cores, int own) {
  if (!Bind(0, cores) || !HasThreads(2) || !Bind(0, {own})) return false;
  for (int round = 0; round < 20; ++round) {
    const Awakening seen = CallAfterPause(kLong);
    const bool is_off = seen.helper != 0 && !seen.cores.contains(own) && seen.core != own;
    const bool is_as_before = CoresOf(seen.helper) == cores;
    if (is_off && is_as_before) continue;
    std::cerr << "round " << round << ": helper " << seen.helper << " on core " << seen.core
              << " of " << testing::PrintToString(seen.cores) << ", then of "
              << testing::PrintToString(CoresOf(seen.helper)) << "\n";
    return false;
  }
  return true;
}

TEST_F(TeamTest, AHelperThatSleptIsKeptOffTheCallersCore) {
  const std::set<int> cores = CoresOf(0);
  if (cores.size() < 2) GTEST_SKIP() << "one core";
  for (const int own : {*cores.begin(), *cores.rbegin()}) {
    EXPECT_EXIT(_exit(IsKeptOff(cores, own) ? 0 : 1), testing::ExitedWithCode(0), "") << own;
  }
}

// Like taskset before a program begins.
TEST_F(TeamTest, AHelperThatSleptKeepsToTheCoresOfTheProcess) {
  const std::set<int> cores = CoresOf(0);
  if (cores.size() < 2) GTEST_SKIP() << "one core";
  const std::set<int> two = {*cores.begin(), *std::next(cores.begin())};
  EXPECT_EXIT(_exit(IsKeptOff(two, *two.begin()) ? 0 : 1), testing::ExitedWithCode(0), "");
}

// The helper is not called, and stays free for callers from other cores.
TEST_F(TeamTest, AHelperThatSleptIsNotCalledWhereThereIsNoOtherCore) {
  const auto run = [] {
    const std::set<int> cores = CoresOf(0);
    const pid_t helper = CallAfterPause(kLong).helper;
    if (helper == 0 || !Bind(0, {*cores.begin()}) || !Bind(helper, {*cores.begin()})) return false;
    for (int round = 0; round < 5; ++round) {
      if (CallAfterPause(kShort).helper != 0 || !EachRunsOnce(64, 2)) return false;
      if (CoresOf(helper) != std::set<int>{*cores.begin()}) return false;
    }
    if (cores.size() < 2) return true;
    return Bind(helper, cores) && CallAfterPause(kLong).helper == helper;
  };
  EXPECT_EXIT(_exit(run() ? 0 : 1), testing::ExitedWithCode(0), "");
}

TEST_F(TeamTest, AHelperThatSleptComesBesideAStranger) {
  const std::set<int> cores = CoresOf(0);
  if (cores.size() < 3) GTEST_SKIP() << "no third core";
  const auto run = [&] {
    const pid_t stranger = fork();
    if (stranger == 0) {
      Bind(0, {*cores.rbegin()});
      for (;;) {
      }
    }
    const bool right = IsKeptOff(cores, *cores.begin());
    kill(stranger, SIGKILL);
    waitpid(stranger, nullptr, 0);
    return right;
  };
  EXPECT_EXIT(_exit(run() ? 0 : 1), testing::ExitedWithCode(0), "");
}

// Withdrawn offers to a helper that is falling asleep leave it able to wake. Threads on the same
// cores delay it between its last look and its sleep.
TEST_F(TeamTest, AHelperWakesAfterOffersThatWereWithdrawn) {
  std::atomic<bool> ends = false;
  std::vector<std::jthread> strangers;
  for (size_t i = 0; i < CoresOf(0).size(); ++i) {
    strangers.emplace_back([&] {
      while (!ends) continue;
    });
  }
  bool woke = true;
  for (int round = 0; round < 6000 && woke; ++round) {
    const auto pause = std::chrono::steady_clock::now() + microseconds(45 + round % 20);
    while (std::chrono::steady_clock::now() < pause) continue;
    for (int call = 0; call < 5; ++call) RunLoop(2, 2, [](int64_t, int64_t, int64_t) {});
    if (round % 50 == 49) woke = HasThreads(2);
  }
  ends = true;
  EXPECT_TRUE(woke);
}

// A helper that sleeps within its share stands still and is moved to the caller's core; the next
// loop keeps it off that core.
TEST_F(TeamTest, AHelperThatStoodStillMayRunWhereItMightBefore) {
  std::atomic<pid_t> helper = 0;
  for (int round = 0; round < 5; ++round) {
    RunLoop(2, 2, [&](int64_t, int64_t, int64_t worker) {
      if (worker == 1) helper = static_cast<pid_t>(syscall(SYS_gettid));
      if (worker == 1) std::this_thread::sleep_for(microseconds(5000));
      for (int i = 0; i < 200'000 && helper == 0; ++i) {
        std::this_thread::sleep_for(microseconds(100));
      }
    });
    ASSERT_NE(helper, 0);
    EXPECT_EQ(CoresOf(helper), CoresOf(0));
  }
}

TEST_F(TeamTest, HelpersComputeInTheCallersMode) {
#if defined(__x86_64__)
  constexpr unsigned kFlush = 0x8040, kUsual = 0x1F80;
  for (const unsigned mode : {kUsual | kFlush, kUsual}) {
    __builtin_ia32_ldmxcsr(mode);
    std::atomic<unsigned> seen[2] = {0, 0};
    std::atomic<int> inside = 0;
    RunLoop(2, 2, [&](int64_t, int64_t, int64_t worker) {
      seen[worker] = __builtin_ia32_stmxcsr() & 0xFFC0u;
      ++inside;
      for (int i = 0; i < 200'000 && inside < 2; ++i) {
        std::this_thread::sleep_for(microseconds(100));
      }
    });
    __builtin_ia32_ldmxcsr(kUsual);
    EXPECT_EQ(seen[0], mode);
    EXPECT_EQ(seen[1], mode);
  }
#endif
}

TEST_F(TeamTest, OneCoreIsEnough) {
  const auto run = [] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(*CoresOf(0).begin(), &one);
    bool right = sched_setaffinity(0, sizeof one, &one) == 0;
    for (int call = 0; call < 100; ++call) right &= EachRunsOnce(64, 3);
    return right;
  };
  EXPECT_EXIT(_exit(run() ? 0 : 1), testing::ExitedWithCode(0), "");
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // the sanitizers need the room themselves
TEST_F(TeamTest, WithoutAThreadToBeHadTheCallerWorksAlone) {
  const auto run = [] {
    const rlimit none = {1 << 20, 1 << 20};
    bool right = setrlimit(RLIMIT_AS, &none) == 0;
    for (int call = 0; call < 3; ++call) right &= EachRunsOnce(64, 3);
    return right;
  };
  EXPECT_EXIT(_exit(run() ? 0 : 1), testing::ExitedWithCode(0), "");
}
#endif

TEST_F(TeamTest, AForkHasHelpersOfItsOwn) {
  const auto run = [] {
    const auto is_right = [] { return EachRunsOnce(100, 3) && HasThreads(3); };
    if (StatusOf(fork(), is_right) != 0) return false;  // before the first loop
    if (!is_right()) return false;
    return StatusOf(fork(), is_right) == 0 && is_right();
  };
  EXPECT_EXIT(_exit(run() ? 0 : 1), testing::ExitedWithCode(0), "");
}

// A fork by a plain system call has no helpers, although the caller's state lists them.
TEST_F(TeamTest, AHelperThatNeverBeginsIsNotWaitedFor) {
  const auto run = [] {
    if (!HasThreads(3)) return false;
    const auto is_right = [] {
      bool right = true;
      for (int call = 0; call < 10; ++call) right &= EachRunsOnce(100, 3);
      return right;
    };
    const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    return StatusOf(child, is_right) == 0;
  };
  EXPECT_EXIT(_exit(run() ? 0 : 1), testing::ExitedWithCode(0), "");
}

// Exits while helpers sleep, and while one is in a loop that never ends.
TEST_F(TeamTest, AProcessMayEndAtAnyTime) {
  const auto leave = [] { std::exit(HasThreads(3) ? 0 : 1); };
  EXPECT_EXIT(leave(), testing::ExitedWithCode(0), "");
  const auto leave_within = [] {
    RunLoop(2, 2, [](int64_t, int64_t, int64_t worker) {
      if (worker == 0) std::exit(0);
      for (;;) pause();
    });
  };
  EXPECT_EXIT(leave_within(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace schedulegym
