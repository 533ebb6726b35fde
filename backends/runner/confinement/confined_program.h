// ConfinedProgram: an untrusted program and its rights, as arguments of `schedulegym-confined`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/runner/confinement/landlock.h"

namespace schedulegym {

struct ConfinedProgram {
  std::vector<std::string> words;  // the first is the program's path
  FileRights files;                // beside the system files that every program needs
  int64_t memory_bytes = 0;        // limit of its private memory
  int64_t cpu_seconds = 0;         // of all threads
  std::string folder = {};         // working folder; "" for its parent's
  bool starts_programs = false;    // as a compiler does; they have the same rights
};

// The command line of `schedulegym-confined`, a child of the process `parent`.
std::vector<std::string> WordsOf(const ConfinedProgram& program, int parent);

struct ChildProgram {
  ConfinedProgram program;
  int parent = 0;
};

// Parses such a command line. Throws InputError for any other.
ChildProgram ProgramOf(const std::vector<std::string>& words);

// Limits a resource of setrlimit; a tighter limit stays. `grace`: distance from the limit at which
// the system complains to the one at which it kills. Returns false, with errno set, if the system
// refuses.
bool LimitResource(int resource, int64_t value, int64_t grace = 0);

}  // namespace schedulegym
