#include "backends/runner/sandbox/sandbox.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "backends/runner/process/memory_use.h"
#include "env/base/fault.h"

namespace schedulegym {
namespace {

// A handler has no argument to carry it.
ResultPage* noted_page = nullptr;

void NoteFault(int signal, siginfo_t* info, void* context) {
  FaultNote& note = noted_page->fault;
  if (note.signal == 0) {
    note.signal = signal;
    note.address = reinterpret_cast<uint64_t>(info->si_addr);
#if defined(__x86_64__)
    constexpr uint64_t kWriteBit = 2;
    const auto* state = static_cast<const ucontext_t*>(context);
    if (signal == SIGSEGV) note.is_write = (state->uc_mcontext.gregs[REG_ERR] & kWriteBit) != 0;
#endif
    if (signal == SIGSYS) note.system_call = info->si_syscall;
  }
  // The others come again when this returns and then kill, for they are handled once only.
  if (signal == SIGSYS) syscall(SYS_exit_group, 128 + SIGSYS);
}

class Filter {
 public:
  Filter() : context_(seccomp_init(SCMP_ACT_TRAP)) {
    if (context_ == nullptr) throw MachineError("cannot make a filter of system calls");
  }
  ~Filter() { seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  // Calls by the numbers of another architecture end the process, not one thread of it.
  void RefuseOtherNumbers() {
    Check(seccomp_attr_set(context_, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
  }
  void Allow(int call) { Check(seccomp_rule_add(context_, SCMP_ACT_ALLOW, call, 0)); }
  // Where an argument equals the value under the mask.
  void AllowWhere(int call, unsigned argument, uint64_t mask, uint64_t value) {
    Check(seccomp_rule_add(context_, SCMP_ACT_ALLOW, call, 1,
                           SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, mask, value)));
  }
  void AllowMapping(int call) {
    Check(seccomp_rule_add(context_, SCMP_ACT_ALLOW, call, 2,
                           SCMP_CMP64(2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
                           SCMP_CMP64(3, SCMP_CMP_MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS)));
  }

  std::string Export() {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
    if (!file) throw MachineError("no temporary file for a filter of system calls");
    Check(seccomp_export_bpf(context_, fileno(file.get())));
    std::string program(static_cast<size_t>(lseek(fileno(file.get()), 0, SEEK_END)), '\0');
    if (pread(fileno(file.get()), program.data(), program.size(), 0) !=
        static_cast<ssize_t>(program.size())) {
      throw MachineError("cannot read a filter of system calls");
    }
    return program;
  }

 private:
  static void Check(int failed) {
    if (failed == 0) return;
    throw MachineError(std::string("cannot make a filter of system calls: ") +
                       std::strerror(-failed));
  }
  scmp_filter_ctx context_;
};

// What is tighter already stays. `grace`: how far the limit at which the system kills lies beyond
// the one at which it complains.
bool Limit(__rlimit_resource resource, int64_t value, int64_t grace = 0) {
  rlimit now = {};
  if (getrlimit(resource, &now) != 0) return false;
  const rlimit limit = {std::min(static_cast<rlim_t>(value), now.rlim_max),
                        std::min(static_cast<rlim_t>(value + grace), now.rlim_max)};
  return setrlimit(resource, &limit) == 0;
}

// Counted from what is mapped already.
bool LimitAddresses(int64_t bytes) {
  return Limit(RLIMIT_AS, MemoryUseOfProcess().mapped_bytes + bytes);
}

}  // namespace

std::string MakeSystemCallFilter() {
  constexpr uint64_t kWhole = ~uint64_t{0};
  Filter filter;
  for (int call :
       {SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk),
        SCMP_SYS(clock_gettime), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getcpu),
        SCMP_SYS(getrandom), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask),
        SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group)}) {
    filter.Allow(call);
  }
  filter.RefuseOtherNumbers();
  filter.AllowMapping(SCMP_SYS(mmap));
  // What allocators and kernels ask for; others, such as MADV_HWPOISON, reach beyond the process.
  for (int advice : {MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE}) {
    filter.AllowWhere(SCMP_SYS(madvise), 2, kWhole, static_cast<uint64_t>(advice));
  }
  filter.AllowWhere(SCMP_SYS(mprotect), 2, PROT_EXEC, 0);
  // Of itself: to go where it is timed.
  filter.AllowWhere(SCMP_SYS(sched_setaffinity), 0, kWhole, 0);
  // The lowest two are free when counters of events are opened, or closed where there are none.
  for (int open : {0, 1, kLineDescriptor}) {
    filter.AllowWhere(SCMP_SYS(read), 0, kWhole, static_cast<uint64_t>(open));
  }
  for (int open : {STDERR_FILENO, kLineDescriptor, kStampDescriptor}) {
    filter.AllowWhere(SCMP_SYS(write), 0, kWhole, static_cast<uint64_t>(open));
  }
  return filter.Export();
}

std::string SystemCallName(int number) {
  const std::unique_ptr<char, void (*)(void*)> name(
      seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), std::free);
  return name ? std::string(name.get()) : "system call " + std::to_string(number);
}

void InstallFaultHandlers(ResultPage* page) {
  noted_page = page;
  struct sigaction action = {};
  action.sa_sigaction = NoteFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS}) {
    sigaction(signal, &action, nullptr);
  }
}

bool LimitProcess(const SandboxLimits& limits) {
  constexpr int64_t kMostMessages = 64 << 10;  // what stderr may grow to
  // A write beyond it fails, which is no crime.
  signal(SIGXFSZ, SIG_IGN);
  return LimitAddresses(limits.address_bytes) && Limit(RLIMIT_CPU, limits.cpu_seconds, 1) &&
         Limit(RLIMIT_FSIZE, kMostMessages) && Limit(RLIMIT_CORE, 0) && Limit(RLIMIT_MEMLOCK, 0);
}

bool EnterSandbox(const SandboxLimits& limits, const std::string& filter) {
  std::vector<sock_filter> rules(filter.size() / sizeof(sock_filter));
  std::memcpy(rules.data(), filter.data(), rules.size() * sizeof(sock_filter));
  const sock_fprog program = {static_cast<unsigned short>(rules.size()), rules.data()};
  return LimitAddresses(limits.address_bytes) && Limit(RLIMIT_NPROC, 0) &&
         prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

}  // namespace schedulegym
