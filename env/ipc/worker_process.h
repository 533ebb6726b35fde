// WorkerProcess: starts a program of this project, such as `schedulegym-worker`, as a child process
// and ends it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "env/ipc/descriptor.h"

namespace schedulegym {

// Text for the wait status of a process that has ended, such as "exit 3" or "SIGKILL".
std::string ExitText(int wait_status);

// Such as "SIGSEGV"; "signal 77" for a signal without a name.
std::string SignalName(int signal);

struct ShellCommand {
  std::string text;
};

// This process's ends of the pipes to a program's stdin and from its stdout.
struct StandardPipes {
  Descriptor to, from;
};

class WorkerProcess {
 public:
  // The descriptor number of the socket to the parent, in the worker.
  static constexpr int kSocket = 3;

  // Starts `program role` in a process group of its own. Its only inherited descriptor is the
  // socket; its stderr is a memory file. It gets a small part of the environment and `variables`
  // ("NAME=value"). Never forks this process's memory. Throws MachineError.
  WorkerProcess(const std::string& program, const std::string& role,
                const std::vector<std::string>& variables = {});
  // The same for another program with its arguments `words`, the first of which is its name. It
  // gets the whole environment.
  WorkerProcess(const std::string& program, const std::vector<std::string>& words);
  // The same with `environment` as the whole environment.
  WorkerProcess(const std::string& program, const std::vector<std::string>& words,
                const std::vector<std::string>& environment);
  // Runs a shell command with pipes as its stdin and stdout; for the others these are /dev/null.
  explicit WorkerProcess(const ShellCommand& command);
  // Closes the socket and pipes, upon which a worker exits; after a moment kills the process.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  pid_t pid() const { return pid_; }
  // This process's end of the socket; may be called once.
  Descriptor TakeSocket() { return std::move(socket_); }
  // The pipes of a shell command; may be called once.
  StandardPipes TakePipes() { return std::move(pipes_); }

  // Sends `signal` to the whole process group.
  void Signal(int signal) const;
  // SIGKILL to the group; waits for the process, briefly for its children. Returns wait status.
  int Kill();
  // Waits at most `seconds` for the process to exit; returns whether it has.
  bool WaitForEnd(double seconds);

  // How a process whose socket has closed ended, and its last messages: "exit 3, saying: ...".
  // Kills the process if it does not exit by itself in a moment.
  std::string ExitReason();

  // The last bytes that the process wrote to stderr.
  std::string StderrTail() const;

 private:
  void Start(const std::string& program, const std::vector<std::string>& words,
             const std::vector<std::string>& variables);
  // `ends` are the child's ends.
  struct Ends;
  void Spawn(const std::string& program, const std::vector<std::string>& words,
             const std::vector<std::string>& variables, const Ends& ends);

  pid_t pid_ = -1;
  std::optional<int> status_;
  Descriptor socket_;
  StandardPipes pipes_;
  Descriptor stderr_;
};

// Returns the path of one of the project's programs: the value of environment variable `variable`,
// else beside the running program, else beside this shared library. Throws MachineError.
std::string FindProgramBeside(const std::string& name, const char* variable);
// The path of `schedulegym-worker`, or the value of SCHEDULEGYM_WORKER.
std::string FindWorkerProgram();

// Returns the last bytes of a file that other processes append to.
std::string FileTail(int descriptor);

// For a program started as `program role parent`, where `parent` is a process id. The program then
// ends when its parent ends, in any way. It ignores Ctrl-C, because the parent decides. Returns
// false and sets `exit_code` if the parent is gone, or if a user started it; prints that reason.
bool FollowParent(int argc, char** argv, int& exit_code);

// Memory of this process, as the system counts it.
struct MemoryUse {
  int64_t mapped_bytes = 0;    // address space, touched or not; an address limit counts it
  int64_t resident_bytes = 0;  // in memory now
  int64_t shared_bytes = 0;    // of the resident bytes: files and memory shared with others
};

// All zero if the system does not report it.
MemoryUse MemoryUseOfProcess();

}  // namespace schedulegym
