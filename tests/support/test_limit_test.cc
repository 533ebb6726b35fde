// Tests the time limit of each test (test_limit.cc); the examples run in a separate program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Ending {
  std::string said;
  int status = 0;
};

// Runs this program with one of its examples and a time limit of `seconds`.
Ending RunExample(const std::string& name, const std::string& seconds) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "SCHEDULEGYM_TEST_SECONDS=" + seconds + " '" + program +
                              "' --gtest_also_run_disabled_tests --gtest_filter='Example.*" + name +
                              "' 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  Ending ending;
  std::array<char, 256> buffer;
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) ending.said += buffer.data();
  ending.status = pclose(pipe);
  return ending;
}

// For shells that replace themselves by the program, and for others.
bool WasAborted(int status) {
  return (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) ||
         (WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGABRT);
}

TEST(Example, DISABLED_Sleeps) { sleep(60); }

TEST(Example, DISABLED_WaitsForAProcess) {
  const pid_t child = fork();
  if (child == 0) {
    std::printf("child %d\n", getpid());
    std::fflush(stdout);
    while (true) pause();
  }
  waitpid(child, nullptr, 0);
}

TEST(Example, DISABLED_IsQuick) {}

TEST(TestLimitTest, WhatTakesTooLongIsNamedAndEnded) {
  const Ending ending = RunExample("Sleeps", "0.3");
  EXPECT_TRUE(WasAborted(ending.status)) << ending.status;
  EXPECT_THAT(ending.said, HasSubstr("Example.DISABLED_Sleeps: took more than 0.3 s"));
}

TEST(TestLimitTest, WhatItStartedEndsWithIt) {
  const Ending ending = RunExample("WaitsForAProcess", "0.3");
  EXPECT_THAT(ending.said, HasSubstr("took more than 0.3 s"));
  const size_t child = ending.said.find("child ");
  ASSERT_NE(child, ending.said.npos) << ending.said;
  const pid_t process = std::stoi(ending.said.substr(child + 6));
  // A killed process takes a moment to end.
  for (int wait = 0; wait < 500 && IsRunning(process); ++wait) usleep(10'000);
  EXPECT_FALSE(IsRunning(process));
}

TEST(TestLimitTest, OthersAreLeftAlone) {
  const Ending ending = RunExample("IsQuick", "5");
  EXPECT_EQ(ending.status, 0);
  EXPECT_THAT(ending.said, Not(HasSubstr("TIME OVER")));
}

}  // namespace
}  // namespace schedulegym
