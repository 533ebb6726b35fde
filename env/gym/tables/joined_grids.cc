#include "env/gym/tables/joined_grids.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace schedulegym {
namespace {

bool IsOfTile(const ThinGrid& grid, int knob) {
  return std::ranges::any_of(
      grid.tiles, [&](const KnobTile& tile) { return std::ranges::count(tile.knobs, knob) > 0; });
}

class Joiner {
 public:
  explicit Joiner(size_t grids) {
    TableKnob sketch = {"sketch", {}};
    for (size_t i = 0; i < grids; ++i) sketch.values.push_back(std::to_string(i));
    joined_.knobs.push_back(std::move(sketch));
  }

  void Add(ThinGrid grid) {
    std::vector<int> columns;
    for (int knob = 0; knob < std::ssize(grid.knobs); ++knob) {
      columns.push_back(IsOfTile(grid, knob)
                            ? NewColumn(grid.knobs[knob], grid.points[0][knob])
                            : ColumnOf(grid.knobs[knob], columns, grid.points[0][knob]));
    }
    for (KnobTile& tile : grid.tiles) AddTile(std::move(tile), columns);
    for (const KnobPoint& point : grid.points) {
      KnobPoint wide = elsewhere_;
      wide[0] = number_;
      for (size_t i = 0; i < point.size(); ++i) wide[columns[i]] = point[i];
      joined_.points.push_back(std::move(wide));
    }
    std::ranges::move(grid.states, std::back_inserter(joined_.states));
    ++number_;
  }

  ThinGrid Take() {
    for (KnobPoint& point : joined_.points) {
      point.insert(point.end(), elsewhere_.begin() + std::ssize(point), elsewhere_.end());
    }
    return std::move(joined_);
  }

 private:
  // One that the grid has not taken yet.
  int ColumnOf(const TableKnob& knob, const std::vector<int>& taken, int elsewhere) {
    for (size_t i = 1; i < joined_.knobs.size(); ++i) {
      const auto column = static_cast<int>(i);
      if (joined_.knobs[i] == knob && !std::ranges::count(taken, column)) return column;
    }
    return NewColumn(knob, elsewhere);
  }

  // A name stands once.
  int NewColumn(TableKnob knob, int elsewhere) {
    const auto has_name = [&](const TableKnob& one) { return one.name == knob.name; };
    if (std::ranges::any_of(joined_.knobs, has_name)) {
      knob.name += ", sketch " + std::to_string(number_);
    }
    joined_.knobs.push_back(std::move(knob));
    elsewhere_.push_back(elsewhere);
    return static_cast<int>(joined_.knobs.size()) - 1;
  }

  // Its own: in another sketch the same loop may be cut otherwise.
  void AddTile(KnobTile tile, const std::vector<int>& columns) {
    for (int& knob : tile.knobs) {
      if (knob >= 0) knob = columns[knob];
    }
    joined_.tiles.push_back(std::move(tile));
  }

  ThinGrid joined_;
  KnobPoint elsewhere_ = {0};  // by knob: its value at points whose sketch lacks it
  int number_ = 0;             // of the grid at hand
};

}  // namespace

ThinGrid JoinGrids(std::vector<ThinGrid> grids) {
  std::erase_if(grids, [](const ThinGrid& grid) { return grid.points.empty(); });
  if (grids.size() == 1) return std::move(grids.front());
  Joiner joiner(grids.size());
  for (ThinGrid& grid : grids) joiner.Add(std::move(grid));
  return joiner.Take();
}

}  // namespace schedulegym
