// The places of a task for searches over knobs. The lengths of a tile that must divide their loop
// are one decision, drawn among all that fit (AutoTVM's split entity); every other knob is a
// decision. If the space has fewer schedules than places (a table), draws and moves lead only to
// schedules. Cost: a move O(decisions), a row O(knobs), a state one build.
#include "agents/common/knob_field.h"

#include <algorithm>
#include <cmath>

#include "agents/common/sketch_place.h"
#include "env/base/check.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// Columns that identify the sketch.
constexpr int kMostSketches = 16;
// Draws for one move; some repeat the value or lead to no schedule of a table.
constexpr int kMoveDraws = 64;

}  // namespace

KnobField::KnobField(const SearchSpace& space, std::shared_ptr<const Task> task,
                     const std::string& asker)
    : task_(std::move(task)) {
  columns_ = kMostSketches;
  std::map<std::string, int> named;
  for (const Sketch& sketch : RequiredSketches(space, task_, asker)) {
    Grid grid{sketch.knobs,
              sketch.knobs->With(InvalidPointPolicy::kLower),
              DecisionsOf(*sketch.knobs),
              {},
              {},
              {}};
    AddColumns(grid, named);
    double places = 1;
    for (const Decision& one : grid.decisions) places *= static_cast<double>(one.ways.size());
    size_ += places;
    grids_.push_back(std::move(grid));
  }
  const std::optional<int64_t> limit = space.Limit(task_);
  is_listed_ = limit && static_cast<double>(*limit) < size_;
}

