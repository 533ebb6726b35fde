// Confines this process before it executes foreign code:
// 1. limits: data, processor seconds, 64 MiB a file, 1024 descriptors;
// 2. Landlock: only the named files may be read or written;
// 3. seccomp: system calls on an allow list (libseccomp); execve only with its arguments at an
//    address drawn from 2^34 pages, so that the one execve that follows passes and later ones do
//    not.
// A program that may start others gets no address check; one without namespaces runs where the
// system forbids them. Errors: MachineError names the step that the kernel refused.
#include "backends/runner/confinement/confine.h"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>

#include "backends/runner/confinement/confined_program.h"
#include "backends/runner/confinement/system_call_filter.h"
#include "env/base/fault.h"

extern char** environ;

namespace schedulegym {
namespace {

constexpr int64_t kMostFileBytes = int64_t{64} << 20;
constexpr int64_t kMostOpenFiles = 1024;

// Files that interpreters and libraries read at their start; none is a user's.
const std::vector<std::string>& SystemFiles() {
  static const std::vector<std::string> files = {"/usr",
                                                 "/lib",
                                                 "/lib64",
                                                 "/bin",
                                                 "/etc/ld.so.cache",
                                                 "/etc/localtime",
                                                 "/etc/nsswitch.conf",
                                                 "/etc/passwd",
                                                 "/dev/null",
                                                 "/dev/zero",
                                                 "/dev/urandom",
                                                 "/proc/self",
                                                 "/proc/cpuinfo",
                                                 "/proc/meminfo",
                                                 "/proc/stat",
                                                 "/proc/sys/vm/overcommit_memory",
                                                 "/sys/devices/system"};
  return files;
}

// Calls that read, compute, wait or query facts: none reaches beyond the process and its files.
constexpr int kFileCalls[] = {
    SCMP_SYS(read),      SCMP_SYS(write),      SCMP_SYS(close),       SCMP_SYS(fstat),
    SCMP_SYS(lstat),     SCMP_SYS(stat),       SCMP_SYS(newfstatat),  SCMP_SYS(statx),
    SCMP_SYS(lseek),     SCMP_SYS(pread64),    SCMP_SYS(pwrite64),    SCMP_SYS(readv),
    SCMP_SYS(writev),    SCMP_SYS(preadv),     SCMP_SYS(pwritev),     SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(open),        SCMP_SYS(openat),
    SCMP_SYS(creat),     SCMP_SYS(getdents64), SCMP_SYS(getcwd),      SCMP_SYS(chdir),
    SCMP_SYS(fchdir),    SCMP_SYS(rename),     SCMP_SYS(renameat),    SCMP_SYS(renameat2),
    SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),    SCMP_SYS(rmdir),       SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),  SCMP_SYS(readlink),   SCMP_SYS(readlinkat),  SCMP_SYS(umask),
    SCMP_SYS(flock),     SCMP_SYS(fsync),      SCMP_SYS(fdatasync),   SCMP_SYS(ftruncate),
    SCMP_SYS(fadvise64), SCMP_SYS(fallocate),  SCMP_SYS(statfs),      SCMP_SYS(fstatfs),
    SCMP_SYS(dup),       SCMP_SYS(dup2),       SCMP_SYS(dup3),        SCMP_SYS(pipe),
    SCMP_SYS(pipe2),     SCMP_SYS(sendto),     SCMP_SYS(recvfrom),    SCMP_SYS(sendmsg),
    SCMP_SYS(recvmsg),   SCMP_SYS(getsockopt), SCMP_SYS(getsockname), SCMP_SYS(shutdown)};
constexpr int kMemoryCalls[] = {SCMP_SYS(mprotect),      SCMP_SYS(munmap),     SCMP_SYS(mremap),
                                SCMP_SYS(brk),           SCMP_SYS(mincore),    SCMP_SYS(msync),
                                SCMP_SYS(get_mempolicy), SCMP_SYS(membarrier), SCMP_SYS(getrandom)};
