#include "env/ipc/worker_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "env/base/fault.h"
#include "env/ipc/frame.h"
#include "tests/support/process_tree.h"

namespace schedulegym {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string FileText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string ProcessFile(pid_t process, const std::string& name) {
  return "/proc/" + std::to_string(process) + "/" + name;
}

std::vector<std::string> DescriptorsOf(pid_t process) {
  std::vector<std::string> numbers;
  for (const auto& file : std::filesystem::directory_iterator(ProcessFile(process, "fd"))) {
    numbers.push_back(file.path().filename().string());
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Waits up to 5 s for an effect of another process.
template <typename Condition>
bool Soon(Condition condition) {
  for (int i = 0; i < 500; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

// Uses a compile worker, because it opens no files. Its first answer shows that it has started.
class WorkerProcessTest : public testing::Test {
 protected:
  static void AwaitBegin(WorkerProcess& worker) {
    FrameChannel channel(worker.TakeSocket());
    EXPECT_TRUE(channel.Send({999, 1, ""}));
    EXPECT_TRUE(channel.Receive().has_value());
    socket_ = std::move(channel);
  }
  void TearDown() override { socket_ = FrameChannel(Descriptor()); }

  static inline FrameChannel socket_{Descriptor()};
};

TEST_F(WorkerProcessTest, ItHasTheSocketAndNoOtherDescriptor) {
  const Descriptor leak(open("/dev/null", O_RDONLY));  // not closed on exec
  WorkerProcess worker(SG_WORKER, "compile");
  AwaitBegin(worker);
  EXPECT_THAT(DescriptorsOf(worker.pid()), ElementsAre("0", "1", "2", "3"));
}

TEST_F(WorkerProcessTest, ItSeesLittleOfTheEnvironment) {
  setenv("SECRET_OF_THE_USER", "1", 1);
  setenv("SCHEDULEGYM_OF_THE_TEST", "2", 1);
  WorkerProcess worker(SG_WORKER, "compile");
  AwaitBegin(worker);
  const std::string environment = FileText(ProcessFile(worker.pid(), "environ"));
  EXPECT_THAT(environment, Not(HasSubstr("SECRET")));
  EXPECT_THAT(environment, Not(HasSubstr("PATH=/")));
  EXPECT_THAT(environment, HasSubstr("SCHEDULEGYM_OF_THE_TEST=2"));
}

TEST_F(WorkerProcessTest, ItSeesWhatItIsGiven) {
  WorkerProcess worker(SG_WORKER, "compile", {"GIVEN_BY_THE_TEST=3"});
  AwaitBegin(worker);
  EXPECT_THAT(FileText(ProcessFile(worker.pid(), "environ")), HasSubstr("GIVEN_BY_THE_TEST=3"));
}

TEST_F(WorkerProcessTest, ItLeadsAGroupOfItsOwn) {
  WorkerProcess worker(SG_WORKER, "compile");
  EXPECT_EQ(getpgid(worker.pid()), worker.pid());
}

TEST_F(WorkerProcessTest, KillingSaysHowItEnded) {
  WorkerProcess worker(SG_WORKER, "compile");
  EXPECT_FALSE(worker.WaitForEnd(0));
  EXPECT_EQ(ExitText(worker.Kill()), "SIGKILL");
  EXPECT_EQ(ExitText(worker.Kill()), "SIGKILL");
  EXPECT_TRUE(worker.WaitForEnd(0));
  EXPECT_FALSE(IsRunning(worker.pid()));
}

TEST_F(WorkerProcessTest, ItEndsByItselfWithItsSocket) {
  WorkerProcess worker(SG_WORKER, "compile");
  AwaitBegin(worker);
  socket_ = FrameChannel(Descriptor());
  EXPECT_TRUE(worker.WaitForEnd(10));
  EXPECT_EQ(ExitText(worker.Kill()), "exit 0");
}

TEST_F(WorkerProcessTest, NothingIsLeftOfIt) {
  pid_t process = -1;
  {
    const WorkerProcess worker(SG_WORKER, "compile");
    process = worker.pid();
    EXPECT_TRUE(IsRunning(process));
  }
  EXPECT_EQ(waitpid(process, nullptr, WNOHANG), -1);
  EXPECT_FALSE(std::filesystem::exists(ProcessFile(process, "")));
}

TEST_F(WorkerProcessTest, WhatItSaysIsKept) {
  WorkerProcess worker(SG_WORKER, "check");
  FrameChannel channel(worker.TakeSocket());
  // A checker that cannot open its lock reports it and exits.
  setenv("SCHEDULEGYM_LOCK", "/nonexistent/lock", 1);
  WorkerProcess refused(SG_WORKER, "check");
  unsetenv("SCHEDULEGYM_LOCK");
  EXPECT_TRUE(refused.WaitForEnd(10));
  EXPECT_THAT(refused.StderrTail(), HasSubstr("/nonexistent/lock"));
  EXPECT_EQ(ExitText(refused.Kill()), "exit 70");
  EXPECT_EQ(worker.StderrTail(), "");
}

TEST_F(WorkerProcessTest, RolesThatDoNotExistEndAtOnce) {
  WorkerProcess worker(SG_WORKER, "sing");
  EXPECT_TRUE(worker.WaitForEnd(10));
  EXPECT_EQ(ExitText(worker.Kill()), "exit 2");
}

TEST_F(WorkerProcessTest, ProgramsThatDoNotExistAreTheMachines) {
  EXPECT_THROW(WorkerProcess("/nonexistent/worker", "compile"), MachineError);
}

// Kills a process that has started a worker, as may happen to a front.
TEST_F(WorkerProcessTest, ItDiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    const WorkerProcess worker(SG_WORKER, "check");
    const pid_t process = worker.pid();
    if (write(ends[1], &process, sizeof process) != sizeof process) _exit(1);
    pause();
    _exit(0);
  }
  pid_t worker = -1;
  ASSERT_EQ(read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  EXPECT_TRUE(IsRunning(worker));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(Soon([&] { return !IsRunning(worker); }));
  close(ends[0]);
  close(ends[1]);
}

TEST(FileTailTest, LongTextsAreCut) {
  char path[] = "/tmp/schedulegym-tail-XXXXXX";
  const Descriptor file(mkstemp(path));
  unlink(path);
  EXPECT_EQ(FileTail(file.number()), "");
  const std::string text(100000, 'x');
  ASSERT_EQ(write(file.number(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ASSERT_EQ(write(file.number(), "end", 3), 3);
  const std::string tail = FileTail(file.number());
  EXPECT_EQ(tail.size(), size_t{16} << 10);
  EXPECT_EQ(tail.substr(tail.size() - 4), "xend");
}

TEST(SignalNameTest, NamesWhatHasAName) {
  EXPECT_EQ(SignalName(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(SignalName(12345), "signal 12345");
}

}  // namespace
}  // namespace schedulegym
