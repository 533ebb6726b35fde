// TileCost: what a reduction should cost with a given register tile.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "env/base/hash.h"
#include "env/program/targets/target.h"
#include "spaces/nest_facts.h"

namespace schedulegym {

// What is fixed before the register tile.
struct TileSetting {
  std::vector<int> unrolled;    // reductions that stand unrolled in the innermost loop
  std::vector<int64_t> blocks;  // by dimension: steps of a reduction while the tile is in registers
};

class TileCost {
 public:
  TileCost(const ScheduleState& state, const NestFacts& facts, TileSetting setting);

  // Cycles of one core for the whole nest; the packing of inputs that vectors need is included,
  // weights are packed for nothing.
  double Cycles(const RegisterTile& tile) const;
  // The cheapest tile that fits the registers.
  RegisterTile Best() const;
  // Most results in registers for so many vectors along the vectors' dimension.
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
  // Places read at once along dimensions that every read moves along.
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
  int64_t registers_ = 16;  // that results and what they are made of may fill
  double l1_bytes_ = 0, l2_bytes_ = 0;
};

struct CostedTile {
  RegisterTile tile;
  double cycles = 0;
};

// Finding one costs as much as building several schedules. Threads may ask at once.
class BestTiles {
 public:
  // As TileCost::Best for a reduction in one piece, the short loops of it unrolled.
  RegisterTile Of(const ScheduleState& state, const NestFacts& facts);
  CostedTile Of(const ScheduleState& state, const NestFacts& facts, const TileSetting& setting);

 private:
  std::mutex mutex_;
  std::map<Key, CostedTile> known_;
};

// The reduction in one piece, the short loops of it unrolled.
TileSetting WholeSetting(const NestFacts& facts);

}  // namespace schedulegym
