// DropletSearch: descent over a grid of knobs from one point, by steps along several knobs at once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "agents/droplet/better_timing.h"
#include "agents/droplet/descent.h"
#include "env/base/stop_token.h"

namespace schedulegym {

// Defaults are those of the improved form; Published() those of AutoTVM.
struct DropletOptions {
  // Points measured at once, at least; a request for more or fewer takes its place.
  int batch = 16;
  BetterRule better;
  // Whether steps grow while fewer than a batch of points wait.
  bool speculates = true;
  // From all knobs at once down to single ones (2^d - 1 patterns of d knobs), as published; else
  // single knobs first, then pairs, and so on.
  bool all_knobs_first = false;
  // Beyond the last value of a knob follows its first, and below its first it stays there; else
  // such points do not exist.
  bool wraps = false;
  // No more than about a batch of points is ever listed at one stride around one centre, as
  // published; else all of them, in the end.
  bool one_batch_a_stride = false;
  // Points that are no schedules shift results against points, and the last point that waits is
  // lost with each batch: two faults of the published code.
  bool loses_points = false;
  StopToken stop = {};

  static DropletOptions Published();
};

class DropletSearch : public KnobSearch {
 public:
  // Whether a point is a schedule that can be measured.
  using IsLegal = std::function<bool(const KnobPoint&)>;

  // Over knobs of `sizes` values each.
  DropletSearch(std::vector<int> sizes, KnobPoint start, const DropletOptions& options,
                IsLegal is_legal);

  std::vector<KnobPoint> Next(int count) override;
  void Tell(std::span<const std::optional<Timing>> results) override;

  // The best point so far; none before any success.
  const std::optional<KnobPoint>& best() const { return best_; }
  // How far the last steps went.
  int stride() const { return stride_; }

 private:
  std::optional<KnobPoint> Step(uint64_t pattern, int by) const;
  // Points around the best, or the start, that were never listed before; little more than a batch.
  // False if there are none.
  bool Enlist(int stride);
  void Speculate();
  bool EnlistAlong(uint64_t pattern, int stride, std::vector<KnobPoint>& found);

  std::vector<int> sizes_;
  KnobPoint centre_;
  DropletOptions options_;
  IsLegal is_legal_;
  int largest_;  // values of a knob
  int batch_;
  int stride_ = 1;
  std::set<KnobPoint> listed_;
  std::deque<KnobPoint> waiting_;
  std::vector<KnobPoint> asked_;  // results belong to these, in order
  std::optional<KnobPoint> best_;
  std::optional<Timing> best_timing_;
};

}  // namespace schedulegym
