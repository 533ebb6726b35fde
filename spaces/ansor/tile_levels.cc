#include "spaces/ansor/tile_levels.h"

#include <algorithm>
#include <utility>

#include "env/base/check.h"

namespace schedulegym {
namespace {

int Levels(char kind) {
  return static_cast<int>(std::count(kTileStructure.begin(), kTileStructure.end(), kind));
}

void Do(ScheduleState& state, const Primitive& primitive) {
  Result<ScheduleState> next = Apply(state, primitive);
  SG_CHECK(next.ok(), "a rule's step is legal: " + next.error().message);
  state = *std::move(next);
}

// Where each axis' first loop stands once the axes before it are split.
struct LevelPositions {
  int spatial = 0;    // axes
  int reduction = 0;  // axes
  int spatial_levels = Levels('S');
  int reduction_levels = Levels('R');

  int Spatial(int axis, int level) const { return axis * spatial_levels + level; }
  int Reduction(int axis, int level) const {
    return spatial * spatial_levels + axis * reduction_levels + level;
  }
};

std::vector<int> StructureOrder(const LevelPositions& positions) {
  std::vector<int> order;
  int spatial_level = 0;
  int reduction_level = 0;
  for (char kind : kTileStructure) {
    if (kind == 'S') {
      for (int i = 0; i < positions.spatial; ++i) {
        order.push_back(positions.Spatial(i, spatial_level));
      }
      ++spatial_level;
    } else {
      for (int i = 0; i < positions.reduction; ++i) {
        order.push_back(positions.Reduction(i, reduction_level));
      }
      ++reduction_level;
    }
  }
  return order;
}

}  // namespace

TiledStage TileLevels(const Derivation& now, int stage) {
  TiledStage tiled{now, {}};
  Derivation& made = tiled.derivation;
  const StageOp& op = *now.state.stage(stage).op;
  LevelPositions positions;
  positions.spatial = op.spatial;
  positions.reduction = static_cast<int>(op.axes.size()) - op.spatial;
  const auto split = [&](int loop, int parts) {
    made.open_steps.push_back(made.state.trace_size());
    Do(made.state, Split{{stage}, loop, std::vector<int64_t>(parts - 1, 1)});
    return made.open_steps.back();
  };
  for (int i = 0; i < positions.spatial; ++i) {
    tiled.spatial_splits.push_back(split(positions.Spatial(i, 0), positions.spatial_levels));
  }
  for (int i = 0; i < positions.reduction; ++i) {
    split(positions.Reduction(i, 0), positions.reduction_levels);
  }
  Do(made.state, Reorder{{stage}, StructureOrder(positions)});
  return tiled;
}

std::optional<Derivation> FuseAtLevel(const TiledStage& tiled, int stage, int reader, int level) {
  Derivation made = tiled.derivation;
  const int axes = static_cast<int>(tiled.spatial_splits.size());
  for (int i = 0; i < axes; ++i) {
    Do(made.state, FollowSplit{{reader}, i * (level + 1), tiled.spatial_splits[i], level});
  }
  std::vector<int> order;
  for (int part = 0; part <= level; ++part) {
    for (int i = 0; i < axes; ++i) order.push_back(i * (level + 1) + part);
  }
  const int loops = static_cast<int>(made.state.stage(reader).loops.size());
  for (int rest = axes * (level + 1); rest < loops; ++rest) order.push_back(rest);
  Do(made.state, Reorder{{reader}, order});
  Result<ScheduleState> fused = Apply(made.state, ComputeAt{{stage}, {reader}, level * axes - 1});
  if (!fused) return std::nullopt;
  made.state = *std::move(fused);
  return made;
}

}  // namespace schedulegym
