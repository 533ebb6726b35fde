#include "backends/runner/sandbox/sandbox.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <new>

#include "backends/runner/sandbox/shared_memory.h"
#include "env/ipc/descriptor.h"
#include "env/ipc/worker_process.h"

#ifdef __SANITIZE_ADDRESS__
// From the sanitizer's library; g++ does not ship its header.
extern "C" void __sanitizer_purge_allocator();
#endif

namespace schedulegym {
namespace {

constexpr int64_t kMemory = int64_t{256} << 20;

// How a process ends that enters the sandbox and acts.
class SandboxTest : public testing::Test {
 protected:
#ifdef __SANITIZE_ADDRESS__
  // Otherwise the confined process would release the memory of earlier tests, by system calls that
  // end it.
  SandboxTest() { __sanitizer_purge_allocator(); }

#endif
  std::string EndOf(const std::function<int()>& act) {
    *page() = {};
    auto [line, their_line] = MakeSocketPair(true);
    auto [stamps, their_stamps] = MakeSocketPair(true);
    const pid_t child = fork();
    if (child == 0) {
      dup2(their_line.number(), 100);
      dup2(their_stamps.number(), 101);
      dup2(100, kLineDescriptor);
      dup2(101, kStampDescriptor);
      InstallFaultHandlers(page());
      const SandboxLimits limits = {kMemory, 5};
      if (!LimitProcess(limits) || !EnterSandbox(limits, filter_)) _exit(99);
      _exit(act());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return ExitText(status);
  }

  // The name of the system call that ended the process; "" if it was allowed.
  std::string Refused(const std::function<void()>& act) {
    const std::string end = EndOf([&] {
      act();
      return 0;
    });
    if (end == "exit 0") return "";
    EXPECT_EQ(page()->fault.signal, SIGSYS) << end;
    return SystemCallName(page()->fault.system_call);
  }

  ResultPage* page() { return reinterpret_cast<ResultPage*>(memory_.data()); }

  SharedMemory memory_{kResultPageBytes};
  std::string filter_ = MakeSystemCallFilter();
};

TEST_F(SandboxTest, WhatComputesNeedsIsThere) {
  EXPECT_EQ(EndOf([] { return 7; }), "exit 7");
  EXPECT_EQ(Refused([] {
              std::vector<char*> blocks;
              for (int i = 0; i < 100; ++i) {
                blocks.push_back(static_cast<char*>(std::malloc(size_t{1} << 18)));
                blocks.back()[5] = 1;
              }
              for (char* block : blocks) std::free(block);
            }),
            "");
  EXPECT_EQ(Refused([] {
              timespec time;
              clock_gettime(CLOCK_MONOTONIC, &time);
              sched_yield();
              if (write(kStampDescriptor, "ab", 2) != 2) _exit(1);
            }),
            "");
}

TEST_F(SandboxTest, EverythingElseIsRefused) {
  EXPECT_EQ(Refused([] { syscall(SYS_open, "/etc/passwd", O_RDONLY); }), "open");
  EXPECT_EQ(Refused([] { syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); }), "openat");
  EXPECT_EQ(Refused([] { syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); }), "socket");
  EXPECT_EQ(Refused([] { syscall(SYS_fork); }), "fork");
  EXPECT_EQ(Refused([] { syscall(SYS_execve, nullptr, nullptr, nullptr); }), "execve");
  EXPECT_EQ(Refused([] { syscall(SYS_kill, getpid(), 0); }), "kill");
  EXPECT_EQ(Refused([] { syscall(SYS_ptrace, 0, 0, 0, 0); }), "ptrace");
  EXPECT_EQ(Refused([] { syscall(SYS_nanosleep, nullptr, nullptr); }), "nanosleep");
  EXPECT_EQ(Refused([] { syscall(SYS_close, kLineDescriptor); }), "close");
}

TEST_F(SandboxTest, ArgumentsCount) {
  char byte = 0;
  EXPECT_EQ(Refused([&] { syscall(SYS_read, 2, &byte, 1); }), "read");
  EXPECT_EQ(Refused([&] { syscall(SYS_write, 1, &byte, 1); }), "write");
  EXPECT_EQ(Refused([&] { syscall(SYS_write, 2, &byte, 0); }), "");
  EXPECT_EQ(Refused([] {
              (void)mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            }),
            "mmap");
  EXPECT_EQ(Refused([] { (void)mmap(nullptr, 4096, PROT_READ, MAP_SHARED, kLineDescriptor, 0); }),
            "mmap");
  EXPECT_EQ(
      Refused([] { (void)mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }),
      "");
  EXPECT_EQ(Refused([&] { (void)mprotect(page(), 4096, PROT_EXEC); }), "mprotect");
  EXPECT_EQ(Refused([&] { madvise(page(), 4096, MADV_REMOVE); }), "madvise");
  EXPECT_EQ(Refused([&] { madvise(page(), 4096, MADV_HUGEPAGE); }), "");
}

TEST_F(SandboxTest, FaultsAreNoted) {
  EXPECT_EQ(EndOf([&] {
              *reinterpret_cast<volatile int*>(0x1234) = 1;
              return 0;
            }),
            "SIGSEGV");
  EXPECT_EQ(page()->fault.signal, SIGSEGV);
  EXPECT_EQ(page()->fault.address, 0x1234u);
  EXPECT_NE(page()->fault.is_write, 0);
  EXPECT_EQ(EndOf([&] { return *reinterpret_cast<volatile int*>(0x1234); }), "SIGSEGV");
  EXPECT_EQ(page()->fault.is_write, 0);
}

TEST_F(SandboxTest, MemoryIsLimited) {
  EXPECT_EQ(EndOf([] {
              void* memory =
                  mmap(nullptr, size_t{2} * kMemory, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              return memory == MAP_FAILED ? 3 : 0;
            }),
            "exit 3");
}

TEST_F(SandboxTest, LimitsHoldBeforeTheSandboxToo) {
  const pid_t child = fork();
  if (child == 0) {
    if (!LimitProcess({kMemory, 5})) _exit(99);
    rlimit files, core, memory;
    getrlimit(RLIMIT_FSIZE, &files);
    getrlimit(RLIMIT_CORE, &core);
    getrlimit(RLIMIT_AS, &memory);
    const bool right =
        files.rlim_max == 64 << 10 && core.rlim_max == 0 && memory.rlim_max != RLIM_INFINITY;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(ExitText(status), "exit 0");
}

TEST(SystemCallNameTest, NamesWhatHasAName) {
  EXPECT_EQ(SystemCallName(SYS_socket), "socket");
  EXPECT_EQ(SystemCallName(-77), "system call -77");
}

}  // namespace
}  // namespace schedulegym
