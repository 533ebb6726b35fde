// SpaceTasks: tasks and targets for the tests of schedules made by heuristics and by chance.
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

// A CPU that no machine needs to be: vectors of 256 bits, 16 registers, 32 KiB and 1 MiB of cache.
Target Avx2Target(int cores = 2);
// Vectors of 512 bits, 32 registers, 48 KiB and 2 MiB.
Target Avx512Target(int cores = 2);

// Of a workload's spec.
std::shared_ptr<const Task> WorkloadTask(const std::string& workload, const Target& target);
// Of `.dag` text that is right.
std::shared_ptr<const Task> DagTask(std::string_view dag, const Target& target);

// Of `.dag` text on Avx2Target with a trace applied to it, both right.
ScheduleState ScheduledDag(const std::string& dag, const std::string& trace = "trace 1\n");

// A stage of a workload, before anything is scheduled.
struct WorkloadNest {
  ScheduleState state;
  NestFacts facts;

  WorkloadNest(const std::string& workload, const Target& target, const std::string& stage);
};

// A stage of a `.dag` text on Avx2Target, to be scheduled.
struct ScheduleBuilderNest {
  ScheduleBuilder builder;
  NestFacts facts;

  ScheduleBuilderNest(const std::string& dag, const std::string& stage);
};

// Partial sums of all stages for the lanes that are advised.
void KeepPartialSums(ScheduleBuilder& builder, DecisionProvider& decisions);

// A plan without anything but a register tile.
TilePlan PlanOf(const NestFacts& facts, RegisterTile tile, std::vector<int> outer);

// Loops of the state that carry the annotation, by stage name and position: "C.0 D.2".
std::string Annotated(const ScheduleState& state, Annotation annotation);

}  // namespace schedulegym
