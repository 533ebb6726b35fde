// A child process with a channel: posix_spawn with default signals and a process group of its own,
// stderr in a memory file whose last 16 KiB are kept, PDEATHSIG so that it ends with its parent.
// Ending: the channel is closed, after a grace of 1 s the group is killed and waited for.
#include "env/ipc/worker_process.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "env/base/fault.h"
#include "env/base/text.h"

extern char** environ;

namespace schedulegym {
namespace {

constexpr size_t kTailBytes = 16 << 10;
constexpr double kGraceSeconds = 1;
constexpr double kMomentSeconds = 0.2;
// Environment variables that a worker keeps: paths of libraries and drivers, options of sanitizers.
constexpr std::array<const char*, 11> kKeptVariables = {"LD_LIBRARY_PATH=",
                                                        "ASAN_OPTIONS=",
                                                        "LSAN_OPTIONS=",
                                                        "UBSAN_OPTIONS=",
                                                        "TSAN_OPTIONS=",
                                                        "OCL_ICD_",
                                                        "POCL_",
                                                        "SCHEDULEGYM_",
                                                        "CUDA_HOME=",
                                                        "CUDA_PATH=",
                                                        "CUDA_VISIBLE_DEVICES="};

std::vector<std::string> EnvironmentOf(std::vector<std::string> variables) {
  for (char** variable = environ; *variable != nullptr; ++variable) {
    for (const char* prefix : kKeptVariables) {
      if (std::strncmp(*variable, prefix, std::strlen(prefix)) == 0)
        variables.emplace_back(*variable);
    }
  }
  return variables;
}

std::vector<std::string> WholeEnvironment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    variables.emplace_back(*variable);
  }
  return variables;
}

// Sets all signals to their defaults in the child.
void SetDefaultSignals(posix_spawnattr_t& attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Without a number it is nothing.
void AddStandard(posix_spawn_file_actions_t& actions, int place, int number) {
  if (number >= 0) {
    posix_spawn_file_actions_adddup2(&actions, number, place);
  } else {
    posix_spawn_file_actions_addopen(&actions, place, "/dev/null", place == 0 ? O_RDONLY : O_WRONLY,
                                     0);
  }
}

// Waits a moment for the rest of the group. Children of the worker get the same signal, but another
// process, their new parent, reaps them.
void AwaitGroup(pid_t group) {
  constexpr int kMostLooks = 500;
  constexpr useconds_t kBetweenMicroseconds = 200;
  for (int look = 0; look < kMostLooks && kill(-group, 0) == 0; ++look) {
    usleep(kBetweenMicroseconds);
  }
}

// The shared library that this code is part of; "" where it is part of the program.
std::filesystem::path FileOfThisCode() {
  Dl_info found{};
  if (dladdr(reinterpret_cast<void*>(&FindWorkerProgram), &found) == 0) return {};
  const std::filesystem::path file = found.dli_fname;
  return file.extension() == ".so" ? file : std::filesystem::path();
}

}  // namespace

