#include "env/measure/store/store_file.h"

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

TEST_F(StoreLockTest, WhereNothingMayBeWrittenItSaysSo) {
  EXPECT_THROW(StoreLock(folder_.Path("missing/a.db")), InputError);
  std::filesystem::create_directory(path_ + "-lock");
  EXPECT_THROW(StoreLock lock(path_), InputError);
}

}  // namespace
}  // namespace schedulegym
