// Rollout: collects the steps of tracks between two updates of their policy as samples.
#pragma once

#include <span>
#include <vector>

#include "agents/learned/action_heads.h"
#include "agents/learned/batch.h"

namespace schedulegym {

// Generalized advantage estimation: how far the steps of a track exceed the critic's values.
struct AdvantageOptions {
  double discount = 0.9;  // HARL's (ICPP 2022), as recalled
  // 0 is HARL's one-step advantage, as recalled; Schulman et al. ("High-dimensional continuous
  // control using generalized advantage estimation", ICLR 2016) use 0.95 and more.
  double lambda = 0;

  bool operator==(const AdvantageOptions&) const = default;
};

struct TrackAdvantages {
  std::vector<double> advantages;
  std::vector<double> targets;  // for the critic's values of the states
};

// Generalized advantage estimation over consecutive steps of one track. `rewards`: one per step.
// `values`: the critic's of the state before each step, then of the last state, which is 0 if the
// track ends there for good.
//   d[t] = r[t] + discount v[t+1] - v[t],  a[t] = d[t] + discount lambda a[t+1],  target = a + v.
TrackAdvantages AdvantagesOf(std::span<const double> rewards, std::span<const double> values,
                             const AdvantageOptions& options);

// Scales to mean 0 and variance 1, in place; equal numbers become 0.
void Normalise(std::span<float> numbers);

// One step of a track, before its reward is known.
struct TrackStep {
  std::span<const float> row;
  std::span<const uint8_t> mask;
  HeadValues values;
  double log_probability = 0;  // of `values`
  double value = 0;            // the critic's, of the state before the step
};

class Rollout {
 public:
  // Rows have `inputs` numbers; masks have the columns of the heads.
  Rollout(int inputs, const ActionHeads& heads);

  // Number of samples so far.
  int steps() const { return samples_.rows.rows(); }

  // Adds the next step of a track; `track` is any number of at least 0.
  void Add(int track, const TrackStep& step, double reward);
  // Ends the path of a track; its next step begins another. `value_after`: the critic's value here,
  // 0 if it ends for good. No effect on a track without steps.
  void End(int track, double value_after, const AdvantageOptions& options);

  // Returns and clears the samples, in the order of their steps. Requires that all paths ended.
  PolicySamples Take();

 private:
  struct Path {
    std::vector<int> samples;
    std::vector<double> rewards, values;
  };

  PolicySamples samples_;
  std::vector<Path> paths_;  // by track; the open ones
};

}  // namespace schedulegym
