// ExpertCases: the schedules written by hand under experiments/expert.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace schedulegym {

struct ExpertCase {
  std::string folder;    // of the vectors it is for, such as "avx2"
  std::string name;      // "matmul_512"
  std::string workload;  // spec of the computation it is for
  std::string small;     // spec of a small one that has tails wherever the schedule allows them
  std::string trace;

  friend std::ostream& operator<<(std::ostream& out, const ExpertCase& expert) {
    return out << expert.folder << "/" << expert.name;
  }
};

// Every trace in every folder. One that index.txt does not name is a bug.
std::vector<ExpertCase> ExpertCases();

}  // namespace schedulegym
