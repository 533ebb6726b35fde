#include "env/measure/store/store_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "env/base/fault.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

class StoreLockTest : public testing::Test {
 protected:
  std::string Said() const {
    std::string line;
    std::ifstream file(path_ + "-lock");
    std::getline(file, line);
    return line;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.Path("a.db");
};

TEST_F(StoreLockTest, SaysWhoHoldsItAndSinceWhen) {
  {
    const StoreLock lock(path_);
    EXPECT_FALSE(lock.recovered());
    EXPECT_THAT(Said(), MatchesRegex(std::to_string(getpid()) +
                                     " since 2[0-9-]{9}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
    try {
      const StoreLock second(path_);
      FAIL() << "taken twice";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("is being written by process " + Said()));
    }
  }
  EXPECT_THAT(folder_.Names(), IsEmpty());
}

TEST_F(StoreLockTest, ADeadHoldersLockIsTakenOver) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const StoreLock lock(path_);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_THAT(folder_.Names(), ElementsAre("a.db-lock"));
  EXPECT_THAT(Said(), HasSubstr(std::to_string(child) + " since"));
  const StoreLock lock(path_);
  EXPECT_TRUE(lock.recovered());
  EXPECT_THAT(Said(), HasSubstr(std::to_string(getpid()) + " since"));
}

TEST_F(StoreLockTest, AnotherNameOfTheFileIsRefusedInThisProcessAndInOthers) {
  std::ofstream(path_) << "content";
  const std::string other = folder_.Path("b.db");
  std::filesystem::create_hard_link(path_, other);
  const auto refusal = [&]() -> std::string {
    try {
      const StoreLock lock(other);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::string expected = "store '" + other + "' is being written by process " +
                               std::to_string(getpid()) + " under another of its 2 names";
  {
    const StoreLock lock(path_);
    EXPECT_THAT(refusal(), HasSubstr(expected));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // Like an unrelated process: the inherited descriptor is not its lock.
      execl("/bin/sh", "sh", "-c", ("flock -n '" + other + "' true").c_str(), nullptr);
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 1);
    EXPECT_THAT(folder_.Names(), ElementsAre("a.db", "a.db-lock", "b.db"));
  }
  EXPECT_EQ(refusal(), "");
}

// The next process that opens it detects the dead holder; a refused one does not.
TEST_F(StoreLockTest, WhoIsRefusedLeavesTheNameOfADeadHolder) {
  std::ofstream(path_) << "content";
  const std::string other = folder_.Path("b.db");
  std::filesystem::create_hard_link(path_, other);
  std::ofstream(other + "-lock") << "4711 since 2026-01-31T12:00:00Z\n";
  {
    const StoreLock lock(path_);
    EXPECT_THROW(StoreLock{other}, InputError);
  }
  EXPECT_TRUE(StoreLock(other).recovered());
}

TEST_F(StoreLockTest, AFileThatIsMadeUnderItIsHeldToo) {
  StoreLock lock(path_);
  std::ofstream(path_) << "content";
  lock.HoldFile();
  const std::string other = folder_.Path("b.db");
  std::filesystem::create_hard_link(path_, other);
  EXPECT_THROW(StoreLock{other}, InputError);
}

TEST_F(StoreLockTest, WhereNothingMayBeWrittenItSaysSo) {
  EXPECT_THROW(StoreLock(folder_.Path("missing/a.db")), InputError);
  std::filesystem::create_directory(path_ + "-lock");
  EXPECT_THROW(StoreLock lock(path_), InputError);
}

}  // namespace
}  // namespace schedulegym
