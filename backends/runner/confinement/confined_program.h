// ConfinedProgram: a program of strangers and what it may do, as `schedulegym-confined` is told.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/runner/confinement/landlock.h"

namespace schedulegym {

struct ConfinedProgram {
  std::vector<std::string> words;  // the first is the program's path
  FileRights files;                // beside what every program needs of the system
  int64_t memory_bytes = 0;        // private memory that it may ask for
  int64_t cpu_seconds = 0;         // of all threads
  std::string folder = {};         // where it begins; "" where its parent is
  bool starts_programs = false;    // as a compiler does, each of which may do as little
};

// The command line of `schedulegym-confined`, a child of the process `parent`.
std::vector<std::string> WordsOf(const ConfinedProgram& program, int parent);

struct ChildProgram {
  ConfinedProgram program;
  int parent = 0;
};

// What such a command line says. Throws InputError for another.
ChildProgram ProgramOf(const std::vector<std::string>& words);

// Of a resource as setrlimit names it; what is tighter already stays. `grace`: how far the limit at
// which the system kills lies beyond the one at which it complains. False, with errno set, where
// the system refuses.
bool LimitResource(int resource, int64_t value, int64_t grace = 0);

}  // namespace schedulegym
