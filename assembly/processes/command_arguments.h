// CommandWords: splits commands that run without a shell, and finds their programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace schedulegym {

// Splits the command at blanks, with quotes and backslashes as in the shell. The first word becomes
// the path of a program: in `folder` if it has a slash, else in PATH; `python3` is FindPython's.
// Throws InputError if a quote is not closed, if an unquoted part needs a shell (a pipe, a
// variable, ...), or if the program does not exist.
std::vector<std::string> ArgumentsOfCommand(const std::string& command, const std::string& folder);

// Makes the shell exec a command that is only a program and its words. Otherwise the shell would
// wait for it and keep its pipes open, which hides that the program closes them.
std::string ReplacingShell(const std::string& command);

// Quotes any text as one word of the shell.
std::string QuotedForShell(const std::string& word);

// The file of that name in the first folder of PATH that has it, folders excluded; nullopt if none.
std::optional<std::string> FindInPath(const std::string& program);

// SCHEDULEGYM_PYTHON, else the first `python3` in PATH. A path with a folder is made absolute,
// since agents run in folders of their own. Throws MachineError if there is neither.
std::string FindPython();

}  // namespace schedulegym
