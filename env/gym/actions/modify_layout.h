// ModifyLayout: the numbers of the actions of `modify`, and the knobs of each grid that they move.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/gym/actions/prime_tile.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// A grid of knobs as actions move them.
struct ModifyKnobs {
  explicit ModifyKnobs(KnobSpace space);

  KnobSpace knobs;
  std::vector<PrimeTile> tiles;  // those with a choice
  // By tile: all ways to choose the lengths of one that have to divide; else none.
  std::vector<std::vector<std::vector<int64_t>>> ways;
  std::vector<int> steps;                 // dimensions of the knobs that move by themselves
  std::vector<std::vector<int>> touched;  // by step: the tiles that have its knob, too

  // The tile of a name's position, with as many levels that divide the same extent as `other`;
  // null where there is none.
  const PrimeTile* Like(const PrimeTile& other, size_t position) const;
};

// Of all actions but stop and next sketch.
struct ModifyAction {
  bool is_tile = false;
  int slot = 0;          // of a tile, or of a knob
  int from = 0, to = 0;  // levels
  int prime = 0;         // position
  int direction = 0;     // of a knob: -1 or 1
};

inline constexpr int kNextSketchAction = 1;

// ModifyRoom: how many tiles, levels and other knobs actions have numbers for.
struct ModifyRoom {
  int tiles = 0, levels = 1;
  std::vector<KnobKind> knobs = {};  // by slot

  bool operator==(const ModifyRoom&) const = default;
};
// Of the groups of a space `modify`.
ModifyRoom RoomOf(const std::vector<ActionGroup>& groups);

class ModifyLayout {
 public:
  ModifyLayout() = default;
  explicit ModifyLayout(const ModifyRoom& room);

  // Room for one more grid.
  void Add(const ModifyKnobs& grid);

  int size() const { return FirstStep() + 2 * knobs_; }
  int FirstTile() const { return kNextSketchAction + 1; }
  // Actions of one tile lie together.
  int TileActions() const { return levels_ * (levels_ - 1) * kMostPrimes; }
  int FirstStep() const { return FirstTile() + tiles_ * TileActions(); }
  ModifyAction ActionOf(int action) const;
  // Of a tile's slot.
  int TileAction(int slot, int from, int to, int prime) const {
    const int pair = from * (levels_ - 1) + (to > from ? to - 1 : to);
    return FirstTile() + slot * TileActions() + pair * kMostPrimes + prime;
  }
  int StepAction(int slot, int direction) const {
    return FirstStep() + 2 * slot + (direction > 0 ? 1 : 0);
  }
  // Stop, next sketch, each tile, each other knob: of its kind where all grids agree about it.
  std::vector<ActionGroup> Groups() const;
  std::string ToText() const;

 private:
  int tiles_ = 0, levels_ = 1, knobs_ = 0;
  std::vector<KnobKind> kinds_;  // by knob's slot
};

}  // namespace schedulegym
