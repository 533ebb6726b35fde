#include "backends/runner/confinement/confine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "backends/runner/confinement/system_call_filter.h"
#include "env/base/fault.h"
#include "env/ipc/worker_process.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A shell with few rights.
class ConfineTest : public testing::Test {
 protected:
  void SetUp() override {
    if (LandlockVersion() == 0) GTEST_SKIP() << "this kernel has no Landlock";
    folder_ = fs::path(testing::TempDir()) / ("confined " + std::to_string(getpid()));
    fs::create_directories(folder_ / "scratch");
    fs::create_directories(folder_ / "own");
    std::ofstream(folder_ / "own/file") << "text\n";
    std::ofstream(folder_ / "secret") << "text\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string EndOf(const std::string& script, int64_t memory_bytes = int64_t{256} << 20) {
    return EndOf(ProgramOfScript(script, memory_bytes));
  }
  ConfinedProgram ProgramOfScript(const std::string& script, int64_t memory_bytes) const {
    const std::string at = folder_.string();
    return {{"/bin/sh", "-c", "cd '" + at + "'\n" + script},
            {.reads = {at + "/own"}, .writes = {at + "/scratch"}},
            memory_bytes,
            5};
  }
  static std::string EndOf(const ConfinedProgram& program) {
    WorkerProcess process(SG_CONFINED, WordsOf(program, getpid()), {"PATH=/bin", "LC_ALL=C"});
    if (!process.WaitForEnd(20)) return "no end";
    return ExitText(process.Kill()) + " " + process.StderrTail();
  }

  fs::path folder_;
};

TEST_F(ConfineTest, ItReadsItsOwnAndWritesItsFolder) {
  EXPECT_EQ(EndOf("read x < own/file && echo $x > scratch/file && exit 7"), "exit 7 ");
  std::string line;
  std::getline(std::ifstream(folder_ / "scratch/file"), line);
  EXPECT_EQ(line, "text");
  EXPECT_THAT(EndOf("read x < secret"), HasSubstr("Permission denied"));
  EXPECT_THAT(EndOf("echo a > own/file"), HasSubstr("Permission denied"));
  EXPECT_THAT(EndOf("echo a > /tmp/never"), HasSubstr("Permission denied"));
  EXPECT_THAT(EndOf("read x < /proc/1/stat"), HasSubstr("Permission denied"));
}

TEST_F(ConfineTest, ItStartsNothing) {
  EXPECT_THAT(EndOf("/bin/true"), HasSubstr("Cannot fork"));
  EXPECT_THAT(EndOf("(exit 0)"), HasSubstr("Cannot fork"));
  EXPECT_THAT(EndOf("exec /bin/true"), HasSubstr("/bin/true: Operation not permitted"));
}

TEST_F(ConfineTest, OneThatStartsProgramsStaysConfined) {
  const auto end = [&](const std::string& script) {
    ConfinedProgram program = ProgramOfScript(script, int64_t{256} << 20);
    program.starts_programs = true;
    return EndOf(program);
  };
  EXPECT_EQ(end("/bin/true && (exit 7)"), "exit 7 ");
  EXPECT_EQ(end("/bin/cp own/file scratch/file && /bin/chmod 600 scratch/file && exit 7"),
            "exit 7 ");
  EXPECT_THAT(end("/bin/cat secret"), HasSubstr("Permission denied"));
  EXPECT_THAT(end("/bin/sh -c '/bin/cp own/file own/other'"), HasSubstr("Permission denied"));
  EXPECT_THAT(end("/bin/sh -c 'kill -0 $PPID'; kill -0 1"), HasSubstr("not permitted"));
  EXPECT_THAT(end("/usr/bin/unshare -U /bin/true"), Not(StartsWith("exit 0")));
}

TEST_F(ConfineTest, ItBeginsInItsFolder) {
  ConfinedProgram program = ProgramOfScript("", int64_t{256} << 20);
  program.words = {"/bin/sh", "-c", "read x < file && exit 7"};
  program.folder = (folder_ / "own").string();
  EXPECT_EQ(EndOf(program), "exit 7 ");
  program.folder = "/nowhere";
  EXPECT_THAT(EndOf(program), HasSubstr("found no folder '/nowhere'"));
}

TEST_F(ConfineTest, ItSignalsNobodyElse) {
  EXPECT_THAT(EndOf("kill -0 $$"), HasSubstr("exit 0"));
  EXPECT_THAT(EndOf("kill -0 $PPID"), HasSubstr("Operation not permitted"));
  EXPECT_THAT(EndOf("kill -CONT -1"), HasSubstr("Operation not permitted"));
}

TEST_F(ConfineTest, ItsLimitsAreForGood) {
  EXPECT_THAT(EndOf("ulimit -t 1000"), HasSubstr("exit 2"));
  // Doubled to eight million letters.
  const std::string grow =
      "x=aaaaaaaa; for i in 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0; do x=$x$x; done; exit 7";
  EXPECT_EQ(EndOf(grow), "exit 7 ");
  EXPECT_NE(EndOf(grow, int64_t{8} << 20), "exit 7 ");
}

TEST_F(ConfineTest, WhatDoesNotStartIsTold) {
  const ConfinedProgram program = {{"/nowhere/program"}, {}, int64_t{256} << 20, 5};
  WorkerProcess process(SG_CONFINED, WordsOf(program, getpid()), {});
  EXPECT_THAT(
      process.ExitReason(),
      HasSubstr("exit 3, saying: error: cannot start '/nowhere/program' confined: No such"));
}

TEST_F(ConfineTest, OnlyItsParentStartsIt) {
  const ConfinedProgram program = {{"/bin/sh", "-c", "exit 0"}, {}, int64_t{256} << 20, 5};
  WorkerProcess process(SG_CONFINED, WordsOf(program, 1), {});
  EXPECT_EQ(process.ExitReason(), "exit 1");
}

// Behaves like a kernel without Landlock.
TEST(WithoutLandlockTest, ItIsSaidInOneLine) {
  SystemCallFilter filter(Otherwise::kFail);
  for (int call = 0; call < 500; ++call) {
    if (call != SYS_landlock_create_ruleset) filter.Allow(call);
  }
  filter.Deny(SYS_landlock_create_ruleset);
  const std::string program = filter.Export();
  const pid_t child = fork();
  if (child == 0) {
    if (!InstallSystemCallFilter(program)) _exit(99);
    try {
      RequireLandlock();
      _exit(1);
    } catch (const MachineError& fault) {
      const std::string text = fault.what();
      _exit(text.find("this kernel has no Landlock, expected Linux 5.13") == 0 &&
                    text.find('\n') == std::string::npos
                ? 0
                : 2);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(ExitText(status), "exit 0");
}

}  // namespace
}  // namespace schedulegym
