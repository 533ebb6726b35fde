// WorkerProcess: a program of this project, such as `schedulegym-worker`, that this process
// started, and its end.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/ipc/descriptor.h"

namespace schedulegym {

// Of processes that have ended; "exit 3", "SIGKILL".
std::string ExitText(int wait_status);

// "SIGSEGV", or "signal 77".
std::string SignalName(int signal);

struct ShellCommand {
  std::string text;
};

// Our ends of the pipes to a program's stdin and from its stdout.
struct StandardPipes {
  Descriptor to, from;
};

class WorkerProcess {
 public:
  // The descriptor under which a worker finds the socket to its parent.
  static constexpr int kSocket = 3;

  // Starts `program role` in a process group of its own, with nothing of this process but the
  // socket, as its stderr a memory file, and little of the environment, to which `variables`
  // ("NAME=value") are added. Never forks this process's memory. Throws MachineError.
  WorkerProcess(const std::string& program, const std::string& role,
                const std::vector<std::string>& variables = {});
  // The same of another program with its words, the first of which is its name; it gets all of the
  // environment.
  WorkerProcess(const std::string& program, const std::vector<std::string>& words);
  // The same with these variables of the environment alone.
  WorkerProcess(const std::string& program, const std::vector<std::string>& words,
                const std::vector<std::string>& environment);
  // A command of the shell, which speaks by its stdin and stdout, where the others find nothing.
  explicit WorkerProcess(const ShellCommand& command);
  // Waits a moment for it to end by itself, as one does whose socket is closed; then kills it.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  pid_t pid() const { return pid_; }
  // Our end of the socket; to be taken once.
  Descriptor TakeSocket() { return std::move(socket_); }
  // Those of a command; to be taken once.
  StandardPipes TakePipes() { return std::move(pipes_); }

  // To the whole group.
  void Signal(int signal) const;
  // SIGKILL to the group, and waits for the end, which is then known; a moment for what it forked.
  int Kill();
  // Whether it has ended by itself within so many seconds.
  bool WaitForEnd(double seconds);

  // How it ended and what it said last, of one whose socket has closed: "exit 3, saying: ...". One
  // that does not end by itself in a moment is killed.
  std::string ExitReason();

  // The last of what it wrote to stderr.
  std::string StderrTail() const;

 private:
  void Start(const std::string& program, const std::vector<std::string>& words,
             const std::vector<std::string>& variables);
  // `ends` are the child's.
  struct Ends;
  void Spawn(const std::string& program, const std::vector<std::string>& words,
             const std::vector<std::string>& variables, const Ends& ends);

  pid_t pid_ = -1;
  std::optional<int> status_;
  Descriptor socket_;
  StandardPipes pipes_;
  Descriptor stderr_;
};

// One of the project's programs where the environment's `variable` says, or beside the program that
// is running, or beside the shared library that this is part of. Throws MachineError.
std::string FindProgramBeside(const std::string& name, const char* variable);
// `schedulegym-worker`, or SCHEDULEGYM_WORKER.
std::string FindWorkerProgram();

// The last bytes of a file that others append to.
std::string FileTail(int descriptor);

// Of a program started as `program role parent`, the latter a process: ends with its parent,
// however that ends, and not with Ctrl-C, for the parent decides. False where it is not to go on:
// its parent is gone, or it was started by hand. `exit_code` is then set, and a person told why.
bool FollowParent(int argc, char** argv, int& exit_code);

// How much memory this process has, as the system counts it.
struct MemoryUse {
  int64_t mapped_bytes = 0;    // addresses, touched or not: what a limit of addresses counts
  int64_t resident_bytes = 0;  // in memory now
  int64_t shared_bytes = 0;    // of these, from files and memory shared with others
};

// All zero where the system does not say.
MemoryUse MemoryUseOfProcess();

}  // namespace schedulegym