constexpr int kWaitingCalls[] = {
    SCMP_SYS(select),       SCMP_SYS(pselect6),        SCMP_SYS(poll),
    SCMP_SYS(ppoll),        SCMP_SYS(epoll_create1),   SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_wait),   SCMP_SYS(epoll_pwait),     SCMP_SYS(eventfd2),
    SCMP_SYS(nanosleep),    SCMP_SYS(clock_nanosleep), SCMP_SYS(getitimer),
    SCMP_SYS(setitimer),    SCMP_SYS(alarm),           SCMP_SYS(futex),
    SCMP_SYS(sched_yield),  SCMP_SYS(rt_sigaction),    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(rt_sigsuspend),
    SCMP_SYS(sigaltstack),  SCMP_SYS(restart_syscall), SCMP_SYS(wait4),
    SCMP_SYS(exit),         SCMP_SYS(exit_group)};
constexpr int kAskingCalls[] = {SCMP_SYS(getpid),
                                SCMP_SYS(getppid),
                                SCMP_SYS(gettid),
                                SCMP_SYS(getuid),
                                SCMP_SYS(geteuid),
                                SCMP_SYS(getgid),
                                SCMP_SYS(getegid),
                                SCMP_SYS(getgroups),
                                SCMP_SYS(getresuid),
                                SCMP_SYS(getresgid),
                                SCMP_SYS(getpgrp),
                                SCMP_SYS(getpgid),
                                SCMP_SYS(getsid),
                                SCMP_SYS(uname),
                                SCMP_SYS(getrlimit),
                                SCMP_SYS(getrusage),
                                SCMP_SYS(times),
                                SCMP_SYS(sysinfo),
                                SCMP_SYS(gettimeofday),
                                SCMP_SYS(time),
                                SCMP_SYS(clock_gettime),
                                SCMP_SYS(clock_getres),
                                SCMP_SYS(sched_getaffinity),
                                SCMP_SYS(sched_getparam),
                                SCMP_SYS(sched_getscheduler),
                                SCMP_SYS(getcpu),
                                SCMP_SYS(getpriority),
                                SCMP_SYS(set_tid_address),
                                SCMP_SYS(set_robust_list),
                                SCMP_SYS(get_robust_list),
                                SCMP_SYS(arch_prctl),
                                SCMP_SYS(rseq)};

void AllowHarmless(SystemCallFilter& filter) {
  for (const std::span<const int> calls :
       {std::span<const int>(kFileCalls), std::span<const int>(kMemoryCalls),
        std::span<const int>(kWaitingCalls), std::span<const int>(kAskingCalls)}) {
    for (const int call : calls) filter.Allow(call);
  }
}

void AllowEach(SystemCallFilter& filter, int call, unsigned argument,
               std::initializer_list<uint64_t> values) {
  for (const uint64_t value : values) {
    filter.AllowWhere(call, {.argument = argument, .value = value});
  }
}

// Further calls of compilers and their drivers. Their processes stay in the group that is killed at
// the end.
constexpr int kBuildingCalls[] = {
    SCMP_SYS(fork),        SCMP_SYS(vfork),      SCMP_SYS(execve),          SCMP_SYS(waitid),
    SCMP_SYS(chmod),       SCMP_SYS(fchmod),     SCMP_SYS(fchmodat),        SCMP_SYS(link),
    SCMP_SYS(linkat),      SCMP_SYS(symlink),    SCMP_SYS(symlinkat),       SCMP_SYS(utimensat),
    SCMP_SYS(truncate),    SCMP_SYS(sendfile),   SCMP_SYS(copy_file_range), SCMP_SYS(socketpair),
    SCMP_SYS(close_range), SCMP_SYS(pidfd_open), SCMP_SYS(epoll_pwait2),    SCMP_SYS(setresuid),
    SCMP_SYS(setresgid)};

