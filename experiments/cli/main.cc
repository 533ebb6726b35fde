// The program `schedulegym`.
#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/interrupt.h"

namespace {

// Without this, the next file that is opened would get the number of a closed standard stream
// (`>&-`), and results would be written into it. The placeholder refuses writes.
void OccupyClosedStreams() {
  for (int number = 0; number <= 2; ++number) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    [[maybe_unused]] const int taken = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY);
  }
}

// Some file systems report lost writes only when the file is closed.
int CloseOutput(int code) {
  if (std::fclose(stdout) == 0 || code != schedulegym::kExitOk) return code;
  std::fprintf(stderr, "error: cannot write standard output: %s\n", std::strerror(errno));
  return schedulegym::kExitFailed;
}

}  // namespace

int main(int argc, char** argv) {
  OccupyClosedStreams();
  schedulegym::InstallSignalHandlers();
  return CloseOutput(
      schedulegym::RunCommandLine(std::vector<std::string>(argv + (argc > 0), argv + argc),
                                  schedulegym::AllCommands(), stdout, stderr));
}
