#include "spaces/register_tile.h"

#include <algorithm>
#include <set>

namespace schedulegym {
namespace {

constexpr double kFmaPerCycle = 2;
constexpr double kLoadsPerCycle = 2;
constexpr double kFmaLatency = 4;
// Loads that the caches answer late are not quite hidden.
constexpr double kLateLoads = 0.15;
// A loop's counter, compare and jump beside its work.
constexpr double kLoopCycles = 0.5;
constexpr double kTileCycles = 12;
// Copying one element into a packed tensor.
constexpr double kPackCycles = 1.5;

int64_t CeilDivide(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

CoreModel CoreModel::Of(const Target& target, DType type) {
  return {std::max(1, target.VectorLanes(SizeInBytes(type))), target.vector_registers};
}

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

RegisterTileCost::RegisterTileCost(const ScheduleState& state, const NestFacts& facts,
                                   const CoreModel& core, std::vector<int> unrolled)
    : state_(state), facts_(facts), core_(core), unrolled_(std::move(unrolled)) {}

double RegisterTileCost::LoadCycles(const Operand& operand, const RegisterTile& tile,
                                    const std::vector<int64_t>& size) const {
  double each = 1;
  int64_t vectors = 1;
  const int64_t along = tile.vector < 0 ? 0 : operand.strides[tile.vector];
  if (along != 0) {
    vectors = size[tile.vector];
    if (along != 1 && !CanPack(state_, facts_, operand, tile.vector))
      each = 1.5 * static_cast<double>(tile.lanes);
  }
  // Addresses that the tile and the unrolled reductions touch, each loaded once.
  std::set<int64_t> addresses{0};
  double steps = 1;
  const auto spread = [&](int dimension, int64_t extent) {
    if (extent == 1 || operand.strides[dimension] == 0) return;
    std::set<int64_t> wider;
    for (int64_t address : addresses) {
      for (int64_t i = 0; i < extent; ++i) wider.insert(address + i * operand.strides[dimension]);
    }
    addresses = std::move(wider);
  };
  for (int i = 0; i < static_cast<int>(size.size()); ++i) {
    if (i != tile.vector) spread(i, size[i]);
  }
  for (int reduction : unrolled_) {
    spread(reduction, facts_.dimensions[reduction].extent);
    steps *= static_cast<double>(facts_.dimensions[reduction].extent);
  }
  return each * static_cast<double>(vectors) * static_cast<double>(addresses.size()) / steps /
         kLoadsPerCycle;
}

// Of one step of the reduction over a tile of this size.
double RegisterTileCost::StepCycles(const RegisterTile& tile,
                                    const std::vector<int64_t>& size) const {
  double vectors = 1;
  for (int64_t steps : size) vectors *= static_cast<double>(steps);
  double loads = 0;
  for (const Operand& operand : facts_.operands) loads += LoadCycles(operand, tile, size);
  const double loop = unrolled_.empty() ? kLoopCycles : 0.1;
  return std::max({vectors / kFmaPerCycle + loop, loads, kFmaLatency}) + kLateLoads * loads;
}

double RegisterTileCost::PackCycles(const RegisterTile& tile) const {
  double cycles = 0;
  for (const Operand& operand : facts_.operands) {
    if (tile.vector < 0 || std::abs(operand.strides[tile.vector]) <= 1) continue;
    if (!CanPack(state_, facts_, operand, tile.vector) || IsWeightStage(state_, operand.stage))
      continue;
    const StageOp& op = *state_.stage(operand.stage).op;
    cycles += kPackCycles * static_cast<double>(TensorBytes(op) / SizeInBytes(op.type));
  }
  return cycles;
}

double RegisterTileCost::Cycles(const RegisterTile& tile) const {
  // Whole tiles and tails along each dimension, every combination.
  struct Part {
    std::vector<int64_t> size;
    double count;
  };
  std::vector<Part> parts{{tile.size, 1}};
  for (size_t d = 0; d < tile.size.size(); ++d) {
    const NestDimension& dimension = facts_.dimensions[d];
    if (dimension.reduction) continue;
    const bool is_vector = static_cast<int>(d) == tile.vector;
    const int64_t units = is_vector ? CeilDivide(dimension.extent, tile.lanes) : dimension.extent;
    const int64_t whole = units / tile.size[d], rest = units % tile.size[d];
    std::vector<Part> next;
    for (const Part& part : parts) {
      if (whole > 0) next.push_back({part.size, part.count * static_cast<double>(whole)});
      if (rest == 0) continue;
      next.push_back(part);
      next.back().size[d] = rest;
    }
    parts = std::move(next);
  }
  const double reductions = static_cast<double>(facts_.Points(true));
  const int64_t along = tile.vector < 0 ? 1 : facts_.output.strides[tile.vector];
  const double store = along == 1 ? 1 : static_cast<double>(tile.lanes);
  double cycles = PackCycles(tile);
  for (const Part& part : parts) {
    double vectors = 1;
    for (int64_t steps : part.size) vectors *= static_cast<double>(steps);
    cycles +=
        part.count * (reductions * StepCycles(tile, part.size) + vectors * store + kTileCycles);
  }
  return cycles;
}

void RegisterTileCost::TryVector(int vector, RegisterTile& best, double& least) const {
  RegisterTile tile;
  tile.size.assign(facts_.dimensions.size(), 1);
  tile.vector = vector;
  const int64_t extent = vector < 0 ? 1 : facts_.dimensions[vector].extent;
  tile.lanes = std::min<int64_t>(core_.lanes, extent);
  std::vector<int> others;
  for (int d : facts_.Spatial()) {
    if (d != vector && facts_.dimensions[d].extent > 1) others.push_back(d);
  }
  others.push_back(-1);
  const int64_t most_vectors = std::min<int64_t>(4, CeilDivide(extent, tile.lanes));
  const auto consider = [&] {
    const double cycles = Cycles(tile) * (1 + 1e-4 * static_cast<double>(tile.Vectors()));
    if (cycles >= least) return;
    least = cycles;
    best = tile;
  };
  for (int64_t along = 1; along <= most_vectors; ++along) {
    if (vector >= 0) tile.size[vector] = along;
    const int64_t room = std::max<int64_t>(1, (core_.registers - along - 1) / along);
    for (size_t a = 0; a < others.size(); ++a) {
      const int64_t most_a =
          others[a] < 0 ? 1 : std::min(room, facts_.dimensions[others[a]].extent);
      for (int64_t i = others[a] < 0 ? 1 : 2; i <= most_a; ++i) {
        if (others[a] >= 0) tile.size[others[a]] = i;
        consider();
        for (size_t b = a + 1; b + 1 < others.size(); ++b) {
          const int64_t most_b = std::min(room / i, facts_.dimensions[others[b]].extent);
          for (int64_t j = 2; j <= most_b; ++j) {
            tile.size[others[b]] = j;
            consider();
          }
          tile.size[others[b]] = 1;
        }
      }
      if (others[a] >= 0) tile.size[others[a]] = 1;
    }
  }
}

RegisterTile RegisterTileCost::Best() const {
  RegisterTile best;
  best.size.assign(facts_.dimensions.size(), 1);
  double least = 1e300;
  TryVector(-1, best, least);
  for (int d : facts_.Spatial()) {
    if (facts_.dimensions[d].extent > 1) TryVector(d, best, least);
  }
  return best;
}

}  // namespace schedulegym
