// DropletSearch: descent over a grid of knobs from one point, by steps along several knobs at once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "env/measure/measurement.h"
#include "env/search/knob_space.h"

namespace schedulegym {

// Which of two timings of one task is the better one, for sure.
enum class DropletTest : uint8_t {
  // The mean of the samples is lower, and a two-sided t-test with equal variances finds a
  // difference at level `p`; without a test where either has one sample (as published).
  kStudent,
  // The interval of the ratio of the two, taken from their ratios to the reference, lies above 1.
  kVerdict,
  // The middle is better.
  kNone,
};

// Defaults are those of the improved form; Published() those of AutoTVM.
struct DropletOptions {
  // Points measured at once, at least; a request for more or fewer takes its place.
  int batch = 16;
  DropletTest test = DropletTest::kVerdict;
  double p = 0.05;
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

  static DropletOptions Published();
};

class DropletSearch {
 public:
  // Whether a point is a schedule that can be measured.
  using IsLegal = std::function<bool(const KnobPoint&)>;

  // Over knobs of `sizes` values each.
  DropletSearch(std::vector<int> sizes, KnobPoint start, const DropletOptions& options,
                IsLegal is_legal);

  // The next points to measure, about `count`; none when the search has ended.
  std::vector<KnobPoint> Next(int count);
  // What measuring them gave, in order; none for a failure. As many as Next answered, or fewer
  // where the search was interrupted.
  void Tell(std::span<const std::optional<Timing>> results);

  // The best point so far; none before any success.
  const std::optional<KnobPoint>& best() const { return best_; }
  // How far the last steps went.
  int stride() const { return stride_; }

 private:
  bool IsBetterThanBest(const Timing& timing) const;
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

// Whether a two-sided t-test with equal variances finds a difference at level p; always where
// either has fewer than two samples.
bool DifferByStudent(std::span<const float> a, std::span<const float> b, double p);

}  // namespace schedulegym
