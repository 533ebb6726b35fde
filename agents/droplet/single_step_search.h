// SingleStepSearch: descent from the origin of a grid by upward steps of one knob, as
// MetaSchedule's post-optimisation does it.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "agents/droplet/better_timing.h"
#include "agents/droplet/descent.h"

namespace schedulegym {

// TVM's (meta_schedule/post_optimization/droplet.py).
struct SingleStepOptions {
  int batch = 16;  // or the number of CPUs, if that is larger
  int64_t trials = 100;
  BetterRule better = {BetterTest::kNone, 1};
};

// Each round lists the points r, r + 1, ... steps above the best along each knob alone, until a
// batch is listed; beyond the last value follows the first. The first round that finds nothing
// better is the last. The published code loses a candidate where its schedule cannot be built, and
// shifts results against points; here such a point is a failure.
class SingleStepSearch : public KnobSearch {
 public:
  // Knobs have `sizes` values each; `seed` is the origin's measurement, which is not repeated.
  SingleStepSearch(std::vector<int> sizes, const Timing& seed, const SingleStepOptions& options);

  // Returns a batch, for any `count`.
  std::vector<KnobPoint> Next(int count) override;
  void Tell(std::span<const std::optional<Timing>> results) override;

  const KnobPoint& best() const { return best_; }

 private:
  std::vector<int> sizes_;
  SingleStepOptions options_;
  int largest_ = 1;     // values of a knob
  int64_t listed_ = 0;  // points so far
  bool is_over_ = false;
  std::set<KnobPoint> visited_;
  std::vector<KnobPoint> asked_;
  KnobPoint best_;
  Timing best_timing_;
};

}  // namespace schedulegym
