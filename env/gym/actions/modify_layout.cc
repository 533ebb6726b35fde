// Numbers the actions of `modify` for all tasks of an environment together: 0 stop, 1 next sketch,
// then for each tile one action a (prime, from level, to level), then two for each other knob
// (down, up).
//   action = first + tile * L (L - 1) P + (from * (L - 1) + to') * P + prime
// with L levels and P primes, to' skipping `from`. The layout is the largest that any sketch needs,
// so a policy can be reused where its room suffices. Knobs of different kinds in one slot count as
// other. Cost: O(1).
#include "env/gym/actions/modify_layout.h"

#include <algorithm>

#include "env/base/check.h"

namespace schedulegym {
namespace {

bool Has(const KnobTile& tile, int knob) {
  return std::find(tile.knobs.begin(), tile.knobs.end(), knob) != tile.knobs.end();
}

// Whether a knob moves only together with others, as a length of a tile whose lengths must divide.
bool IsBound(const KnobSpace& space, int knob) {
  return std::any_of(space.tiles().begin(), space.tiles().end(), [&](const KnobTile& tile) {
    return tile.fit == LengthsFit::kDivide && Has(tile, knob);
  });
}

std::string TileName(int slot) { return "tile " + std::to_string(slot); }

std::string Numbers(int first, int count) {
  if (count == 1) return std::to_string(first);
  return std::to_string(first) + ".." + std::to_string(first + count - 1);
}

}  // namespace

ModifyKnobs::ModifyKnobs(KnobSpace space) : knobs(std::move(space)) {
  for (const KnobTile& tile : knobs.tiles()) {
    const bool has_choice =
        std::any_of(tile.knobs.begin(), tile.knobs.end(), [](int knob) { return knob >= 0; });
    if (!has_choice) continue;
    tiles.emplace_back(tile);
    ways.emplace_back();
    if (!tiles.back().divides()) continue;
    for (const std::vector<int>& way : WaysOf(tile)) ways.back().push_back(LengthsAt(tile, way));
  }
  for (int knob = 0; knob < knobs.dimensions(); ++knob) {
    if (IsBound(knobs, knob)) continue;
    std::vector<int>& beside = touched.emplace_back();
    for (size_t i = 0; i < tiles.size(); ++i) {
      if (Has(tiles[i].tile(), knob)) beside.push_back(static_cast<int>(i));
    }
    steps.push_back(knob);
  }
}

const PrimeTile* ModifyKnobs::Like(const PrimeTile& other, size_t position) const {
  if (position >= tiles.size()) return nullptr;
  const PrimeTile& tile = tiles[position];
  const bool is_like = tile.tile().extent == other.tile().extent &&
                       tile.levels() == other.levels() && tile.divides() && other.divides();
  return is_like ? &tile : nullptr;
}

ModifyRoom RoomOf(const std::vector<ActionGroup>& groups) {
  ModifyRoom room;
  for (const ActionGroup& group : groups) {
    if (group.first <= kNextSketchAction) continue;
    if (group.kind != KnobKind::kTile || group.name != TileName(group.slot)) {
      room.knobs.push_back(group.kind);
      continue;
    }
    ++room.tiles;
    while (room.levels * (room.levels - 1) * kMostPrimes < group.count) ++room.levels;
  }
  return room;
}

ModifyLayout::ModifyLayout(const ModifyRoom& room)
    : tiles_(room.tiles),
      levels_(room.levels),
      knobs_(static_cast<int>(room.knobs.size())),
      kinds_(room.knobs) {}

void ModifyLayout::Add(const ModifyKnobs& grid) {
  tiles_ = std::max(tiles_, static_cast<int>(grid.tiles.size()));
  for (const PrimeTile& tile : grid.tiles) levels_ = std::max(levels_, tile.levels());
  knobs_ = std::max(knobs_, static_cast<int>(grid.steps.size()));
  for (size_t slot = 0; slot < grid.steps.size(); ++slot) {
    const KnobKind kind = grid.knobs.knob(grid.steps[slot]).kind;
    if (slot == kinds_.size()) kinds_.push_back(kind);
    if (kinds_[slot] != kind) kinds_[slot] = KnobKind::kOther;
  }
}

std::vector<ActionGroup> ModifyLayout::Groups() const {
  std::vector<ActionGroup> groups = {{KnobKind::kOther, 0, 0, 1, "stop"},
                                     {KnobKind::kOther, 0, kNextSketchAction, 1, "next sketch"}};
  for (int tile = 0; tile < tiles_ && TileActions() > 0; ++tile) {
    groups.push_back(
        {KnobKind::kTile, tile, FirstTile() + tile * TileActions(), TileActions(), TileName(tile)});
  }
  for (int knob = 0; knob < knobs_; ++knob) {
    groups.push_back({kinds_[knob], knob, StepAction(knob, -1), 2, "knob " + std::to_string(knob)});
  }
  return groups;
}

ModifyAction ModifyLayout::ActionOf(int action) const {
  SG_CHECK(action >= FirstTile() && action < size(), "an action on a tile or a knob");
  if (action >= FirstStep()) {
    const int step = action - FirstStep();
    return {false, step / 2, 0, 0, 0, step % 2 == 0 ? -1 : 1};
  }
  const int at = action - FirstTile();
  const int pair = at % TileActions() / kMostPrimes;
  const int from = pair / (levels_ - 1);
  const int other = pair % (levels_ - 1);
  return {true, at / TileActions(), from, other < from ? other : other + 1, at % kMostPrimes, 0};
}

std::string ModifyLayout::ToText() const {
  std::string text = "0: stop: the schedule is as it is\n1: the next sketch\n";
  for (int tile = 0; tile < tiles_; ++tile) {
    text += Numbers(FirstTile() + tile * TileActions(), TileActions()) + ": tile " +
            std::to_string(tile) + ": one of " + std::to_string(kMostPrimes) +
            " primes from one of " + std::to_string(levels_) + " levels to another\n";
  }
  if (knobs_ > 0) {
    text += Numbers(FirstStep(), 2 * knobs_) +
            ": each other knob, to the next lower value or the "
            "next higher\n";
  }
  return text;
}

}  // namespace schedulegym
