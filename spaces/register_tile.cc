#include "spaces/register_tile.h"

#include <algorithm>

namespace schedulegym {

int64_t RegisterTile::Vectors() const {
  int64_t product = 1;
  for (int64_t steps : size) product *= steps;
  return product;
}

std::vector<int> UnrolledReductions(const NestFacts& facts, int64_t most_steps) {
  const std::vector<int> reductions = facts.Reductions();
  std::vector<int> unrolled;
  int64_t steps = 1;
  for (size_t i = reductions.size(); i-- > 0;) {
    steps *= facts.dimensions[reductions[i]].extent;
    if (steps > most_steps) break;
    unrolled.push_back(reductions[i]);
  }
  return unrolled;
}

bool CanPack(const ScheduleState& state, const NestFacts& facts, const Operand& operand,
             int dimension) {
  const NestDimension& along = facts.dimensions[dimension];
  if (along.part == NestDimension::Part::kOuter) return false;
  const Stage& producer = state.stage(operand.stage);
  if (producer.location != Location::kRoot || producer.op->kind == StageKind::kPack) return false;
  return std::count(operand.axis_of.begin(), operand.axis_of.end(), along.axis) == 1;
}

}  // namespace schedulegym
