#include "backends/runner/worker/measuring_lock.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "env/base/fault.h"
#include "tests/env/measure/temporary_folder.h"

namespace schedulegym {
namespace {

class MeasuringLockTest : public testing::Test {
 protected:
  // Whether another process could take the lock now.
  bool IsFree() const {
    const Descriptor file(open(path_.c_str(), O_RDWR | O_CLOEXEC));
    return file.is_open() && flock(file.number(), LOCK_EX | LOCK_NB) == 0;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.Path("lock");
};

TEST_F(MeasuringLockTest, OnlyOneHasIt) {
  MeasuringLock lock(path_);
  EXPECT_TRUE(IsFree());
  {
    const MeasuringTurn turn(lock);
    EXPECT_FALSE(IsFree());
  }
  EXPECT_TRUE(IsFree());
  lock.Take();
  EXPECT_FALSE(IsFree());
  lock.Release();
  EXPECT_TRUE(IsFree());
}

TEST_F(MeasuringLockTest, ATurnThatMustWaitSaysSoBefore) {
  MeasuringLock lock(path_), other(path_);
  int said = 0;
  {
    const MeasuringTurn turn(lock, [&] { ++said; });
    EXPECT_FALSE(IsFree());
  }
  EXPECT_EQ(said, 0);
  other.Take();
  EXPECT_FALSE(lock.TryTake());
  const MeasuringTurn turn(lock, [&] {
    ++said;
    other.Release();
  });
  EXPECT_EQ(said, 1);
  EXPECT_TRUE(other.IsHeldByOther());
}

// The lock belongs to the file, under any of its names.
TEST_F(MeasuringLockTest, OtherNamesAreTheSameLock) {
  MeasuringLock lock(path_);
  std::filesystem::create_hard_link(path_, folder_.Path("hard"));
  std::filesystem::create_symlink("lock", folder_.Path("soft"));
  MeasuringLock hard(folder_.Path("hard")), soft(folder_.Path("soft"));
  const MeasuringTurn turn(lock);
  EXPECT_TRUE(hard.IsHeldByOther());
  EXPECT_TRUE(soft.IsHeldByOther());
}

TEST_F(MeasuringLockTest, OthersSeeThatItIsHeldAndLeaveItFree) {
  MeasuringLock holder(path_), other(path_);
  EXPECT_FALSE(other.IsHeldByOther());
  EXPECT_TRUE(IsFree());
  const MeasuringTurn turn(holder);
  EXPECT_TRUE(other.IsHeldByOther());
}

TEST_F(MeasuringLockTest, ADeviceIsSharedUntilOneHasItAlone) {
  MeasuringLock first(path_), second(path_);
  DeviceUse use(first);
  {
    const DeviceUse other(second);
    EXPECT_FALSE(IsFree());
  }
  use.LetGo();
  EXPECT_TRUE(IsFree());
  use.TakeAlone();
  EXPECT_TRUE(second.IsHeldByOther());
  use.ShareAgain();
  EXPECT_FALSE(second.IsHeldByOther());
  EXPECT_FALSE(IsFree());
}

TEST_F(MeasuringLockTest, TheLeaseOfDevicesIsAnotherFile) {
  setenv("SCHEDULEGYM_LOCK", path_.c_str(), 1);
  EXPECT_EQ(DeviceLeasePath(), path_ + ".device");
  unsetenv("SCHEDULEGYM_LOCK");
  EXPECT_NE(DeviceLeasePath(), MeasuringLockPath());
}

TEST_F(MeasuringLockTest, EverybodyMayOpenTheFile) {
  const MeasuringLock lock(path_);
  struct stat facts {};
  ASSERT_EQ(stat(path_.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0666u);
}

TEST_F(MeasuringLockTest, TheDeadLetGo) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t holder = fork();
  if (holder == 0) {
    MeasuringLock lock(path_);
    lock.Take();
    if (write(ends[1], "x", 1) != 1) _exit(1);
    pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  EXPECT_FALSE(IsFree());
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  EXPECT_TRUE(IsFree());
  close(ends[0]);
  close(ends[1]);
}

TEST_F(MeasuringLockTest, AFileThatCannotBeMadeIsTheMachines) {
  EXPECT_THROW(MeasuringLock("/nonexistent/lock"), MachineError);
}

TEST_F(MeasuringLockTest, TheEnvironmentSaysWhere) {
  setenv("SCHEDULEGYM_LOCK", path_.c_str(), 1);
  EXPECT_EQ(MeasuringLockPath(), path_);
  unsetenv("SCHEDULEGYM_LOCK");
  EXPECT_NE(MeasuringLockPath(), path_);
}

}  // namespace
}  // namespace schedulegym
