// KnobSearch: where to go next on a grid of knobs; ask and tell.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "env/measure/measurement.h"
#include "env/search/knob_space.h"

namespace schedulegym {

class KnobSearch {
 public:
  virtual ~KnobSearch() = default;

  // The next points to measure, about `count`; none when the search has ended.
  virtual std::vector<KnobPoint> Next(int count) = 0;
  // What measuring them gave, in order; none for a failure. As many as Next answered, or fewer
  // where the search was interrupted.
  virtual void Tell(std::span<const std::optional<Timing>> results) = 0;
};

}  // namespace schedulegym
