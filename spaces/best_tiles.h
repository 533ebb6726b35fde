// BestTiles: register tiles of least cost, each found once.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "env/base/hash.h"
#include "spaces/tile_cost.h"

namespace schedulegym {

// Finding one costs as much as building several schedules. Threads may ask at once.
class BestTiles {
 public:
  // As TileCost::Best for a reduction in one piece, the short loops of it unrolled.
  RegisterTile Of(const ScheduleState& state, const NestFacts& facts);

 private:
  std::mutex mutex_;
  std::map<Key, RegisterTile> known_;
};

// The reduction in one piece, the short loops of it unrolled.
TileSetting WholeSetting(const NestFacts& facts);

}  // namespace schedulegym
