// TableNoise: whether a table's samples can tell its best rows apart.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/gym/tables/table.h"

namespace schedulegym {

// The speed of each success over the reference, from the first half of its rounds and from the
// second. Rounds are in the order taken, so that the halves of a row timed in several processes are
// of different processes.
struct HalvedSpeeds {
  std::vector<int64_t> rows;
  std::vector<double> first, second;  // by place in `rows`
};

// The fastest schedules, at most `most`, with two rounds or more, fastest first. Slower ones were
// timed for a few rounds, one of which is easily wrong by a multiple.
HalvedSpeeds HalvedSpeedsOf(const Table& table, int64_t most = 300);

// Noise ceiling: among the hundred best, the ten best by one half of the rounds, evaluated by the
// other half, over the ten best of that half; the mean of both directions. 1 without noise:
// no search on the table can reliably exceed it. nullopt with fewer than ten rows.
std::optional<double> NoiseCeilingOf(const HalvedSpeeds& speeds);

}  // namespace schedulegym
