// Schedules made for one shape that are valid for others must be correct there, too.
#include <gtest/gtest.h>

#include "env/lower/lower.h"
#include "env/program/workloads/shrunk.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "spaces/schedulegym/reference.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/support/machine_parts.h"

namespace schedulegym {
namespace {

TEST(ShapesTest, ReferenceSchedulesAreRightAtAwkwardShapes) {
  const Target target = MakeTarget(ParseSpec("llvm(cores=2)").value());
  if (const std::string lack = LackOf(target); !lack.empty()) GTEST_SKIP() << lack;
  const std::unique_ptr<Backend> backend = MakeBackend(target);
  int tasks = 0, generic = 0;
  for (const char* suite : {"ansor_ops", "ansor_subgraphs"}) {
    const Suite known = FindSuite(suite).value();
    for (const SuiteCase& entry : known.cases) {
      const auto task = std::make_shared<const Task>(
          Task{MakeWorkload(entry.workload), target, entry.workload.ToText()});
      const std::string trace = ReferenceSchedule(task).TraceText();
      bool is_generic = false;
      for (const auto& shrunk : ShrunkTasks(*task, 4)) {
        const Result<ScheduleState> state = ReplayText(shrunk, trace);
        if (!state || !Lower(*state)) continue;
        is_generic = true;
        const DifferentialTrial trial = Differential(shrunk, 1).Run(*state, *backend);
        EXPECT_EQ(trial.message, "") << shrunk->name << " after\n" << trace;
      }
      ++tasks;
      generic += is_generic;
    }
  }
  std::cout << generic << " of " << tasks << " are right at other shapes\n";
  // Packs need room, and the reduction of a norm needs divisors.
  EXPECT_GE(generic, tasks / 2);
}

}  // namespace
}  // namespace schedulegym
