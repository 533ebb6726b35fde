#include "backends/runner/sandbox/sandbox.h"

#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "backends/runner/confinement/confined_program.h"
#include "backends/runner/confinement/system_call_filter.h"
#include "env/ipc/worker_process.h"

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
  // Other signals occur again when this returns and then kill the process, as each is handled once.
  if (signal == SIGSYS) syscall(SYS_exit_group, 128 + SIGSYS);
}

// In addition to the memory that is mapped already.
bool LimitAddresses(int64_t bytes) {
  return LimitResource(RLIMIT_AS, MemoryUseOfProcess().mapped_bytes + bytes);
}

}  // namespace

std::string MakeSystemCallFilter() {
  SystemCallFilter filter(Otherwise::kEnd);
  for (int call :
       {SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(brk),
        SCMP_SYS(clock_gettime), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getcpu),
        SCMP_SYS(getrandom), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask),
        SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group)}) {
    filter.Allow(call);
  }
  const ArgumentRule mapping[] = {{2, PROT_EXEC, 0}, {3, MAP_ANONYMOUS, MAP_ANONYMOUS}};
  filter.AllowWhere(SCMP_SYS(mmap), mapping);
  // The advice that allocators and kernels use; others, such as MADV_HWPOISON, affect other
  // processes.
  for (int advice : {MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE}) {
    filter.AllowWhere(SCMP_SYS(madvise), {.argument = 2, .value = static_cast<uint64_t>(advice)});
  }
  filter.AllowWhere(SCMP_SYS(mprotect), {2, PROT_EXEC, 0});
  // Of itself: to go where it is timed.
  filter.AllowWhere(SCMP_SYS(sched_setaffinity), ArgumentRule{});
  // 0 and 1 are event counters, or closed where there are none.
  for (int open : {0, 1, kLineDescriptor}) {
    filter.AllowWhere(SCMP_SYS(read), {.value = static_cast<uint64_t>(open)});
  }
  for (int open : {STDERR_FILENO, kLineDescriptor, kStampDescriptor}) {
    filter.AllowWhere(SCMP_SYS(write), {.value = static_cast<uint64_t>(open)});
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
  constexpr int64_t kMostMessages = 64 << 10;  // limit of stderr
  // A write beyond it fails; it does not end the process.
  signal(SIGXFSZ, SIG_IGN);
  return LimitAddresses(limits.address_bytes) && LimitResource(RLIMIT_CPU, limits.cpu_seconds, 1) &&
         LimitResource(RLIMIT_FSIZE, kMostMessages) && LimitResource(RLIMIT_CORE, 0) &&
         LimitResource(RLIMIT_MEMLOCK, 0);
}

bool EnterSandbox(const SandboxLimits& limits, const std::string& filter) {
  return LimitAddresses(limits.address_bytes) && LimitResource(RLIMIT_NPROC, 0) &&
         InstallSystemCallFilter(filter);
}

}  // namespace schedulegym
