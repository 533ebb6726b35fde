// The command line: finds the command, reads its options, runs it, and turns errors into one line
// and an exit code.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "experiments/cli/common/session.h"

namespace CLI {  // NOLINT(readability-identifier-naming)
class App;
}

namespace schedulegym {

// A command of the program: its options and its action.
class Command {
 public:
  virtual ~Command() = default;

  virtual std::string name() const = 0;
  virtual std::string help() const = 0;
  // Declares its own options; the common ones exist already. Called once, before Run.
  virtual void Declare(CLI::App& app) = 0;
  // Returns the exit code: 0, 1 for a failed check, or an interrupt's. Throws errors.
  virtual int Run(Session& session) = 0;
};

// Exit codes of the program; 130 and 143 are interrupts.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;   // a check failed
inline constexpr int kExitInput = 2;    // bad input
inline constexpr int kExitMachine = 3;  // the machine lacks something
inline constexpr int kExitBug = 70;

// `words` excludes the program's name.
int RunCommandLine(const std::vector<std::string>& words,
                   const std::vector<std::unique_ptr<Command>>& commands, std::FILE* out,
                   std::FILE* err);

}  // namespace schedulegym
