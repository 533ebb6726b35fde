// Ppo: proximal policy optimization of an actor and its critic.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agents/learned/batch.h"
#include "agents/learned/checkpoint.h"
#include "agents/learned/policy/actor_critic.h"
#include "agents/learned/policy/adam.h"
#include "agents/learned/policy/ppo_options.h"
#include "env/base/rng.h"

namespace at {
class Tensor;
}

namespace schedulegym {

// Means over the steps of one Learn.
struct PpoReport {
  double policy = 0, value = 0, entropy = 0, total = 0;  // losses; total is the objective
  double gradient = 0;                                   // norm, before clipping
  double clipped = 0;                                    // share of clipped rows
  int64_t steps = 0;
};

class Ppo {
 public:
  // The same `rng` and the same samples give the same weights, to the bit.
  Ppo(const NetworkShape& shape, const PpoOptions& options, Rng rng);

  const ActorCritic& network() const { return network_; }
  const PpoOptions& options() const { return options_; }
  const Adam& actor() const { return actor_; }
  const Adam& critic() const { return critic_; }

  // Trains `epochs` epochs in batches that are shuffled each time. nullopt if a loss or a gradient
  // is not finite; the weights are then those of the step before. Requires at least one sample.
  std::optional<PpoReport> Learn(const PolicySamples& samples);

  // Random state of the order of samples; saved with the weights, so that resuming equals going on.
  const Rng& rng() const { return rng_; }
  // Sets the state of another Ppo; weights and moments are filled in place.
  void Resume(const Rng& rng, int64_t actor_steps, int64_t critic_steps);

 private:
  struct Tensors;
  // Adds to the report. Returns false if a value is not finite.
  bool Step(const Tensors& tensors, PpoReport& report);
  std::vector<int64_t> ShuffledRows(int rows);

  PpoOptions options_;
  Rng rng_;
  ActorCritic network_;
  Adam actor_, critic_;
};

// Schulman et al., "Proximal policy optimization algorithms", arXiv 1707.06347, equation 7, as a
// loss: minus the mean of min(r a, clip(r, 1 - clip, 1 + clip) a), where r is the ratio of new to
// old probabilities of the actions. All are [rows]; gradients flow to `log_probabilities`.
at::Tensor ClippedPolicyLoss(const at::Tensor& log_probabilities,
                             const at::Tensor& log_probabilities_then, const at::Tensor& advantages,
                             double clip);

// The share of rows whose r is beyond the clip.
double ClippedShare(const at::Tensor& log_probabilities, const at::Tensor& log_probabilities_then,
                    double clip);

// Mean squared error of the critic. It is not clipped.
at::Tensor ValueLoss(const at::Tensor& values, const at::Tensor& targets);

// "inputs 3, hidden 16-8, heads 4-2, relu, own trunks": what must be equal for weights to fit.
std::string DescribeShape(const NetworkShape& shape);

// The whole state, under names that begin with `name`: shape, weights, moments, steps and random
// state.
void PutPpo(Checkpoint& checkpoint, const std::string& name, const Ppo& ppo);

// Restores `ppo`: both then learn the same from equal samples, to the bit. Throws InputError, one
// line, if an entry is missing or has another shape, and leaves `ppo` as it was.
void ResumePpo(const Checkpoint& checkpoint, const std::string& name, Ppo& ppo);

// Reads only the weights: a policy to start from.
void ReadPolicy(const Checkpoint& checkpoint, const std::string& name, Ppo& ppo);

}  // namespace schedulegym
