// TilePlan: how the loops of one reduction are tiled, as plain data, and the steps that make it so.
#pragma once

#include <cstdint>
#include <vector>

#include "spaces/nest_facts.h"
#include "spaces/schedule_builder.h"

namespace schedulegym {

// A copy of an operand laid out in the panels that the register tile reads.
struct PackPlan {
  int stage = 0;      // what is copied
  int dimension = 0;  // of the facts: along it panels lie
  int64_t panel = 1;  // elements of a panel along that dimension
  int at = -1;        // how many outer loops of the nest stand around the copy; -1 for the root

  bool operator==(const PackPlan&) const = default;
};

// Loops, outermost first:
//   outer (the first `parallel` of them fused into one parallel loop; then those that decide,
//   unrolled; then the rest), reduction blocks, the outer loops that are inside of them, middle,
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
  std::vector<int> outer;       // spatial dimensions, without those that decide
  std::vector<int> reductions;  // reduction dimensions
  int parallel = 0;
  int inside = 0;  // how many of the last outer loops stand within the blocks
  std::vector<PackPlan> packs;
  int64_t unroll_step = 0;  // auto_unroll_max_step, 0 for none

  bool operator==(const TilePlan&) const = default;

  // Elements of a dimension in one block.
  int64_t BlockLength(int dimension) const;
  // Iterations of its outer loop.
  int64_t OuterTrips(const NestFacts& facts, int dimension) const;
};

// The nest as tiled, for what is computed at its loops.
struct TiledNest {
  int stage = 0;
  std::vector<int> outer;    // nodes of the outer loops after fusion, outermost first
  std::vector<int> loop_of;  // by position in the plan's outer: its node after fusion, -1 for none
};

// Tiles the stage of `facts`, which has been packed already.
TiledNest ApplyTile(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan);

// The same where the results go through `consumer`, of the same axes: its loops are blocked, and
// the reduction is computed within a block. What is a lane to the one may be a term of a sum to
// the other; a block then holds all of them.
TiledNest ApplyFusedTile(ScheduleBuilder& builder, const NestFacts& facts, const TilePlan& plan,
                         int consumer);

// Which structures of schedules may be used; each is a switch of the space `schedulegym`.
struct Rules {
  bool pack = true;           // inputs are copied into panels that the register tile reads
  bool layout = true;         // weights are rewritten into such panels, once
  bool tails = true;          // tiles need not divide
  bool register_tile = true;  // the innermost tile is drawn for the registers it fills
  bool parity = true;         // loops that decide whether terms count are cut so that they vanish
  bool rows = true;           // stages that share rows are computed row by row
  bool partial_sums = true;   // reductions along memory keep partial results in lanes
  bool fuse = true;           // a reduction is computed within the blocks of the map that reads it
};

}  // namespace schedulegym