std::vector<KnobField::Decision> KnobField::DecisionsOf(const KnobSpace& knobs) {
  std::vector<Decision> decisions;
  std::vector<bool> decided(knobs.dimensions());
  for (const KnobTile& tile : knobs.tiles()) {
    if (tile.fit != LengthsFit::kDivide) continue;
    const std::vector<std::vector<int>> ways = WaysOf(tile);
    if (ways.empty()) continue;
    Decision decision;
    for (int knob : tile.knobs) {
      if (knob < 0) continue;
      decision.knobs.push_back(knob);
      decided[knob] = true;
    }
    for (const std::vector<int>& way : ways) {
      std::vector<int>& values = decision.ways.emplace_back();
      for (size_t i = 0; i < way.size(); ++i) {
        if (tile.knobs[i] >= 0) values.push_back(way[i]);
      }
    }
    if (!decision.knobs.empty()) decisions.push_back(std::move(decision));
  }
  for (int knob = 0; knob < knobs.dimensions(); ++knob) {
    if (decided[knob]) continue;
    Decision decision{{knob}, {}};
    for (int value = 0; value < knobs.size_of(knob); ++value) decision.ways.push_back({value});
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

void KnobField::AddColumns(Grid& grid, std::map<std::string, int>& named) {
  const KnobSpace& knobs = *grid.knobs;
  for (int knob = 0; knob < knobs.dimensions(); ++knob) {
    const auto [known, is_new] = named.emplace(knobs.knob(knob).name, columns_);
    if (is_new) columns_ += 2;
    grid.columns.push_back(known->second);
    std::vector<float> positions, logs;
    for (int value = 0; value < knobs.size_of(knob); ++value) {
      positions.push_back(static_cast<float>(value) /
                          static_cast<float>(std::max(knobs.size_of(knob) - 1, 1)));
      const double number = ParseDouble(knobs.MeaningOf(knob, value)).value_or(-1);
      logs.push_back(number < 0 ? -1 : static_cast<float>(std::log2(1 + number)));
    }
    grid.positions.push_back(std::move(positions));
    grid.logs.push_back(std::move(logs));
  }
}

FieldPlace KnobField::PlaceAt(int64_t position) const {
  SG_CHECK(position >= 0 && static_cast<double>(position) < size_, "a position of the field");
  for (int sketch = 0; sketch < sketches(); ++sketch) {
    int64_t places = 1;
    for (const Decision& one : grids_[sketch].decisions) places *= std::ssize(one.ways);
    if (position >= places) {
      position -= places;
      continue;
    }
    FieldPlace place = Origin(sketch);
    for (const Decision& decision : grids_[sketch].decisions) {
      Take(decision, position % std::ssize(decision.ways), place.point);
      position /= std::ssize(decision.ways);
    }
    return place;
  }
  return {};
}

int KnobField::DecisionOf(int sketch, int knob) const {
  const std::vector<Decision>& decisions = grids_[sketch].decisions;
  const auto has = [&](const Decision& one) {
    return std::ranges::find(one.knobs, knob) != one.knobs.end();
  };
  return static_cast<int>(std::ranges::find_if(decisions, has) - decisions.begin());
}

FieldPlace KnobField::AtShares(int sketch, std::span<const double> shares) const {
  FieldPlace place = Origin(sketch);
  for (size_t i = 0; i < shares.size(); ++i) {
    const Decision& decision = grids_[sketch].decisions[i];
    const auto way = static_cast<int64_t>(shares[i] * static_cast<double>(decision.ways.size()));
    Take(decision, std::min<int64_t>(way, std::ssize(decision.ways) - 1), place.point);
  }
  return place;
}

bool KnobField::Exists(const FieldPlace& place) const {
  return !is_listed_ || knobs(place.sketch).At(place.point).ok();
}

bool KnobField::Take(const Decision& decision, int64_t way, KnobPoint& point) {
  bool is_other = false;
  for (size_t i = 0; i < decision.knobs.size(); ++i) {
    int& value = point[decision.knobs[i]];
    is_other |= value != decision.ways[way][i];
    value = decision.ways[way][i];
  }
  return is_other;
}

std::optional<FieldPlace> KnobField::Draw(Rng& rng) const {
  const auto sketch = static_cast<int>(rng.Below(sketches()));
  if (is_listed_) {
    const Result<ScheduleState> state = knobs(sketch).Complete({}, rng);
    std::optional<KnobPoint> point = state ? knobs(sketch).PointOf(*state) : std::nullopt;
    if (!point) return std::nullopt;
    return FieldPlace{sketch, *std::move(point)};
  }
  FieldPlace place = Origin(sketch);
  for (const Decision& decision : grids_[sketch].decisions) {
    Take(decision, rng.Below(std::ssize(decision.ways)), place.point);
  }
  return place;
}

std::optional<FieldPlace> KnobField::Redrawn(const FieldPlace& place, Rng& rng) const {
  const std::vector<Decision>& decisions = grids_[place.sketch].decisions;
  if (decisions.empty()) return std::nullopt;
  for (int draw = 0; draw < kMoveDraws; ++draw) {
    const Decision& decision = decisions[rng.Below(std::ssize(decisions))];
    FieldPlace next = place;
    const bool is_other = Take(decision, rng.Below(std::ssize(decision.ways)), next.point);
    if (is_other && Exists(next)) return next;
  }
  return std::nullopt;
}

void KnobField::FillRow(const FieldPlace& place, std::span<float> row) const {
  std::ranges::fill(row, -1.0F);
  std::ranges::fill(row.first(kMostSketches), 0.0F);
  if (place.sketch < kMostSketches) row[place.sketch] = 1;
  const Grid& grid = grids_[place.sketch];
  for (size_t knob = 0; knob < place.point.size(); ++knob) {
    row[grid.columns[knob]] = grid.positions[knob][place.point[knob]];
    row[grid.columns[knob] + 1] = grid.logs[knob][place.point[knob]];
  }
}

std::vector<float> KnobField::Row(const FieldPlace& place) const {
  std::vector<float> row(columns_);
  FillRow(place, row);
  return row;
}

Result<ScheduleState> KnobField::State(const FieldPlace& place) const {
  return grids_[place.sketch].lowering.At(place.point);
}

std::optional<FieldPlace> KnobField::PlaceOf(const ScheduleState& state) const {
  for (int sketch = 0; sketch < sketches(); ++sketch) {
    std::optional<KnobPoint> point = knobs(sketch).PointOf(state);
    if (point) return FieldPlace{sketch, *std::move(point)};
  }
  return std::nullopt;
}

}  // namespace schedulegym