std::string SignalName(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

std::string ExitText(int wait_status) {
  if (WIFSIGNALED(wait_status)) return SignalName(WTERMSIG(wait_status));
  return "exit " + std::to_string(WEXITSTATUS(wait_status));
}

WorkerProcess::WorkerProcess(const std::string& program, const std::string& role,
                             const std::vector<std::string>& variables) {
  const std::string name = std::filesystem::path(program).filename().string();
  Start(program, {name, role, std::to_string(getpid())}, EnvironmentOf(variables));
}

WorkerProcess::WorkerProcess(const std::string& program, const std::vector<std::string>& words) {
  Start(program, words, WholeEnvironment());
}

WorkerProcess::WorkerProcess(const std::string& program, const std::vector<std::string>& words,
                             const std::vector<std::string>& environment) {
  Start(program, words, environment);
}

// Descriptors that the child finds open beside its stderr; -1 for none.
struct WorkerProcess::Ends {
  int in = -1, out = -1, socket = -1;
};

void WorkerProcess::Spawn(const std::string& program, const std::vector<std::string>& words,
                          const std::vector<std::string>& variables, const Ends& ends) {
  stderr_ = Descriptor(memfd_create("stderr", MFD_CLOEXEC));
  if (!stderr_.is_open()) throw MachineError("no memory file for a worker's messages");
  fcntl(stderr_.number(), F_SETFL, O_APPEND);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  AddStandard(actions, 0, ends.in);
  AddStandard(actions, 1, ends.out);
  posix_spawn_file_actions_adddup2(&actions, stderr_.number(), 2);
  if (ends.socket >= 0) posix_spawn_file_actions_adddup2(&actions, ends.socket, kSocket);
  posix_spawn_file_actions_addclosefrom_np(&actions, kSocket + (ends.socket >= 0 ? 1 : 0));
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  SetDefaultSignals(attributes);
  const int failed = posix_spawn(&pid_, program.c_str(), &actions, &attributes,
                                 Pointers(words).data(), Pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    throw MachineError("cannot start '" + program + "': " + std::strerror(failed));
  }
}

void WorkerProcess::Start(const std::string& program, const std::vector<std::string>& words,
                          const std::vector<std::string>& variables) {
  auto [ours, theirs] = MakeSocketPair(/*keeps_messages=*/false);
  Spawn(program, words, variables, {.socket = theirs.number()});
  socket_ = std::move(ours);
}

WorkerProcess::WorkerProcess(const ShellCommand& command) {
  auto [their_in, to] = MakePipe();
  auto [from, their_out] = MakePipe();
  Spawn("/bin/sh", {"sh", "-c", command.text}, WholeEnvironment(),
        {.in = their_in.number(), .out = their_out.number()});
  pipes_ = {std::move(to), std::move(from)};
}

WorkerProcess::~WorkerProcess() {
  socket_.Close();
  pipes_ = {};
  WaitForEnd(kGraceSeconds);
  Kill();
}

bool WorkerProcess::WaitForEnd(double seconds) {
  const Descriptor end(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  pollfd wait = {end.number(), POLLIN, 0};
  if (!status_ && end.is_open() && poll(&wait, 1, static_cast<int>(seconds * 1000)) == 1) Kill();
  return status_.has_value();
}

void WorkerProcess::Signal(int signal) const {
  if (!status_) kill(-pid_, signal);
}

int WorkerProcess::Kill() {
  if (status_) return *status_;
  Signal(SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  status_ = status;
  AwaitGroup(pid_);
  return status;
}

std::string WorkerProcess::ExitReason() {
  WaitForEnd(kMomentSeconds);
  const std::string end = ExitText(Kill());
  const std::string said = StderrTail();
  return said.empty() ? end : end + ", saying: " + said;
}

std::string FileTail(int descriptor) {
  struct stat facts {};
  if (fstat(descriptor, &facts) != 0 || facts.st_size == 0) return "";
  const off_t begin = std::max<off_t>(facts.st_size - static_cast<off_t>(kTailBytes), 0);
  std::string tail(static_cast<size_t>(facts.st_size - begin), '\0');
  const ssize_t got = pread(descriptor, tail.data(), tail.size(), begin);
  tail.resize(got > 0 ? static_cast<size_t>(got) : 0);
  size_t cut = 0;  // of a character before
  while (begin > 0 && cut < std::min<size_t>(tail.size(), 3) && (tail[cut] & 0xc0) == 0x80) ++cut;
  return tail.substr(cut);
}

std::string WorkerProcess::StderrTail() const { return FileTail(stderr_.number()); }

std::string FindProgramBeside(const std::string& name, const char* variable) {
  if (const auto given = FindVariable(variable)) return *given;
  std::error_code unknown;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::filesystem::path library = FileOfThisCode();
  for (const std::filesystem::path& file : {self, library}) {
    const std::string program = (file.parent_path() / name).string();
    if (access(program.c_str(), X_OK) == 0) return program;
  }
  throw MachineError("no " + name + " beside " + (library.empty() ? self : library).string() +
                     ": expected it there or in " + variable);
}

std::string FindWorkerProgram() {
  return FindProgramBeside("schedulegym-worker", "SCHEDULEGYM_WORKER");
}

bool FollowParent(int argc, char** argv, int& exit_code) {
  if (argc != 3) {
    std::fprintf(stderr, "error: %s is started by schedulegym, not by hand\n",
                 program_invocation_short_name);
    exit_code = 2;
    return false;
  }
  signal(SIGINT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  // A write beyond the file size limit fails with an error in place of a signal.
  signal(SIGXFSZ, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  exit_code = 1;
  return getppid() == std::atoi(argv[2]);
}

MemoryUse MemoryUseOfProcess() {
  int64_t mapped = 0, resident = 0, shared = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen("/proc/self/statm", "r"),
                                                             std::fclose);
  if (!file || std::fscanf(file.get(), "%" SCNd64 " %" SCNd64 " %" SCNd64, &mapped, &resident,
                           &shared) != 3) {
    return {};
  }
  const int64_t page = sysconf(_SC_PAGESIZE);
  return {mapped * page, resident * page, shared * page};
}

}  // namespace schedulegym
