#include "tests/spaces/space_tasks.h"

#include "env/program/language/parser.h"
#include "env/program/workloads/workload.h"
#include "spaces/schedulegym/partial_sums.h"

namespace schedulegym {

Target Avx2Target(int cores) {
  Target target;
  target.cpu = "generic";
  target.cores = cores;
  target.vector_bits = 256;
  target.vector_registers = 16;
  target.l1_bytes = 32 << 10;
  target.l2_bytes = 1 << 20;
  return target;
}

Target Avx512Target(int cores) {
  Target target = Avx2Target(cores);
  target.vector_bits = 512;
  target.vector_registers = 32;
  target.l1_bytes = 48 << 10;
  target.l2_bytes = 2 << 20;
  return target;
}

std::shared_ptr<const Task> WorkloadTask(const std::string& workload, const Target& target) {
  return std::make_shared<const Task>(
      Task{MakeWorkload(ParseSpec(workload).value()), target, workload});
}

std::shared_ptr<const Task> DagTask(std::string_view dag, const Target& target) {
  return std::make_shared<const Task>(Task{ParseDag(dag, "test.dag").value(), target, "test"});
}

ScheduleState ScheduledDag(const std::string& dag, const std::string& trace) {
  return ReplayText(DagTask(dag, Avx2Target()), trace).value();
}

WorkloadNest::WorkloadNest(const std::string& workload, const Target& target,
                           const std::string& stage)
    : state(ScheduleState::Initial(WorkloadTask(workload, target))),
      facts(AnalyzeNest(state, state.Find(stage))) {}

ScheduleBuilderNest::ScheduleBuilderNest(const std::string& dag, const std::string& stage)
    : builder(ScheduleState::Initial(DagTask(dag, Avx2Target()))),
      facts(AnalyzeNest(builder.state(), builder.state().Find(stage))) {}

void KeepPartialSums(ScheduleBuilder& builder, DecisionProvider& decisions) {
  const std::vector<int> order = builder.state().order();
  for (int id : order) {
    const std::optional<LaneLoop> loop = FindLanes(builder.state(), id);
    if (loop) KeepPartials(builder, *loop, decisions.Lanes(builder.state(), id, loop->extent));
  }
}

TilePlan PlanOf(const NestFacts& facts, RegisterTile tile, std::vector<int> outer) {
  TilePlan plan;
  plan.tile = std::move(tile);
  plan.levels.resize(facts.dimensions.size());
  plan.outer = std::move(outer);
  plan.reductions = facts.Reductions();
  return plan;
}

std::string Annotated(const ScheduleState& state, Annotation annotation) {
  std::string found;
  for (const StagePtr& stage : state.stages()) {
    for (size_t i = 0; i < stage->loops.size(); ++i) {
      if (stage->loops[i].annotation != annotation) continue;
      found += (found.empty() ? "" : " ") + stage->op->name + "." + std::to_string(i);
    }
  }
  return found;
}

}  // namespace schedulegym
