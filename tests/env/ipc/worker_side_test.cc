#include "env/ipc/worker_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace schedulegym {
namespace {

// The exit code in a child of this process; 99 if it would continue.
int ExitCodeOf(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  const pid_t child = fork();
  if (child == 0) {
    int exit_code = 99;
    close(STDERR_FILENO);
    const bool goes_on =
        FollowParent(static_cast<int>(pointers.size()), pointers.data(), exit_code);
    _exit(goes_on ? 99 : exit_code);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(WorkerSideTest, GoesOnUnderTheParentThatStartedIt) {
  EXPECT_EQ(ExitCodeOf({"worker", "check", std::to_string(getpid())}), 99);
}

TEST(WorkerSideTest, EndsWhereItsParentIsGone) {
  EXPECT_EQ(ExitCodeOf({"worker", "check", std::to_string(getppid())}), 1);
}

TEST(WorkerSideTest, IsNotStartedByHand) {
  EXPECT_EQ(ExitCodeOf({"worker"}), 2);
  EXPECT_EQ(ExitCodeOf({"worker", "check"}), 2);
  EXPECT_EQ(ExitCodeOf({"worker", "check", "1", "more"}), 2);
}

}  // namespace
}  // namespace schedulegym
