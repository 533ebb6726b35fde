// TileCost: estimated cycles of a reduction with a given register tile.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "env/base/hash.h"
#include "env/program/targets/target.h"
#include "spaces/nest_facts.h"

namespace schedulegym {

// Decisions made before the register tile.
struct TileSetting {
  std::vector<int> unrolled;    // reductions that are unrolled in the innermost loop
  std::vector<int64_t> blocks;  // by dimension: steps of a reduction while the tile is in registers
};

class TileCost {
 public:
  TileCost(const ScheduleState& state, const NestFacts& facts, TileSetting setting);

  // Cycles of one core for the whole nest. Includes packing of inputs that vectors need; packing of
  // weights is free.
  double Cycles(const RegisterTile& tile) const;
  // The cheapest tile that fits the registers.
  RegisterTile Best() const;
  // Largest number of steps along other dimensions that fit the registers with `along` vectors.
  int64_t Room(int64_t along) const;

 private:
  struct Read {
    std::vector<int64_t> strides;
    std::vector<bool> packable;  // by dimension
    bool is_weight = false;
    double elements = 0;     // of the tensor
    bool is_reused = false;  // by other results
  };
  double StepCycles(const RegisterTile& tile, const std::vector<int64_t>& size) const;
  double LoadCycles(const Read& read, const RegisterTile& tile,
                    const std::vector<int64_t>& size) const;
  double Addresses(const Read& read, const RegisterTile& tile,
                   const std::vector<int64_t>& size) const;
  double PanelBytes(const Read& read, const RegisterTile& tile) const;
  double PackCycles(const RegisterTile& tile) const;
  // Number of places that are read at once along dimensions shared by all reads.
  double Streams(const RegisterTile& tile) const;
  void TryVector(int vector, RegisterTile& best, double& least) const;

  const NestFacts& facts_;
  TileSetting setting_;
  std::vector<Read> reads_;
  double unrolled_steps_ = 1;
  double reduction_steps_ = 1;  // of one stay of the tile in registers
  double stays_ = 1;            // of one tile
  bool shares_loads_ = false;   // neighbouring results read some of the same elements
  int lanes_ = 4;
  int64_t registers_ = 16;  // available for results and their operands
  double l1_bytes_ = 0, l2_bytes_ = 0;
};

struct CostedTile {
  RegisterTile tile;
  double cycles = 0;
};

// Caches best tiles: finding one costs as much as building several schedules. Thread-safe.
class BestTiles {
 public:
  // TileCost::Best for a reduction in one piece, with its short loops unrolled.
  RegisterTile Of(const ScheduleState& state, const NestFacts& facts);
  CostedTile Of(const ScheduleState& state, const NestFacts& facts, const TileSetting& setting);

 private:
  std::mutex mutex_;
  std::map<Key, CostedTile> known_;
};

// The setting of a reduction in one piece, with its short loops unrolled.
TileSetting WholeSetting(const NestFacts& facts);

}  // namespace schedulegym
