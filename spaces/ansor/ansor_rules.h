// Ansor's sketch rules, for CPUs and for GPUs.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "spaces/ansor/sketch_rule.h"

namespace schedulegym {

// The rules in the order of the published code (TVM 0.8 to 0.19, auto_scheduler): cache_read,
// inline, rfactor, cross_thread, cache_write, tile_and_fuse, tile, skip. The rule for Winograd's
// constant tensors has no counterpart: no workload declares such tensors. CPUs: cache_read and
// cross_thread do not fit. GPUs: rfactor does not fit, inline and cache_write decide, and tiles are
// fused only after the third level.
std::vector<SketchRule> AnsorRules();

// Ansor's structure on CPUs: each S is a level of all spatial axes, each R one of all reductions.
//
//   before                  after, of a matmul
//   for i                   for i.0 for j.0
//     for j                   for i.1 for j.1
//       for k                   for k.0
//         C[i, j] += ...          for i.2 for j.2
//                                   for k.1
//                                     for i.3 for j.3
//                                       C[i, j] += ...
inline constexpr std::string_view kTileStructure = "SSRSRS";
// On GPUs: blocks, virtual threads, threads, then within a thread two levels of each.
inline constexpr std::string_view kGpuTileStructure = "SSSRRSRS";
std::string_view TileStructureOf(const Target& target);

// A derivation and the trace positions of the steps that split a stage's axes, in order of axes.
struct TiledStage {
  Derivation derivation;
  std::vector<int> spatial_splits;
};

// Tiles the stage, whose loops must be untouched. All lengths are open.
TiledStage TileLevels(const Derivation& now, int stage);

// Computes `stage` within the first `level` spatial tile levels of its matched reader, whose splits
// follow those of the stage. nullopt if that is illegal.
std::optional<Derivation> FuseAtLevel(const TiledStage& tiled, int stage, int reader, int level);

}  // namespace schedulegym
