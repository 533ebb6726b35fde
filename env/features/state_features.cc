#include "env/features/state_features.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "env/features/analytical_cost.h"

namespace schedulegym {
namespace {

using Place = EstimatedLayout;
constexpr double kNanoseconds = 1e9;

float Scaled(double value) { return static_cast<float>(std::log2(1 + value)); }

// Iterations of a nest for each computed point: above 1 for tails and for points that are computed
// more than once.
double StepsForEach(const ScheduleState& state, const LoopNest& nest) {
  double points = 1;
  for (const Axis& axis : state.stage(nest.stage).effective->axes) {
    points *= static_cast<double>(axis.extent);
  }
  return nest.iterations / points;
}

void Write(const StageCost& cost, double cores, double program, std::span<float> row) {
  const auto seconds = [&](int place, double value) { row[place] = Scaled(value * kNanoseconds); };
  seconds(Place::kSeconds, cost.Seconds());
  seconds(Place::kCompute, cost.compute_seconds);
  seconds(Place::kSecondLevel, cost.l2_seconds);
  seconds(Place::kThirdLevel, cost.l3_seconds);
  seconds(Place::kMemory, cost.memory_seconds);
  seconds(Place::kParallel, cost.parallel_seconds);
  seconds(Place::kProgram, program);
  row[Place::kBlocks] = Scaled(cost.blocks);
  row[Place::kBlockVectors] = Scaled(cost.block_vectors);
  row[Place::kArithmeticCycles] = Scaled(cost.arithmetic_cycles);
  row[Place::kAccessCycles] = Scaled(cost.access_cycles);
  row[Place::kChainCycles] = Scaled(cost.chain_cycles);
  row[Place::kSpillCycles] = Scaled(cost.spill_cycles);
  row[Place::kResults] = Scaled(cost.results);
  row[Place::kKeepsResults] = cost.keeps_results ? 1 : 0;
  row[Place::kBusyShare] = static_cast<float>(cost.busy_cores / cores);
  row[Place::kShare] = static_cast<float>(cost.Seconds() / program);
}

}  // namespace

StateFeatures::StateFeatures(ScheduleState state)
    : parts_(std::make_shared<Parts>(std::move(state))) {}

const std::vector<float>& StateFeatures::ansor() const {
  std::call_once(parts_->has_ansor,
                 [this] { parts_->ansor = AnsorFeatures(parts_->state).values; });
  return parts_->ansor;
}

const std::vector<float>& StateFeatures::estimated() const {
  std::call_once(parts_->has_estimated,
                 [this] { parts_->estimated = EstimatedFeatures(parts_->state); });
  return parts_->estimated;
}

std::vector<StateFeatures> WithFeatures(std::span<const ScheduleState> states) {
  std::vector<StateFeatures> all;
  all.reserve(states.size());
  for (const ScheduleState& state : states) all.emplace_back(state);
  return all;
}

namespace {

std::vector<float> WithoutEstimate(const FeatureRows& ansor) {
  std::vector<float> values(static_cast<size_t>(ansor.size()) * Place::kWidth);
  for (int i = 0; i < ansor.size(); ++i) {
    std::ranges::copy(ansor.Row(i), values.begin() + static_cast<size_t>(i) * Place::kWidth);
  }
  return values;
}

}  // namespace

std::vector<float> EstimatedFeatures(const ScheduleState& state) {
  const LoopNests nests = FindLoopNests(state);
  const FeatureRows ansor = AnsorFeatures(state, nests);
  const Target& target = state.task().target;
  // The formula is of processors: its columns stay 0.
  if (target.IsGpu()) return WithoutEstimate(ansor);
  const AnalyticalCost cost = EstimateCost(target, nests);
  const double program = cost.Seconds();
  std::vector<float> values(static_cast<size_t>(ansor.size()) * Place::kWidth);
  size_t estimated = 0;  // stages of the estimate so far
  for (int i = 0; i < ansor.size(); ++i) {
    const auto row =
        std::span(values).subspan(static_cast<size_t>(i) * Place::kWidth, Place::kWidth);
    std::ranges::copy(ansor.Row(i), row.begin());
    if (nests.nests[i].is_prepared) continue;
    Write(cost.stages[estimated++], target.cores, program, row);
    row[Place::kSteps] = Scaled(StepsForEach(state, nests.nests[i]));
  }
  return values;
}

std::vector<std::string> EstimatedFeatureNames() {
  return {"estimate.seconds",
          "estimate.compute",
          "estimate.l2",
          "estimate.l3",
          "estimate.memory",
          "estimate.parallel",
          "estimate.blocks",
          "estimate.block_vectors",
          "estimate.arithmetic_cycles",
          "estimate.access_cycles",
          "estimate.chain_cycles",
          "estimate.spill_cycles",
          "estimate.results",
          "estimate.keeps_results",
          "estimate.busy_share",
          "estimate.steps",
          "estimate.share",
          "estimate.program"};
}

}  // namespace schedulegym
