// TilePlan: the tiling of one reduction's loops as plain data, and the steps that apply it.
#pragma once

#include <cstdint>
#include <vector>

#include "spaces/nest_facts.h"
#include "spaces/schedule_builder.h"

namespace schedulegym {

// A copy of an operand in panels that the register tile reads.
struct PackPlan {
  int stage = 0;      // the stage that is copied
  int dimension = 0;  // of the facts: the dimension that is cut into panels
  int64_t panel = 1;  // elements of a panel along that dimension
  int at = -1;        // number of outer loops of the nest around the copy; -1 for the root

  bool operator==(const PackPlan&) const = default;
};

// Loops, outermost first:
//   outer (the first `parallel` of them fused into one parallel loop; then the deciding ones,
//   unrolled; then the rest), reduction blocks, the outer loops inside of them, middle,
//   reductions, unrolled register tile, vector.
struct TilePlan {
  struct Levels {
    int64_t middle = 1;   // spatial: register tiles in one block
    int64_t block = 0;    // reductions: length of the inner part, 0 for all of it
    bool unroll = false;  // reductions: whether the inner part is unrolled

    bool operator==(const Levels&) const = default;
  };
  RegisterTile tile;
  std::vector<Levels> levels;   // by dimension
  std::vector<int> outer;       // spatial dimensions, without deciding ones
  std::vector<int> reductions;  // reduction dimensions
  int parallel = 0;
  int inside = 0;  // how many of the last outer loops are within the blocks
  std::vector<PackPlan> packs;
  int64_t unroll_step = 0;  // auto_unroll_max_step, 0 for none

  bool operator==(const TilePlan&) const = default;

  // Elements of a dimension in one block.
  int64_t BlockLength(int dimension) const;
  // Iterations of its outer loop.
  int64_t OuterTrips(const NestFacts& facts, int dimension) const;
};

// The tiled nest, for stages that are computed at its loops.
struct TiledNest {
  int stage = 0;
  std::vector<int> outer;    // nodes of the outer loops after fusion, outermost first
  std::vector<int> loop_of;  // by position in the plan's outer: its node after fusion, -1 for none
};

// Tiles the stage of `facts`, which is already packed.
TiledNest ApplyTile(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan);

// The same if `consumer`, with the same axes, reads the results: its loops are blocked, and the
// reduction is computed within a block. The lanes of the one may be the terms of the other's sum;
// a block then contains all of them.
TiledNest ApplyFusedTile(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan,
                         int consumer);

// The allowed structures of schedules; each is a switch of the space `schedulegym`.
struct Rules {
  bool pack = true;           // inputs are copied into panels that the register tile reads
  bool layout = true;         // weights are rewritten into such panels, once
  bool tails = true;          // tiles need not divide
  bool register_tile = true;  // the innermost tile is sampled to fit the registers
  bool parity = true;         // deciding loops are cut so that terms that do not count vanish
  bool rows = true;           // stages that share rows are computed row by row
  bool partial_sums = true;   // reductions along memory keep partial results in lanes
  bool fuse = true;           // a reduction is computed within the blocks of the map that reads it
};

}  // namespace schedulegym
