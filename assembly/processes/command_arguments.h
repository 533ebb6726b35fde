// CommandWords: commands that are started without a shell, and where their programs are.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace schedulegym {

// The words of the command, split at blanks, with quotes and backslashes as the shell has them; the
// first becomes the path of a program, in the folder where it has a slash, else in PATH; `python3`
// is FindPython's. Throws InputError where quotes do not close, where something unquoted would be
// the shell's (a pipe, a variable, ...), and where there is no such program.
std::vector<std::string> ArgumentsOfCommand(const std::string& command, const std::string& folder);

// The same for the shell, which becomes the program where the command is nothing but a program and
// its words: else it would wait for it and keep its pipes open, and nobody would see that the
// program closes them.
std::string ReplacingShell(const std::string& command);

// One word of the shell, whatever it holds.
std::string QuotedForShell(const std::string& word);

// The program of that name in the first folder of PATH that has one; a folder is none.
std::optional<std::string> FindInPath(const std::string& program);

// SCHEDULEGYM_PYTHON, or the first one in PATH; MachineError without either. Absolute where it
// names a folder: agents run in folders of their own.
std::string FindPython();

}  // namespace schedulegym
