// CommandWords: a command that is started without a shell, and words that a shell leaves alone.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// The words of the command, split at blanks, with quotes and backslashes as the shell has them; the
// first becomes the path of a program, in the folder where it has a slash, else in PATH; `python3`
// is FindPython's. Throws InputError where quotes do not close, where something unquoted would be
// the shell's (a pipe, a variable, ...), and where there is no such program.
std::vector<std::string> WordsOfCommand(const std::string& command, const std::string& folder);

// One word of the shell, whatever it holds.
std::string QuotedForShell(const std::string& word);

}  // namespace schedulegym
