// TableNoise: how far a table's own samples can tell its best rows apart.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "env/gym/tables/table.h"

namespace schedulegym {

// The speed of each success over the reference, once by the first half of its rounds and once by
// the second. Rounds stand in the order taken, so that of a row timed in several processes the
// halves are of different ones.
struct HalvedSpeeds {
  std::vector<int64_t> rows;
  std::vector<double> first, second;  // by place in `rows`
};

// Of the best schedules, so many at most, that kept two rounds or more, fastest first. What is far
// from the best was timed for a few rounds, one of which is easily off by a multiple.
HalvedSpeeds HalvedSpeedsOf(const Table& table, int64_t most = 300);

// Of the hundred best, which are all that a search can end at: what the ten best by one half are
// worth by the other, over the ten best of that other half; the mean of both ways round. 1 without
// noise: no search that reads the table can be trusted to tell more. None of fewer than ten rows.
std::optional<double> NoiseCeilingOf(const HalvedSpeeds& speeds);

}  // namespace schedulegym
