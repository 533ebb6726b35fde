#include "backends/shared_object.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <vector>

#include "env/base/fault.h"

extern char** environ;

namespace schedulegym {
namespace {

constexpr std::array<const char*, 3> kDrivers = {"cc", "gcc", "clang"};
constexpr int kNotFound = 127;

// The exit status of a program found on the path, its output thrown away; none when it is not
// there.
std::optional<int> RunQuietly(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return std::nullopt;
  }
  if (!WIFEXITED(status)) return -1;
  return WEXITSTATUS(status) == kNotFound ? std::nullopt : std::optional(WEXITSTATUS(status));
}

}  // namespace

void LinkSharedObject(const std::string& object_path, const std::string& shared_path) {
  for (const char* driver : kDrivers) {
    const auto status =
        RunQuietly({driver, "-shared", "-o", shared_path, object_path, "-Wl,--as-needed",
                    "-Wl,-z,noexecstack", "-lpthread", "-lmvec", "-lm"});
    if (!status) continue;
    if (*status == 0) return;
    throw MachineError(std::string("'") + driver + "' failed to link " + shared_path +
                       ": expected a compiler driver that finds libpthread, libmvec and libm");
  }
  throw MachineError("no linker for " + shared_path +
                     ": found none of cc, gcc, clang, expected one (Debian package gcc)");
}

}  // namespace schedulegym
