// ProcessTree: facts of the system about a process and its descendants.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace schedulegym {

std::vector<pid_t> ChildrenOf(pid_t process);
// Includes children of children, but not the process itself.
std::vector<pid_t> DescendantsOf(pid_t process);
// The command line, each word followed by a blank.
std::string CommandOf(pid_t process);
bool IsRunning(pid_t process);  // and is not a zombie

// Sums over the process and its descendants.
struct TreeFacts {
  int processes = 0;
  int zombies = 0;
  int descriptors = 0;
  double resident_bytes = 0;
};
TreeFacts FactsOfTree(pid_t process);

}  // namespace schedulegym
