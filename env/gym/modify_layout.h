// ModifyLayout: the numbers of the actions of `modify`, and the knobs of each grid that they move.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "env/gym/prime_tile.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// A grid of knobs as actions move them.
struct ModifyKnobs {
  explicit ModifyKnobs(KnobSpace space);

  KnobSpace knobs;
  std::vector<PrimeTile> tiles;  // those with a choice
  std::vector<int> places;       // by tile: position among the grid's
  std::vector<int> steps;        // dimensions of the knobs that are no tile's
  // By dimension, what each value means; empty: its position.
  std::vector<std::vector<std::string>> meanings;

  // The tile of a name's position, with as many levels and of the same extent as `other`; null
  // where there is none.
  const PrimeTile* Like(const PrimeTile& other, size_t position) const;
  std::string MeaningOf(int knob, int value) const;
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

class ModifyLayout {
 public:
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
  std::string ToText() const;

 private:
  int tiles_ = 0, levels_ = 1, knobs_ = 0;
};

}  // namespace schedulegym
