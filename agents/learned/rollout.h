// Rollout: what tracks do between two lessons of their policy, made into samples.
#pragma once

#include <span>
#include <vector>

#include "agents/learned/action_heads.h"
#include "agents/learned/batch.h"

namespace schedulegym {

// How much better the steps of a track were than the critic expected.
struct AdvantageOptions {
  double discount = 0.9;  // HARL (ICPP 2022), from recollection
  // 0 is HARL's one-step advantage, from recollection; Schulman et al. ("High-dimensional
  // continuous control using generalized advantage estimation", ICLR 2016) use 0.95 and more.
  double lambda = 0;

  bool operator==(const AdvantageOptions&) const = default;
};

struct TrackAdvantages {
  std::vector<double> advantages;
  std::vector<double> targets;  // what the critic should have said of the states
};

// Generalized advantage estimation over consecutive steps of one track: of `rewards`, one for each
// step, and `values`, the critic's of the state before each step and, last, of the state after all.
// A track that ends there for good has nothing to expect: that value is 0.
//   d[t] = r[t] + discount v[t+1] - v[t],  a[t] = d[t] + discount lambda a[t+1],  target = a + v.
TrackAdvantages AdvantagesOf(std::span<const double> rewards, std::span<const double> values,
                             const AdvantageOptions& options);

// To mean 0 and variance 1, in place; equal numbers to 0.
void Normalise(std::span<float> numbers);

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
