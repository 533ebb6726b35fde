// The program `schedulegym`.
#include <string>
#include <vector>

#include "experiments/cli/builtin_commands.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/interrupt.h"

int main(int argc, char** argv) {
  schedulegym::InstallSignalHandlers();
  return schedulegym::RunCommandLine(std::vector<std::string>(argv + (argc > 0), argv + argc),
                                     schedulegym::AllCommands(), stdout, stderr);
}
