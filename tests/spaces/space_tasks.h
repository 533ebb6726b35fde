// SpaceTasks: tasks and targets for tests of heuristic and random schedules.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "env/program/task.h"
#include "env/schedule/state.h"
#include "spaces/nest_facts.h"
#include "spaces/schedule_builder.h"
#include "spaces/schedulegym/decision_provider.h"
#include "spaces/schedulegym/tiles/tile_plan.h"

namespace schedulegym {

// A made-up CPU: 256-bit vectors, 16 registers, 32 KiB and 1 MiB of cache.
Target Avx2Target(int cores = 2);
// 512-bit vectors, 32 registers, 48 KiB and 2 MiB.
Target Avx512Target(int cores = 2);

// From a workload's spec.
std::shared_ptr<const Task> WorkloadTask(const std::string& workload, const Target& target);
// From valid `.dag` text.
std::shared_ptr<const Task> DagTask(std::string_view dag, const Target& target);

// Valid `.dag` text on Avx2Target after a valid trace.
ScheduleState ScheduledDag(const std::string& dag, const std::string& trace = "trace 1\n");

// An unscheduled stage of a workload.
struct WorkloadNest {
  ScheduleState state;
  NestFacts facts;

  WorkloadNest(const std::string& workload, const Target& target, const std::string& stage);
};

// A stage of `.dag` text on Avx2Target, in a ScheduleBuilder.
struct ScheduleBuilderNest {
  ScheduleBuilder builder;
  NestFacts facts;

  ScheduleBuilderNest(const std::string& dag, const std::string& stage);
};

// Applies the proposed partial sums to all stages.
void KeepPartialSums(ScheduleBuilder& builder, DecisionProvider& decisions);

// A plan with a register tile only.
TilePlan PlanOf(const NestFacts& facts, RegisterTile tile, std::vector<int> outer);

// Loops with the annotation, by stage name and position: "C.0 D.2".
std::string Annotated(const ScheduleState& state, Annotation annotation);

}  // namespace schedulegym
