#include "agents/plan/place_pool.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace schedulegym {
namespace {

constexpr int kMostPlaces = 20'000;
// A table's grid holds more points than it has rows.
constexpr double kMostPositions = 200'000;
constexpr int kElite = 16;

}  // namespace

PlaceCoordinates::PlaceCoordinates(const KnobField& field, bool published)
    : published_(published),
      dimensions_(field.columns() / 2 + field.sketches()),
      largest_(field.columns()) {
  for (int sketch = 0; sketch < field.sketches(); ++sketch) {
    const KnobSpace& knobs = field.knobs(sketch);
    FieldPlace place = field.Origin(sketch);
    for (int knob = 0; knob < knobs.dimensions(); ++knob) {
      most_values_ = std::max(most_values_, knobs.size_of(knob));
      place.point[knob] = knobs.size_of(knob) - 1;
    }
    const std::vector<float> row = field.Row(place);
    for (size_t i = 0; i < row.size(); ++i) largest_[i] = std::max(largest_[i], row[i]);
  }
}

void PlaceCoordinates::Append(const KnobField& field, const FieldPlace& place,
                              std::vector<double>& values) const {
  const size_t begin = values.size();
  values.resize(begin + dimensions_);
  const std::vector<float> row = field.Row(place);
  for (size_t knob = 0; knob < place.point.size(); ++knob) {
    const int column = field.ColumnOf(place.sketch, static_cast<int>(knob));
    double& value = values[begin + column / 2];
    if (published_) {
      value = (place.point[knob] + 0.5) / most_values_;
    } else if (row[column + 1] >= 0 && largest_[column + 1] > 0) {
      value = row[column + 1] / largest_[column + 1];
    } else {
      value = row[column];
    }
  }
  values[begin + field.columns() / 2 + place.sketch] = 1;
}

PlacePool PlacePool::Make(const PlaceBook& book, int size, Rng& rng) {
  const KnobField& field = book.field();
  PlacePool pool;
  for (int64_t i = 0; field.size() <= kMostPositions && i < static_cast<int64_t>(field.size());
       ++i) {
    if (i % 1024 == 0) book.stop().Check();
    FieldPlace place = field.PlaceAt(i);
    if (field.Exists(place)) pool.places.push_back(std::move(place));
  }
  pool.is_complete = !pool.places.empty() && std::ssize(pool.places) <= kMostPlaces;
  if (pool.is_complete) return pool;
  std::set<FieldPlace> places;
  const std::vector<const MeasuredPlace*> order = book.Ranked();
  const int64_t elite = std::min<int64_t>(kElite, std::ssize(order));
  for (int draw = 0; draw < size; ++draw) {
    if (draw % 64 == 0) book.stop().Check();
    const bool is_near = elite > 0 && draw % 2 == 0;
    std::optional<FieldPlace> place =
        is_near ? field.Redrawn(order[rng.Below(elite)]->place, rng) : field.Draw(rng);
    if (place && book.IsOpen(*place)) places.insert(*std::move(place));
  }
  pool.places.assign(places.begin(), places.end());
  return pool;
}

PointList PlacePool::PointsOf(const KnobField& field, const PlaceCoordinates& coordinates) const {
  PointList points{coordinates.dimensions(), {}};
  points.values.reserve(places.size() * coordinates.dimensions());
  for (const FieldPlace& place : places) coordinates.Append(field, place, points.values);
  return points;
}

std::vector<FieldPlace> LatinHypercube(const KnobField& field, int count, Rng& rng) {
  std::vector<FieldPlace> places;
  for (int sketch = 0; sketch < field.sketches(); ++sketch) {
    const int own = count / field.sketches() + (sketch < count % field.sketches() ? 1 : 0);
    std::vector<std::vector<double>> shares(own, std::vector<double>(field.decisions(sketch)));
    for (int decision = 0; decision < field.decisions(sketch); ++decision) {
      std::vector<int> strata(own);
      std::iota(strata.begin(), strata.end(), 0);
      for (int i = own; i > 1; --i) std::swap(strata[i - 1], strata[rng.Below(i)]);
      for (int i = 0; i < own; ++i) shares[i][decision] = (strata[i] + rng.Uniform()) / own;
    }
    for (const std::vector<double>& one : shares) places.push_back(field.AtShares(sketch, one));
  }
  return places;
}

}  // namespace schedulegym
