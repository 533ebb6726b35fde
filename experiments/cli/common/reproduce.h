// Reproduce: the command that repeats one record with the same gates, limits and timing.
#pragma once

#include <string>

#include "env/measure/record.h"

namespace schedulegym {

// Quotes a text for a POSIX shell: in single quotes if it is more than a plain word.
std::string ShellWord(const std::string& text);

// Returns the shortest spec that gives an equal target or protocol on this machine. Returns an
// unreadable text unchanged.
std::string ShortTarget(const std::string& text);
std::string ShortProtocol(const std::string& text);

// The command of this program: its name if it is in the search path, else its path.
std::string ProgramWord();

// The parts of a command besides the record.
struct ReproduceWords {
  std::string program = "schedulegym";
  std::string store = "schedulegym.db";
};

// `replay` of the record with its target, seed and protocol, without defaults.
std::string ReproduceCommand(const Record& record, const ReproduceWords& words);

}  // namespace schedulegym
