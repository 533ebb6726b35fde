// Process tree: what the system says about a process and all that it has started.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace schedulegym {

std::vector<pid_t> ChildrenOf(pid_t process);
// Those of children too; the process itself is not among them.
std::vector<pid_t> DescendantsOf(pid_t process);
// The words that started it, each followed by a blank.
std::string CommandOf(pid_t process);
bool IsRunning(pid_t process);  // and no zombie

// Summed over the process and its descendants.
struct TreeFacts {
  int processes = 0;
  int zombies = 0;
  int descriptors = 0;
  double resident_bytes = 0;
};
TreeFacts FactsOfTree(pid_t process);

}  // namespace schedulegym
