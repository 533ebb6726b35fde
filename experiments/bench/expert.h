// Expert schedules: traces written by hand, one for each vector width and workload.
#pragma once

#include <string>
#include <vector>

#include "env/program/targets/target.h"

namespace schedulegym {

struct ExpertSchedule {
  std::string name;      // of its file, such as "matmul_1024"
  std::string workload;  // spec
  std::string trace;     // text; empty when there is none for this vector width
};

// The folder in the source tree of this build.
std::string ExpertFolder();

// Reads the folder's index.txt, in order: lines `NAME WORKLOAD`, '#' comments. The trace of each is
// avx512/NAME.trace for targets with vectors of 512 bits, avx2/NAME.trace for all others. Throws
// InputError for a folder without an index, and for a malformed line.
std::vector<ExpertSchedule> ReadExperts(const std::string& folder, const Target& target);

}  // namespace schedulegym
