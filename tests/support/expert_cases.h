// ExpertCases: the hand-written schedules under experiments/expert.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace schedulegym {

struct ExpertCase {
  std::string folder;    // of its vector extension, such as "avx2"
  std::string name;      // "matmul_512"
  std::string workload;  // spec of its computation
  std::string small;     // spec of a small computation with all tails that the schedule allows
  std::string trace;

  friend std::ostream& operator<<(std::ostream& out, const ExpertCase& expert) {
    return out << expert.folder << "/" << expert.name;
  }
};

// Every trace in every folder. A trace that is missing in index.txt is a bug.
std::vector<ExpertCase> ExpertCases();

}  // namespace schedulegym
