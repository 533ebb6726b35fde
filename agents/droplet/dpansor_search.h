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

// Kept are these faults of the published code:
// 1. Steps are listed from the last knob on, and listing stops after a few; strides begin with 2;
//    the first round without an improvement is the last. Unless something improves, only the last
//    four or five knobs are ever moved.
// 2. A point is known by a number that many points share, and counts as visited with any of them.
// 3. The origin is held to what its first measurement gave, however that was taken.
// 4. Points beyond a batch are measured and stay in the queue, so that they may be measured again;
//    the last of the queue is lost with each round.
// Another one, by which all candidates of a round were the same, is not (a later revision has it).
class DpansorSearch : public KnobSearch {
 public:
  // Over knobs of `sizes` values each; `seed` is what is known of the origin.
  DpansorSearch(std::vector<int> sizes, const Timing& seed, const DpansorOptions& options);

  // All that waits, whatever `count` says; the origin is among the first.
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
