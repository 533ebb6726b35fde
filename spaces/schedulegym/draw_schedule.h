// DrawSchedule: complete schedules at random, none of far too much code.
#pragma once

#include <functional>
#include <memory>

#include "env/base/rng.h"
#include "spaces/schedulegym/build.h"
#include "spaces/schedulegym/random_advice.h"

namespace schedulegym {

// How decisions are drawn.
struct Sampler {
  RandomTileOptions options;
  // What draws have found out; threads may share it.
  std::shared_ptr<BestTiles> best = std::make_shared<BestTiles>();
  double most_code = 2500;  // as code_limit.h counts it
};

// With the advice that `make` gives for a stream of chance. What leads nowhere is drawn again, and
// so, for a while, is what a quick estimate finds far too long; the last error where all led
// nowhere.
Result<ScheduleState> DrawSchedule(const Preparations& preparations, double most_code, Rng& rng,
                                   const std::function<std::unique_ptr<Advice>(Rng&)>& make);

}  // namespace schedulegym
