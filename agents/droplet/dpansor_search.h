// DpansorSearch: descent from the origin of a grid of knobs as DPAnsor does it, with its faults.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "agents/droplet/better_timing.h"
#include "agents/droplet/descent.h"

namespace schedulegym {

// Defaults are the published ones (Canesche et al., "Explore as a Storm, Exploit as a Raindrop",
// arXiv 2406.20037; TVM pull request 16499, never merged).
struct DpansorOptions {
  int batch = 16;  // or the number of CPUs, if that is larger
  int64_t trials = 100;
  BetterRule better = {BetterTest::kStudent, 0.05};
};

// Keeps these faults of the published code:
// 1. Steps are listed from the last knob on, and only a few are listed; strides start at 2; the
// first round without an improvement is the last. Unless something improves, only the last four or
// five knobs move.
// 2. Points are identified by a number that several points share, and count as visited with any of
// them.
// 3. The origin keeps its first measurement as the bar for all others.
// 4. Points beyond a batch are measured and stay in the queue, so that they may be measured again;
// the last of the queue is lost with each round.
// A further fault, equal candidates in a round, is left out (a later revision fixed it).
class DpansorSearch : public KnobSearch {
 public:
  // Knobs have `sizes` values each; `seed` is the origin's measurement.
  DpansorSearch(std::vector<int> sizes, const Timing& seed, const DpansorOptions& options);

  // Returns all waiting points, for any `count`; the origin is among the first.
  std::vector<KnobPoint> Next(int count) override;
  void Tell(std::span<const std::optional<Timing>> results) override;

  const KnobPoint& best() const { return best_; }

 private:
  int64_t NumberOf(const KnobPoint& point) const;
  std::vector<uint64_t> Patterns() const;
  KnobPoint Step(uint64_t pattern, int by) const;
  void Enlist(int stride);
  void Speculate();

  std::vector<int> sizes_;
  DpansorOptions options_;
  int largest_;         // values of a knob
  int64_t trials_ = 1;  // as published, so that one less is measured
  int stride_ = 1;
  std::set<int64_t> visited_ = {0};
  std::vector<KnobPoint> waiting_;
  KnobPoint best_;
  Timing best_timing_;
};

}  // namespace schedulegym
