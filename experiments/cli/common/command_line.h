// The command line: finds the command, reads its options, runs it, and turns faults into one line
// and an exit code.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "experiments/cli/common/command.h"

namespace schedulegym {

// Exit codes of the program; 130 and 143 stand for an interrupt.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;   // a check failed
inline constexpr int kExitInput = 2;    // bad input
inline constexpr int kExitMachine = 3;  // the machine lacks something
inline constexpr int kExitBug = 70;

// `words` without the program's name.
int RunCommandLine(const std::vector<std::string>& words,
                   const std::vector<std::unique_ptr<Command>>& commands, std::FILE* out,
                   std::FILE* err);

}  // namespace schedulegym
