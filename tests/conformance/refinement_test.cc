// Contracts of the schedules around one of any space: they are rejected, or correct.
#include "agents/droplet/refiner.h"

#include <gtest/gtest.h>

#include "backends/backend.h"
#include "env/lower/lower.h"
#include "env/lower/validate.h"
#include "env/program/workloads/suite.h"
#include "env/program/workloads/workload.h"
#include "spaces/builtin_spaces.h"
#include "tests/fuzz/computations/differential.h"
#include "tests/support/schedules.h"

namespace schedulegym {
namespace {

std::vector<std::shared_ptr<const Task>> SmokeTasks(BackendKind backend) {
  std::vector<std::shared_ptr<const Task>> tasks;
  const Suite smoke = FindSuite("smoke").value();
  for (const SuiteCase& entry : smoke.cases) {
    tasks.push_back(TaskOf(MakeWorkload(entry.workload), backend));
  }
  return tasks;
}

// A point with one knob moved, or all of them.
KnobPoint PointNear(const Refinement& refinement, Rng& rng) {
  KnobPoint point = refinement.seed;
  const bool one = rng.Chance(0.5);
  for (int i = 0; i < refinement.space.dimensions(); ++i) {
    if (one && !rng.Chance(1.0 / refinement.space.dimensions())) continue;
    point[i] = static_cast<int>(rng.Below(refinement.space.size_of(i)));
  }
  return point;
}

// Calls `visit` with legal points around schedules of every space.
template <typename Visit>
void VisitPoints(BackendKind backend, int points, const Visit& visit) {
  Rng rng(12);
  for (const auto& entry : BuiltinSpaces()) {
    const auto space = MakeSpace(Spec{entry.name, {}});
    for (const auto& task : SmokeTasks(backend)) {
      const Result<ScheduleState> sample = space->Sample(task, rng);
      if (!sample) continue;
      for (auto kind : {RefinementValues::kPublished, RefinementValues::kOrdered}) {
        const Refinement refinement = RefinementOf(*sample, kind);
        EXPECT_EQ(refinement.space.At(refinement.seed)->TraceText(), sample->TraceText());
        for (int i = 0; i < points; ++i) {
          const Result<ScheduleState> state = refinement.space.At(PointNear(refinement, rng));
          if (state) visit(task, *state);
        }
      }
    }
  }
}

TEST(RefinementConformanceTest, PointsAreIllegalOrLowerToProvenPrograms) {
  int proven = 0;
  VisitPoints(BackendKind::kLlvm, 20,
              [&](const std::shared_ptr<const Task>&, const ScheduleState& state) {
                const Result<LoopProgram> program = Lower(state);
                if (!program) return;
                ++proven;
                const auto valid = Validate(*program);
                EXPECT_TRUE(valid.ok()) << valid.error().message << "\n" << state.TraceText();
              });
  EXPECT_GT(proven, 100);
}

TEST(RefinementConformanceTest, PointsComputeTheSame) {
  int right = 0;
  std::unique_ptr<Differential> differential;
  VisitPoints(BackendKind::kInterpreter, 2,
              [&](const std::shared_ptr<const Task>& task, const ScheduleState& state) {
                if (!differential || differential->task() != task) {
                  differential = std::make_unique<Differential>(task, 1);
                }
                const DifferentialTrial trial =
                    differential->Run(state, *MakeBackend(task->target));
                EXPECT_NE(trial.verdict, TrialVerdict::kWrong) << trial.message;
                EXPECT_NE(trial.verdict, TrialVerdict::kUnproved) << trial.message;
                right += trial.verdict == TrialVerdict::kRight ? 1 : 0;
              });
  EXPECT_GT(right, 10);
}

}  // namespace
}  // namespace schedulegym
