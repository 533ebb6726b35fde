// Program data: the measured programs that a command line names, by task.
#pragma once

#include <string>
#include <vector>

#include "env/measure/store/ansor_programs.h"
#include "env/measure/store/program_set.h"

namespace schedulegym {

// Reads a file of programs, a record store, a table or a log of Ansor's, whose computations `named`
// may name. Throws InputError; for records of other systems and exported records the error names
// the command that takes them.
ProgramSet ReadMeasuredPrograms(const std::string& path, const NamedComputations& named = {});

// Each word is a file that ReadMeasuredPrograms reads, or the name of a set: NAME is NAME.points.gz
// in a folder of ProgramFolders. Throws InputError that begins with `option`; for an unknown name
// it gives the command that makes the set.
ProgramSet ReadProgramData(const std::string& option, const std::vector<std::string>& words);

// The files of such words. Throws InputError, also for a store or a table, which must be packed
// first.
std::vector<std::string> ProgramFiles(const std::vector<std::string>& words);

// Folders that are searched for sets: $SCHEDULEGYM_DATA, experiments/data of the working folder and
// of the clone that contains the program, and the cache folder.
std::vector<std::string> ProgramFolders();

// Throws InputError unless `split` is "all" or the name of a split.
void CheckSplit(const std::string& option, const std::string& split);

// The programs of one task.
struct TaskPrograms {
  TaskInfo info;
  std::vector<MeasuredProgram> successes;
  std::vector<MeasuredProgram> failures;
};

struct ProgramChoice {
  std::string split = "all";  // foreign tasks (IsForeign) belong to each
  std::string space;          // name of a search space; "" for all
};

// Tasks with two successes or more, in the order of the set. Throws InputError if there is none.
std::vector<TaskPrograms> ChoosePrograms(const ProgramSet& set, const ProgramChoice& choice);

// One line with counts if `split` leaves out programs of tasks without a split; else "".
std::string NoteOnSplits(const ProgramSet& set, const std::string& split);

}  // namespace schedulegym
