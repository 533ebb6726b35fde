#include "env/gym/modify_layout.h"

#include <algorithm>

#include "env/base/check.h"

namespace schedulegym {
namespace {

bool IsOfTile(const KnobSpace& space, int knob) {
  return std::any_of(space.tiles().begin(), space.tiles().end(), [&](const KnobTile& tile) {
    return std::find(tile.knobs.begin(), tile.knobs.end(), knob) != tile.knobs.end();
  });
}

std::string Numbers(int first, int count) {
  if (count == 1) return std::to_string(first);
  return std::to_string(first) + ".." + std::to_string(first + count - 1);
}

}  // namespace

ModifyKnobs::ModifyKnobs(KnobSpace space) : knobs(std::move(space)) {
  for (size_t i = 0; i < knobs.tiles().size(); ++i) {
    const KnobTile& tile = knobs.tiles()[i];
    const bool has_choice =
        std::any_of(tile.knobs.begin(), tile.knobs.end(), [](int knob) { return knob >= 0; });
    if (!has_choice) continue;
    tiles.emplace_back(tile);
    places.push_back(static_cast<int>(i));
  }
  for (int knob = 0; knob < knobs.dimensions(); ++knob) {
    if (!IsOfTile(knobs, knob)) steps.push_back(knob);
  }
}

const PrimeTile* ModifyKnobs::Like(const PrimeTile& other, size_t position) const {
  if (position >= tiles.size()) return nullptr;
  const PrimeTile& tile = tiles[position];
  const bool is_like = tile.tile().extent == other.tile().extent && tile.levels() == other.levels();
  return is_like ? &tile : nullptr;
}

std::string ModifyKnobs::MeaningOf(int knob, int value) const {
  return meanings.empty() ? std::to_string(value) : meanings[knob][value];
}

void ModifyLayout::Add(const ModifyKnobs& grid) {
  tiles_ = std::max(tiles_, static_cast<int>(grid.tiles.size()));
  for (const PrimeTile& tile : grid.tiles) levels_ = std::max(levels_, tile.levels());
  knobs_ = std::max(knobs_, static_cast<int>(grid.steps.size()));
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
