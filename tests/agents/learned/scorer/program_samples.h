// Program samples: small sets of measured programs for tests.
#pragma once

#include <string>
#include <vector>

#include "env/measure/record.h"
#include "env/measure/store/program_set.h"
#include "tests/support/schedules.h"

namespace schedulegym {

// A processor with `cores` cores; equal on any machine.
inline std::string SampleTargetText(int cores) {
  Target target;
  target.cores = cores;
  target.cpu = "generic";
  target.memory_bytes = int64_t{16} << 30;
  return target.ToText();
}

// Products of matrices of growing size, each with one program for each of `seconds`; the programs
// differ in the inner length of a split.
inline ProgramSet SamplePrograms(int tasks, const std::vector<double>& seconds) {
  ProgramSet set;
  for (int task = 0; task < tasks; ++task) {
    const std::string n = std::to_string(64 << task);
    const std::string dag = "input A[" + n + ", 64]\ninput B[64, 64]\nC[i:" + n +
                            ", j:64] = sum(k:64) A[i, k] * B[k, j]\n";
    set.tasks.push_back({*DescribeTask(*TaskOf(dag)), ""});
    set.tasks.back().info.target = SampleTargetText(2);
    for (size_t i = 0; i < seconds.size(); ++i) {
      MeasuredProgram program;
      program.task = task;
      program.space = "schedulegym";
      program.trace =
          "trace 1\nsplit(stage=C, loop=0, lengths=[" + std::to_string(1 << (i % 6)) + "])\n";
      program.seconds = seconds[i];
      set.programs.push_back(program);
    }
  }
  return set;
}

}  // namespace schedulegym
