// The program `schedulegym`.
#include <string>
#include <vector>

#include "experiments/cli/common/builtin_commands.h"
#include "experiments/cli/common/command_line.h"
#include "experiments/cli/common/interrupt.h"

int main(int argc, char** argv) {
  schedulegym::InstallSignalHandlers();
  return schedulegym::RunCommandLine(std::vector<std::string>(argv + (argc > 0), argv + argc),
                                     schedulegym::AllCommands(), stdout, stderr);
}
