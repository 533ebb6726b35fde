// Reproduce: the command that takes one record through the same gates, limits and timing again.
#pragma once

#include <string>

#include "env/measure/record.h"

namespace schedulegym {

// As a POSIX shell reads it back: in single quotes where it holds more than a plain word.
std::string ShellWord(const std::string& text);

// The shortest spec that gives an equal target or protocol on this machine. What cannot be read
// stays as it is.
std::string ShortTarget(const std::string& text);
std::string ShortProtocol(const std::string& text);

// How a user calls this program: by its name where that is in the search path, else by its place.
std::string ProgramWord();

// What a command needs beside a record.
struct ReproduceWords {
  std::string program = "schedulegym";
  std::string store = "schedulegym.db";
};

// `replay` of the record with its target, seed and protocol; what is the default is left out.
std::string ReproduceCommand(const Record& record, const ReproduceWords& words);

}  // namespace schedulegym
