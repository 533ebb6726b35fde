// Rollout: what tracks do between two lessons of their policy, made into samples.
#pragma once

#include <span>
#include <vector>

#include "agents/learned/action_heads.h"
#include "agents/learned/advantages.h"
#include "agents/learned/samples.h"

namespace schedulegym {

// One step of a track, before its reward is known.
struct TrackStep {
  std::span<const float> row;
  std::span<const uint8_t> mask;
  HeadValues values;
  double log_probability = 0;  // of them
  double value = 0;            // the critic's of the state before the step
};

class Rollout {
 public:
  // Of rows of `inputs` numbers and masks of the heads' columns.
  Rollout(int inputs, const ActionHeads& heads);

  // Samples so far.
  int steps() const { return samples_.rows.rows(); }

  // The next step of a track, any number of at least 0.
  void Add(int track, const TrackStep& step, double reward);
  // The track's path ends here, where the critic expects `value_after`: 0 where it ends for good.
  // Its next step begins another path. A track without steps has nothing to end.
  void End(int track, double value_after, const AdvantageOptions& options);

  // The samples in the order of their steps; every path has ended. It begins anew.
  PolicySamples Take();

 private:
  struct Path {
    std::vector<int> samples;
    std::vector<double> rewards, values;
  };

  PolicySamples samples_;
  std::vector<Path> paths_;  // by track; those under way
};

}  // namespace schedulegym
