// BestTiles: register tiles of least cost, each found once.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "env/base/hash.h"
#include "spaces/schedulegym/tiles/tile_cost.h"

namespace schedulegym {

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
