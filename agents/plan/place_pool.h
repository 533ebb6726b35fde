// PlacePool: the places that a search over points looks at: all, or some of them, with coordinates.
#pragma once

#include <vector>

#include "agents/common/place_book.h"
#include "agents/cost/gaussian_process.h"

namespace schedulegym {

// Coordinates of places: published, (i + 0.5) / (most values of any knob); else each knob's
// position or, of numbers, logarithm, from 0 to 1. Knobs that a sketch lacks are at 0. Which sketch
// it is comes after them.
class PlaceCoordinates {
 public:
  PlaceCoordinates(const KnobField& field, bool published);

  int dimensions() const { return dimensions_; }
  void Append(const KnobField& field, const FieldPlace& place, std::vector<double>& values) const;

 private:
  bool published_;
  int dimensions_;
  int most_values_ = 1;
  std::vector<float> largest_;  // by column of a row
};

struct PlacePool {
  std::vector<FieldPlace> places;
  bool is_complete = false;  // all places that exist

  // All places where there are at most 20,000, else about `size`: half drawn, half moves of the 16
  // best; without any, all are drawn.
  static PlacePool Make(const PlaceBook& book, int size, Rng& rng);

  PointList PointsOf(const KnobField& field, const PlaceCoordinates& coordinates) const;
};

// `count` places that cut each decision into as many strata, one of them in each (a Latin
// hypercube), the sketches in turn.
std::vector<FieldPlace> LatinHypercube(const KnobField& field, int count, Rng& rng);

}  // namespace schedulegym
