#include "spaces/schedulegym/tiles/best_tiles.h"

namespace schedulegym {
namespace {

// Copies of a reduction's body that may stand in the innermost loop.
constexpr int64_t kMostUnrolledSteps = 12;

void AddAll(const std::vector<int64_t>& numbers, Hasher& hasher) {
  hasher.Add(numbers.size());
  for (int64_t number : numbers) hasher.Add(static_cast<uint64_t>(number));
}

// All that the cost depends on.
Key KeyOf(const ScheduleState& state, const NestFacts& facts, const TileSetting& setting) {
  Hasher hasher;
  const Target& target = state.task().target;
  AddAll({target.VectorLanes(SizeInBytes(facts.type)), target.vector_registers, target.l1_bytes,
          target.l2_bytes},
         hasher);
  hasher.Add(static_cast<uint64_t>(facts.type));
  hasher.Add(static_cast<uint64_t>(facts.steps));
  for (const NestDimension& dimension : facts.dimensions) {
    AddAll({dimension.axis, static_cast<int64_t>(dimension.part), dimension.extent,
            dimension.stride, dimension.reduction, dimension.decides},
           hasher);
  }
  AddAll(facts.output.strides, hasher);
  for (const Operand& operand : facts.operands) {
    AddAll(operand.strides, hasher);
    hasher.Add(IsWeightStage(state, operand.stage));
    hasher.Add(static_cast<uint64_t>(TensorBytes(*state.stage(operand.stage).op)));
    for (int d = 0; d < static_cast<int>(facts.dimensions.size()); ++d) {
      hasher.Add(CanPack(state, facts, operand, d));
    }
  }
  AddAll({setting.unrolled.begin(), setting.unrolled.end()}, hasher);
  AddAll(setting.blocks, hasher);
  return hasher.KeyValue();
}

}  // namespace

TileSetting WholeSetting(const NestFacts& facts) {
  TileSetting whole{UnrolledReductions(facts, kMostUnrolledSteps), {}};
  for (const NestDimension& dimension : facts.dimensions) whole.blocks.push_back(dimension.extent);
  return whole;
}

RegisterTile BestTiles::Of(const ScheduleState& state, const NestFacts& facts) {
  return Of(state, facts, WholeSetting(facts)).tile;
}

CostedTile BestTiles::Of(const ScheduleState& state, const NestFacts& facts,
                         const TileSetting& setting) {
  const Key key = KeyOf(state, facts, setting);
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
  }
  const TileCost cost(state, facts, setting);
  CostedTile found{cost.Best()};
  found.cycles = cost.Cycles(found.tile);
  const std::lock_guard lock(mutex_);
  known_.emplace(key, found);
  return found;
}

}  // namespace schedulegym
