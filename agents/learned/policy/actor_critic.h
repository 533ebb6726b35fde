// ActorCritic: what to do in a state, and what is to be expected of it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "agents/learned/action_heads.h"
#include "agents/learned/batch.h"
#include "agents/learned/policy/dense_network.h"
#include "env/base/rng.h"

namespace at {
class Tensor;
}

namespace schedulegym {

// Sizes are HARL's as far as they are known: two layers of 128, each kind of change a head (our own
// choice, agents of the literature have 20 to 128).
struct NetworkShape {
  int inputs = 1;
  ActionHeads heads = ActionHeads({1});
  std::vector<int> hidden = {128, 128};
  Activation activation = Activation::kRelu;
  // The critic sees the actor's last hidden layer instead of having layers.
  bool shared_trunk = false;
  double temperature = 1;  // the actor's numbers are divided by it
};

// What the network says of a batch, a row each.
struct Evaluation {
  RowBatch log_probabilities;  // columns of the heads; of illegal values far below all others
  std::vector<float> values;   // the critic's
};

class ActorCritic {
 public:
  // Orthogonal weights; the last layer of the actor starts near 0, so that it begins almost
  // uniform, with a gain of 0.01, that of the critic with 1 (Huang et al., "The 37 implementation
  // details of proximal policy optimization", ICLR blog track 2022). The same `rng` gives the same
  // weights.
  ActorCritic(const NetworkShape& shape, Rng rng);

  const NetworkShape& shape() const { return shape_; }

  // One forward for all rows, in inference mode. `masks`: of each row, each head has a legal value.
  Evaluation Evaluate(const RowBatch& rows, const MaskBatch& masks) const;
  // The critic alone.
  std::vector<float> Values(const RowBatch& rows) const;

  // On tensors, with gradients: the actor's numbers before any mask, [rows, columns of the heads],
  // and the critic's values, [rows].
  std::pair<at::Tensor, at::Tensor> Forward(const at::Tensor& rows) const;

  // Of the actor, the shared trunk among them; of the critic. Changed where they lie.
  std::vector<at::Tensor> ActorParameters() const;
  std::vector<at::Tensor> CriticParameters() const;

 private:
  // `hidden`: what the trunk says of the rows.
  at::Tensor ValuesOf(const at::Tensor& rows, const at::Tensor& hidden) const;

  NetworkShape shape_;
  DenseNetwork trunk_, policy_head_;
  std::optional<DenseNetwork> critic_trunk_;
  DenseNetwork value_head_;
};

// `logits`: [rows, columns of the heads], `mask`: the same, bytes, 1 where legal; each head has a
// legal value in each row. The result: logarithms of probabilities, each head's summing up to 1
// over its legal values; of others far below any that a probability has, with no gradient.
at::Tensor HeadLogProbabilities(const ActionHeads& heads, const at::Tensor& logits,
                                const at::Tensor& mask);

// [rows]: of whole actions, `values` [rows, heads] of 64-bit integers counted within each head.
at::Tensor ActionLogProbabilities(const ActionHeads& heads, const at::Tensor& log_probabilities,
                                  const at::Tensor& values);

// [rows]: in nats, the sum over the heads, as they are independent.
at::Tensor HeadEntropies(const at::Tensor& log_probabilities);

}  // namespace schedulegym
