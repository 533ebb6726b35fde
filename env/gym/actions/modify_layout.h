// ModifyLayout: the numbers of the actions of `modify`, and the knobs of each grid that they move.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/gym/actions/action_space.h"
#include "env/gym/actions/prime_tile.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// A grid of knobs, grouped as actions move them.
struct ModifyKnobs {
  explicit ModifyKnobs(KnobSpace space);

  KnobSpace knobs;
  std::vector<PrimeTile> tiles;  // tiles with a choice of lengths
  // By tile: all ways to choose lengths that divide its extent; empty if they need not divide.
  std::vector<std::vector<std::vector<int64_t>>> ways;
  std::vector<int> steps;                 // dimensions of the knobs that an action steps
  std::vector<std::vector<int>> touched;  // by step: the tiles that contain its knob, too

  // The tile at `position` if its lengths divide the same extent as `other`, over as many levels;
  // else null.
  const PrimeTile* Like(const PrimeTile& other, size_t position) const;
};

// An action other than stop and next sketch.
struct ModifyAction {
  bool is_tile = false;
  int slot = 0;          // of a tile, or of a knob
  int from = 0, to = 0;  // levels
  int prime = 0;         // position
  int direction = 0;     // of a knob: -1 or 1
};

inline constexpr int kNextSketchAction = 1;

// ModifyRoom: the numbers of tiles, levels and other knobs that have action numbers.
struct ModifyRoom {
  int tiles = 0, levels = 1;
  std::vector<KnobKind> knobs = {};  // by slot

  bool operator==(const ModifyRoom&) const = default;
};
// The room that the groups of a space `modify` use.
ModifyRoom RoomOf(const std::vector<ActionGroup>& groups);

class ModifyLayout {
 public:
  ModifyLayout() = default;
  explicit ModifyLayout(const ModifyRoom& room);

  // Makes room for one more grid.
  void Add(const ModifyKnobs& grid);

  int size() const { return FirstStep() + 2 * knobs_; }
  int FirstTile() const { return kNextSketchAction + 1; }
  // Number of actions of one tile; they are consecutive.
  int TileActions() const { return levels_ * (levels_ - 1) * kMostPrimes; }
  int FirstStep() const { return FirstTile() + tiles_ * TileActions(); }
  ModifyAction ActionOf(int action) const;
  // `slot` is the tile's.
  int TileAction(int slot, int from, int to, int prime) const {
    const int pair = from * (levels_ - 1) + (to > from ? to - 1 : to);
    return FirstTile() + slot * TileActions() + pair * kMostPrimes + prime;
  }
  int StepAction(int slot, int direction) const {
    return FirstStep() + 2 * slot + (direction > 0 ? 1 : 0);
  }
  // Stop, next sketch, each tile, each other knob. A knob has its kind if all grids agree on it.
  std::vector<ActionGroup> Groups() const;
  std::string ToText() const;

 private:
  int tiles_ = 0, levels_ = 1, knobs_ = 0;
  std::vector<KnobKind> kinds_;  // by knob's slot
};

}  // namespace schedulegym
