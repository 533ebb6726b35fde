// TreeGrowth: a small tree of schedules that construction reaches, every one of which can be
// measured.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "env/base/rng.h"
#include "env/gym/tables/table.h"
#include "env/schedule/state.h"

namespace schedulegym {

struct TreeGrowth {
  int64_t rows = 1000;  // at most
  int breadth = 3;      // ways on from a place, at most
};

struct GrownTree {
  TreeRows rows;
  std::vector<ScheduleState> states;  // by row
};

// Breadth first from the naive program, so that every place has its ways on before any has those
// two steps further. At a place one legal move of each kind is drawn that adds a primitive: splits
// with inner lengths 4, 16 and 64, innermost, fuse, parallel, unroll, vectorize, auto unroll by 64,
// compute at, inline, and the next stage. The ways on are the one that is fastest by the analytical
// estimate, and the first of the others.
GrownTree GrowTree(const std::shared_ptr<const Task>& task, const TreeGrowth& growth, Rng& rng);

}  // namespace schedulegym
