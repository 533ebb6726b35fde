// Refinement: the numbers of a finished schedule as knobs.
#pragma once

#include <cstdint>

#include "env/schedule/state.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// What a number may become. Published are {4, 8, 16, 24, 32, 48, 64} for the length of a tile and
// {64, 128, 256, 512} for auto_unroll_max_step (Canesche et al., arXiv 2406.20037; TVM pull request
// 16499).
enum class RefinementValues : uint8_t {
  // The number itself first, so that the schedule is the origin; then the published ones, lengths
  // only up to the extent of the loop. Tails are legal, and so are tiles longer than the loop.
  kPublished,
  // In rising order, the number itself in its place, so that a step by one is a small one either
  // way: the published values, divisors of the extent and 16 steps of unrolling, the four nearest
  // on each side. Tails are legal; tiles longer than the loop are not, unless the schedule has one.
  kOrdered,
  // The number itself first, then powers of two: 2 to 64 for a length, 128 to 1024 for
  // auto_unroll_max_step (TVM, meta_schedule/post_optimization/space.py, which goes on to
  // 2048, more than a pragma here may say). Tails are legal.
  kPowersOfTwo,
};

// The numbers of a finished schedule as knobs, to go on from it.
struct Refinement {
  KnobSpace space;
  KnobPoint seed;  // the schedule itself
};

// Knobs, in the order of the trace: each length of each split of a loop longer than one, and each
// auto_unroll_max_step above 0. All else stays as it is; what follows a split goes on following it.
// Of more knobs than KnobSpace can count, the last keep their number.
Refinement RefinementOf(const ScheduleState& schedule, RefinementValues values);

}  // namespace schedulegym
