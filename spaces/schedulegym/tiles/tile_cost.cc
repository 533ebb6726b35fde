// Cycles of one core for a reduction with a register tile, summed over whole tiles and tails:
//   step = max(vectors / 2 + loop, loads, 4) + 0.15 loads
//   cycles = pack + sum over parts of count * stays * (steps * step + vectors * store + 12)
// A load costs 0.5 cycles from the first cache, 1.4 from the second (panel above 0.6 of the first,
// or read once), 5 from beyond; a gather costs its lanes. Each constant has its source below: "Fog"
// is Agner Fog, Instruction tables, Intel Skylake; "chosen" was set in this project without a kept
// measurement. Best tries each vector dimension, 1..4 vectors along it and up to two more
// dimensions within the registers: O(dimensions^3 * registers^2) costs of O(2^dimensions) parts;
// BestTiles caches results.
#include "spaces/schedulegym/tiles/tile_cost.h"

#include <algorithm>

#include "env/program/expressions/integer_math.h"

namespace schedulegym {
namespace {

constexpr double kFmaPerCycle = 2;  // Fog: VFMADD, 0.5 cycles each
constexpr double kFmaLatency = 4;   // Fog: VFMADD
// Cycles of a load of one vector, by the cache that has it.
constexpr double kLoad = 0.5;        // Fog: two loads a cycle
constexpr double kSecondLoad = 1.4;  // chosen
constexpr double kFarLoad = 5;       // chosen
// Share of the load cycles that arithmetic does not hide. Chosen.
constexpr double kLateLoads = 0.15;
// Share of a cache that a panel may fill. Chosen.
constexpr double kCacheShare = 0.6;
// Cycles of counter, compare and jump for each iteration of a loop, and where the loop is unrolled.
// Chosen.
constexpr double kLoopCycles = 0.5;
constexpr double kUnrolledLoopCycles = 0.1;
// Cycles to start and end a tile. Chosen.
constexpr double kTileCycles = 12;
// Added share of cycles for each further address stream of a tile without reuse: the prefetchers
// follow few streams. Chosen.
constexpr double kStream = 0.01;
// Added share of cycles for each vector of a tile, so that the smaller of two equal tiles wins.
// Chosen.
constexpr double kVectorTie = 1e-4;
// Cycles to copy one element into a packed tensor. Chosen.
constexpr double kPackCycles = 1.5;

bool SharesLoads(const NestFacts& facts, const std::vector<int>& unrolled) {
  for (const Operand& operand : facts.operands) {
    for (int reduction : unrolled) {
      const int64_t span =
          std::abs(operand.strides[reduction]) * (facts.dimensions[reduction].extent - 1);
      for (int d : facts.Spatial()) {
        const int64_t step = std::abs(operand.strides[d]);
        if (step > 1 && span >= step) return true;
      }
    }
  }
  return false;
}

double Product(const std::vector<int64_t>& factors) {
  double product = 1;
  for (int64_t factor : factors) product *= static_cast<double>(factor);
  return product;
}

// Most copies of a reduction's body in the innermost loop. Chosen.
constexpr int64_t kMostUnrolledSteps = 12;

void AddAll(const std::vector<int64_t>& numbers, Hasher& hasher) {
  hasher.Add(numbers.size());
  for (int64_t number : numbers) hasher.Add(static_cast<uint64_t>(number));
}

// Key of everything that the cost depends on.
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

TileCost::TileCost(const ScheduleState& state, const NestFacts& facts, TileSetting setting)
    : facts_(facts), setting_(std::move(setting)) {
  const Target& target = state.task().target;
  lanes_ = std::max(1, target.VectorLanes(SizeInBytes(facts.type)));
  l1_bytes_ = static_cast<double>(target.l1_bytes);
  l2_bytes_ = static_cast<double>(target.l2_bytes);
  shares_loads_ = SharesLoads(facts, setting_.unrolled);
  // The compiler also keeps the loads that neighbouring results share in registers.
  registers_ = shares_loads_ ? target.vector_registers / 2 : target.vector_registers;
  for (int d : setting_.unrolled) {
    unrolled_steps_ *= static_cast<double>(facts.dimensions[d].extent);
  }
  for (int d : facts.Reductions()) {
    reduction_steps_ *= static_cast<double>(setting_.blocks[d]);
    stays_ *= static_cast<double>(CeilDivide(facts.dimensions[d].extent, setting_.blocks[d]));
  }
  for (const Operand& operand : facts.operands) {
    const StageOp& op = *state.stage(operand.stage).op;
    const int64_t elements = TensorBytes(op) / SizeInBytes(op.type);
    Read read{
        operand.strides, {}, IsWeightStage(state, operand.stage), static_cast<double>(elements)};
    for (int d = 0; d < static_cast<int>(facts.dimensions.size()); ++d) {
      const NestDimension& dimension = facts.dimensions[d];
      read.packable.push_back(CanPack(state, facts, operand, d));
      const bool again = operand.strides[d] == 0 && !dimension.reduction && dimension.extent > 1;
      read.is_reused = read.is_reused || again;
    }
    reads_.push_back(std::move(read));
  }
}

// Number of addresses of a read that a tile of this size and the unrolled reductions touch; a
// vector counts once.
double TileCost::Addresses(const Read& read, const RegisterTile& tile,
                           const std::vector<int64_t>& size) const {
  double product = 1;
  for (size_t d = 0; d < size.size(); ++d) {
    if (read.strides[d] != 0) product *= static_cast<double>(size[d]);
  }
  if (!shares_loads_) {
    for (int d : setting_.unrolled) {
      if (read.strides[d] != 0) product *= static_cast<double>(facts_.dimensions[d].extent);
    }
    return product;
  }
  std::vector<int64_t> addresses{0};
  const auto spread = [&](int dimension, int64_t extent) {
    if (extent == 1 || read.strides[dimension] == 0) return;
    const size_t before = addresses.size();
    for (int64_t i = 1; i < extent; ++i) {
      for (size_t a = 0; a < before; ++a) {
        addresses.push_back(addresses[a] + i * read.strides[dimension]);
      }
    }
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  };
  double vectors = 1;
  for (int d = 0; d < static_cast<int>(size.size()); ++d) {
    if (d != tile.vector) {
      spread(d, size[d]);
    } else if (read.strides[d] != 0) {
      vectors = static_cast<double>(size[d]);
    }
  }
  for (int d : setting_.unrolled) spread(d, facts_.dimensions[d].extent);
  return vectors * static_cast<double>(addresses.size());
}

// Cycles of one read's loads in one step of the reduction.
double TileCost::LoadCycles(const Read& read, const RegisterTile& tile,
                            const std::vector<int64_t>& size) const {
  double each = kLoad;
  const int64_t along = tile.vector < 0 ? 0 : read.strides[tile.vector];
  if (along != 0) {
    // Data that no other tile reads again is streamed through the caches.
    const double panel = PanelBytes(read, tile);
    if (panel > l1_bytes_ * kCacheShare || !read.is_reused) each = kSecondLoad;
    if (panel > l2_bytes_ * kCacheShare && read.is_reused) each = kFarLoad;
    // A gather.
    if (along != 1 && !read.packable[tile.vector])
      each = std::max(each, static_cast<double>(tile.lanes));
  }
  return each * Addresses(read, tile, size) / unrolled_steps_;
}

// Bytes that a tile reads while its results stay in registers.
double TileCost::PanelBytes(const Read& read, const RegisterTile& tile) const {
  double bytes = static_cast<double>(SizeInBytes(facts_.type) * tile.lanes);
  for (size_t d = 0; d < facts_.dimensions.size(); ++d) {
    if (read.strides[d] == 0) continue;
    bytes *=
        static_cast<double>(facts_.dimensions[d].reduction ? setting_.blocks[d] : tile.size[d]);
  }
  return bytes;
}

// Cycles of one step of the reduction over a tile of this size.
double TileCost::StepCycles(const RegisterTile& tile, const std::vector<int64_t>& size) const {
  double loads = 0;
  for (const Read& read : reads_) loads += LoadCycles(read, tile, size);
  const double loop = setting_.unrolled.empty() ? kLoopCycles : kUnrolledLoopCycles;
  return std::max({Product(size) / kFmaPerCycle + loop, loads, kFmaLatency}) + kLateLoads * loads;
}

double TileCost::PackCycles(const RegisterTile& tile) const {
  double cycles = 0;
  for (const Read& read : reads_) {
    if (tile.vector < 0 || std::abs(read.strides[tile.vector]) <= 1) continue;
    if (read.packable[tile.vector] && !read.is_weight) cycles += kPackCycles * read.elements;
  }
  // A nest that runs once for each row of another stage packs only the first time.
  const double runs = facts_.steps / (static_cast<double>(facts_.Points(false)) *
                                      static_cast<double>(facts_.Points(true)));
  return cycles / std::max(1.0, runs);
}

double TileCost::Cycles(const RegisterTile& tile) const {
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
  const int64_t along = tile.vector < 0 ? 1 : facts_.output.strides[tile.vector];
  const double store = (along == 1 ? 1 : static_cast<double>(tile.lanes)) + (stays_ > 1 ? 1 : 0);
  double cycles = PackCycles(tile);
  for (const Part& part : parts) {
    const double stay =
        reduction_steps_ * StepCycles(tile, part.size) + Product(part.size) * store + kTileCycles;
    cycles += part.count * stays_ * stay;
  }
  return cycles;
}

double TileCost::Streams(const RegisterTile& tile) const {
  double streams = 1;
  for (int d : facts_.Spatial()) {
    const bool reuses = std::any_of(reads_.begin(), reads_.end(),
                                    [&](const Read& read) { return read.strides[d] == 0; });
    if (d != tile.vector && !reuses) streams *= static_cast<double>(tile.size[d]);
  }
  return streams;
}

int64_t TileCost::Room(int64_t along) const {
  return std::max<int64_t>(1, (registers_ - along - 1) / along);
}

void TileCost::TryVector(int vector, RegisterTile& best, double& least) const {
  RegisterTile tile;
  tile.size.assign(facts_.dimensions.size(), 1);
  tile.vector = vector;
  const int64_t extent = vector < 0 ? 1 : facts_.dimensions[vector].extent;
  tile.lanes = std::min<int64_t>(lanes_, extent);
  // Inner dimensions first: of tiles with equal cost, one of neighbours in memory is better. The
  // last entry, -1, is no dimension.
  std::vector<int> others{-1};
  for (int d : facts_.Spatial()) {
    if (d != vector && facts_.dimensions[d].extent > 1) others.insert(others.begin(), d);
  }
  const auto consider = [&] {
    const double cycles = Cycles(tile) * (1 + kVectorTie * static_cast<double>(tile.Vectors())) *
                          (1 + kStream * (Streams(tile) - 1));
    if (cycles >= least) return;
    least = cycles;
    best = tile;
  };
  const auto most = [&](size_t other, int64_t room) {
    return others[other] < 0 ? 1 : std::min(room, facts_.dimensions[others[other]].extent);
  };
  for (int64_t along = 1; along <= std::min<int64_t>(4, CeilDivide(extent, tile.lanes)); ++along) {
    if (vector >= 0) tile.size[vector] = along;
    const int64_t room = Room(along);
    for (size_t a = 0; a < others.size(); ++a) {
      for (int64_t i = others[a] < 0 ? 1 : 2; i <= most(a, room); ++i) {
        if (others[a] >= 0) tile.size[others[a]] = i;
        consider();
        for (size_t b = a + 1; b + 1 < others.size(); ++b) {
          for (int64_t j = 2; j <= most(b, room / i); ++j) {
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

RegisterTile TileCost::Best() const {
  RegisterTile best;
  best.size.assign(facts_.dimensions.size(), 1);
  double least = 1e300;
  TryVector(-1, best, least);
  for (int d : facts_.Spatial()) {
    if (facts_.dimensions[d].extent > 1) TryVector(d, best, least);
  }
  return best;
}

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
