// Limits the time of each test of a program: SCHEDULEGYM_TEST_SECONDS, or 300 seconds. At the limit
// it prints the test's name and ends the program and all processes that the tests started.
#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSlower = 4;
#else
constexpr double kSlower = 1;
#endif
constexpr double kSeconds = 300 * kSlower;
// For killing the processes, which needs memory that the test may have locked.
constexpr unsigned kLastSeconds = 10;

double Limit() {
  const char* said = std::getenv("SCHEDULEGYM_TEST_SECONDS");
  const double seconds = said == nullptr ? 0 : std::strtod(said, nullptr);
  return seconds > 0 ? seconds : kSeconds;
}

// Not SIGALRM, which tests and the tested code use.
int Signal() { return SIGRTMAX - 3; }

pid_t owner = 0;
char complaint[512] = "";

// Runs in any thread. A process forked by a test has no timer, and is not ended here.
void OnTimeOver(int) {
  if (getpid() != owner) return;
  [[maybe_unused]] const auto written = write(STDERR_FILENO, complaint, std::strlen(complaint));
  signal(SIGALRM, SIG_DFL);
  sigset_t alarms;
  sigemptyset(&alarms);
  sigaddset(&alarms, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarms, nullptr);
  alarm(kLastSeconds);
  for (const pid_t process : DescendantsOf(getpid())) kill(process, SIGKILL);
  signal(SIGABRT, SIG_DFL);
  std::abort();
}

class TestLimit : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo& test) override {
    Prepare();
    std::snprintf(complaint, sizeof(complaint), "\n[ TIME OVER] %s.%s: took more than %g s\n",
                  test.test_suite_name(), test.name(), Limit());
    Set(Limit());
  }
  void OnTestEnd(const testing::TestInfo&) override { Set(0); }

 private:
  // Once in each process that runs tests.
  static void Prepare() {
    if (owner == getpid()) return;
    owner = getpid();
    struct sigaction action = {};
    action.sa_handler = OnTimeOver;
    action.sa_flags = SA_RESTART;
    sigaction(Signal(), &action, nullptr);
    sigevent event = {};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = Signal();
    if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) std::abort();
  }

  // 0 disables the limit.
  static void Set(double seconds) {
    itimerspec when = {};
    when.it_value.tv_sec = static_cast<time_t>(seconds);
    when.it_value.tv_nsec =
        static_cast<long>((seconds - static_cast<double>(when.it_value.tv_sec)) * 1e9);
    timer_settime(timer_, 0, &when, nullptr);
  }

  static inline timer_t timer_;
};

// Runs before any main; GoogleTest owns the listener.
[[maybe_unused]] const bool is_listening = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new TestLimit);
  return true;
}();

}  // namespace
}  // namespace schedulegym
