#include "backends/runner/confinement/system_call_filter.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "env/ipc/worker_process.h"

namespace schedulegym {
namespace {

// How a process ends that runs `act` under the filter.
std::string EndOf(SystemCallFilter& filter, const std::function<int()>& act) {
  const std::string program = filter.Export();
  const pid_t child = fork();
  if (child == 0) {
    if (!InstallSystemCallFilter(program)) _exit(99);
    const int code = act();
    syscall(SYS_exit_group, code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return ExitText(status);
}

// 0, or the error number.
int Failure(long result) { return result == -1 ? errno : 0; }

void AllowEnd(SystemCallFilter& filter) {
  filter.Allow(SYS_exit_group);
  filter.Allow(SYS_rt_sigprocmask);
}

TEST(SystemCallFilterTest, OtherCallsFailOrEndIt) {
  SystemCallFilter failing(Otherwise::kFail), ending(Otherwise::kEnd);
  AllowEnd(failing);
  AllowEnd(ending);
  const auto ask = [] { return Failure(syscall(SYS_getppid)); };
  EXPECT_EQ(EndOf(failing, ask), "exit " + std::to_string(EPERM));
  EXPECT_EQ(EndOf(ending, ask), "SIGSYS");
  failing.Allow(SYS_getppid);
  EXPECT_EQ(EndOf(failing, ask), "exit 0");
}

TEST(SystemCallFilterTest, ArgumentsCount) {
  SystemCallFilter filter(Otherwise::kFail);
  AllowEnd(filter);
  filter.AllowWhere(SYS_umask, {.mask = 7, .value = 2});
  filter.AllowWhere(SYS_umask, {.value = 0});
  const ArgumentRule both[] = {{0, ~uint64_t{0}, 1}, {1, 3, 1}};
  filter.AllowWhere(SYS_lseek, both);
  const auto mask = [](long given) {
    return [given] { return Failure(syscall(SYS_umask, given)); };
  };
  EXPECT_EQ(EndOf(filter, mask(0)), "exit 0");
  EXPECT_EQ(EndOf(filter, mask(10)), "exit 0");
  EXPECT_EQ(EndOf(filter, mask(1)), "exit " + std::to_string(EPERM));
  const auto seek = [](long file, long place) {
    return [file, place] { return Failure(syscall(SYS_lseek, file, place, 77)); };
  };
  EXPECT_NE(EndOf(filter, seek(1, 1)), "exit " + std::to_string(EPERM));
  EXPECT_EQ(EndOf(filter, seek(2, 1)), "exit " + std::to_string(EPERM));
  EXPECT_EQ(EndOf(filter, seek(1, 2)), "exit " + std::to_string(EPERM));
}

TEST(SystemCallFilterTest, WhatIsDeniedIsUnknown) {
  SystemCallFilter filter(Otherwise::kFail);
  AllowEnd(filter);
  filter.Deny(SYS_clone3);
  const auto ask = [] { return Failure(syscall(SYS_clone3, nullptr, 0)); };
  EXPECT_EQ(EndOf(filter, ask), "exit " + std::to_string(ENOSYS));
}

}  // namespace
}  // namespace schedulegym
