// TrackSight: what a policy sees of a schedule, as one row of numbers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "env/gym/actions/walk.h"
#include "env/gym/observations/observation.h"

namespace schedulegym {

// The features of the complete schedule, pooled over its statements, and where its knobs stand:
// what HARL (ICPP 2022) is recalled to see. Threads may ask at once.
class TrackSight {
 public:
  // Of schedules with at most so many knobs; those beyond are not seen.
  explicit TrackSight(int knobs);

  int size() const { return size_; }
  // Fills `numbers`, size() of them; zeros where the walk stands at no schedule.
  void Write(const Walk& walk, std::span<float> numbers) const;

 private:
  std::vector<std::unique_ptr<Observation>> parts_;
  int size_ = 0;
};

}  // namespace schedulegym
