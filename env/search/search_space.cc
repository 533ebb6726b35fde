#include "env/search/search_space.h"

#include <algorithm>
#include <numeric>

#include "env/base/text.h"

namespace schedulegym {
namespace {

// Whose lengths have to divide; null where the knob is of none.
const KnobTile* TileOf(const KnobSpace& knobs, int knob) {
  for (const KnobTile& tile : knobs.tiles()) {
    const bool has = std::find(tile.knobs.begin(), tile.knobs.end(), knob) != tile.knobs.end();
    if (has && tile.fit == LengthsFit::kDivide) return &tile;
  }
  return nullptr;
}

int FirstOf(const KnobTile& tile) {
  return *std::find_if(tile.knobs.begin(), tile.knobs.end(), [](int knob) { return knob >= 0; });
}

// How many values each length has.
std::vector<int64_t> SizesOf(const KnobTile& tile) {
  std::vector<int64_t> sizes;
  for (const std::vector<int64_t>& values : tile.values) sizes.push_back(std::ssize(values));
  return sizes;
}

}  // namespace

std::vector<int> OutputsFirst(const Sketch& sketch) {
  const std::vector<int>& order = sketch.state.order();
  const auto rank = [&](int knob) {
    const std::optional<int>& stage = sketch.knobs->knob(knob).stage;
    return stage ? order.end() - std::find(order.begin(), order.end(), *stage) : 0;
  };
  // A stage that is the last of the order is 1 from its end.
  std::vector<int> knobs(sketch.knobs->dimensions());
  std::iota(knobs.begin(), knobs.end(), 0);
  std::stable_sort(knobs.begin(), knobs.end(), [&](int a, int b) { return rank(a) < rank(b); });
  return knobs;
}

std::string ToText(const Sketch& sketch) {
  std::string text = sketch.state.TraceText();
  const KnobSpace& knobs = *sketch.knobs;
  for (int i = 0; i < knobs.dimensions(); ++i) {
    const KnobTile* tile = TileOf(knobs, i);
    if (tile == nullptr) {
      text += "# " + knobs.knob(i).name + ": " + std::to_string(knobs.size_of(i)) + " values\n";
      continue;
    }
    const std::vector<int64_t> sizes = SizesOf(*tile);
    if (FirstOf(*tile) == i) text += "# " + tile->name + ": " + Join(sizes, ", ") + " values\n";
  }
  return text;
}

}  // namespace schedulegym
