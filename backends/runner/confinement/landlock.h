// Landlock: which files a process may still reach, by the Linux facility of that name.
#pragma once

#include <string>
#include <vector>

namespace schedulegym {

// Paths, each with all that lies below it; those that do not exist are passed over.
struct FileRights {
  std::vector<std::string> reads;   // and what may be run
  std::vector<std::string> lists;   // names in folders, but no contents
  std::vector<std::string> hidden;  // folders of `reads` that are not read after all
  std::vector<std::string> writes;
};

// 0 where the kernel has none, or it was not switched on.
int LandlockVersion();

// Throws MachineError, one line, where there is none.
void RequireLandlock();

// For this thread and all that it starts, for good. Needs the right to gain no privileges, which it
// takes. Throws MachineError where the system refuses.
void RestrictFiles(const FileRights& rights);

}  // namespace schedulegym