// Calls that are allowed only with some arguments.
void AllowInPart(SystemCallFilter& filter) {
  const auto self = static_cast<uint64_t>(getpid());
  // Memory that the limit counts: private memory and files.
  filter.AllowWhere(SCMP_SYS(mmap), {3, MAP_ANONYMOUS, 0});
  filter.AllowWhere(SCMP_SYS(mmap), {3, MAP_SHARED, 0});
  AllowEach(filter, SCMP_SYS(madvise), 2,
            {MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE,
             MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP});
  // Neither owner nor signal of a file may be set: signals could wake a process that is stopped.
  AllowEach(
      filter, SCMP_SYS(fcntl), 1,
      {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW});
  AllowEach(filter, SCMP_SYS(ioctl), 1, {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX});
  AllowEach(filter, SCMP_SYS(prctl), 0,
            {PR_SET_NAME, PR_GET_NAME, PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_GET_DUMPABLE});
  // The arguments of clone3 cannot be filtered; after the refusal libc uses clone.
  filter.Deny(SCMP_SYS(clone3));
  filter.AllowWhere(SCMP_SYS(kill), {.value = self});
  filter.AllowWhere(SCMP_SYS(tgkill), {.value = self});
  // Limits are read, not set.
  filter.AllowWhere(SCMP_SYS(prlimit64), {.argument = 2});
}

// Threads but no processes, and only the program whose name is at this address.
void AllowProgram(SystemCallFilter& filter, const char* name) {
  filter.AllowWhere(SCMP_SYS(clone), {0, CLONE_THREAD, CLONE_THREAD});
  filter.AllowWhere(SCMP_SYS(execve), {.value = reinterpret_cast<uint64_t>(name)});
}

// No namespaces of their own: there they could be more than they are.
void AllowPrograms(SystemCallFilter& filter) {
  for (const int call : kBuildingCalls) filter.Allow(call);
  constexpr uint64_t kNamespaces = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
                                   CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  filter.AllowWhere(SCMP_SYS(clone), {0, kNamespaces, 0});
}

// A program is started only with its name at this address, which no other process knows. To guess
// it takes 2^46 attempts.
char* SecretName(const std::string& name) {
  constexpr uint64_t kPages = uint64_t{1} << 34, kPageBytes = 4096;
  for (int attempt = 0; attempt < 100; ++attempt) {
    uint64_t chance[2] = {};
    if (getrandom(chance, sizeof chance, 0) != sizeof chance) break;
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    auto* wanted = reinterpret_cast<void*>((chance[0] % kPages + 16) * kPageBytes);
    void* place = mmap(wanted, 3 * kPageBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (place == MAP_FAILED) continue;
    return std::strcpy(static_cast<char*>(place) + chance[1] % kPageBytes, name.c_str());
  }
  throw MachineError("cannot confine a process: no memory for its name");
}

std::vector<char*> Pointers(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

bool LimitAll(const ConfinedProgram& program) {
  return LimitResource(RLIMIT_DATA, program.memory_bytes) &&
         LimitResource(RLIMIT_CPU, program.cpu_seconds, 1) &&
         LimitResource(RLIMIT_FSIZE, kMostFileBytes) &&
         LimitResource(RLIMIT_NOFILE, kMostOpenFiles) && LimitResource(RLIMIT_CORE, 0) &&
         LimitResource(RLIMIT_MEMLOCK, 0);
}

}  // namespace

void BecomeConfined(const ConfinedProgram& program) {
  const std::string& name = program.words.at(0);
  if (name.size() >= 4096) throw MachineError("found a name of a program that is too long");
  char* const secret = SecretName(name);
  SystemCallFilter filter(Otherwise::kFail);
  AllowHarmless(filter);
  AllowInPart(filter);
  program.starts_programs ? AllowPrograms(filter) : AllowProgram(filter, secret);
  const std::string rules = filter.Export();
  FileRights files = program.files;
  files.reads.insert(files.reads.end(), SystemFiles().begin(), SystemFiles().end());
  files.writes.emplace_back("/dev/null");
  if (!program.folder.empty() && chdir(program.folder.c_str()) != 0) {
    throw MachineError("found no folder '" + program.folder + "': " + std::strerror(errno));
  }
  RestrictFiles(files);
  const std::vector<char*> words = Pointers(program.words);
  // A write beyond the limit fails; it does not end the process.
  signal(SIGXFSZ, SIG_IGN);
  if (LimitAll(program) && InstallSystemCallFilter(rules)) execve(secret, words.data(), environ);
  throw MachineError("cannot start '" + name + "' confined: " + std::strerror(errno));
}

}  // namespace schedulegym
