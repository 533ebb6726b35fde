// Proximal policy optimization (Schulman et al., arXiv 1707.06347) on samples that somebody else
// collected: the loss is policy + value_weight value - entropy_weight entropy, its gradient cut to
// a length, and two Adams, one with the actor's rate and one with the critic's, take the step.
#include "agents/learned/policy/ppo.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "agents/learned/advantages.h"
#include "agents/learned/policy/masked_heads.h"
#include "agents/learned/policy/ppo_terms.h"
#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/policy/torch_internal.h"
#include "env/base/check.h"

namespace schedulegym {

// Of the samples, or of some of their rows.
struct Ppo::Tensors {
  at::Tensor rows, masks, values, log_probabilities, advantages, targets;

  Tensors Of(const at::Tensor& chosen) const {
    const auto some = [&](const at::Tensor& all) { return all.index_select(0, chosen); };
    return {some(rows),       some(masks),  some(values), some(log_probabilities),
            some(advantages), some(targets)};
  }
};

Ppo::Ppo(const NetworkShape& shape, const PpoOptions& options, Rng rng)
    : options_(options),
      rng_(rng.Split()),
      network_(shape, rng),
      actor_(network_.ActorParameters(), {.rate = options.actor_rate}),
      critic_(network_.CriticParameters(), {.rate = options.critic_rate}) {
  SG_CHECK(options.clip > 0 && options.clip < 1, "a clip between 0 and 1");
  SG_CHECK(options.epochs >= 1 && options.batch >= 1, "at least one step");
  SG_CHECK(!options.longest_gradient || *options.longest_gradient > 0, "a length above 0");
}

std::optional<PpoReport> Ppo::Learn(const PolicySamples& samples) {
  const int rows = samples.rows.rows();
  SG_CHECK(rows >= 1 && samples.masks.rows() == rows && samples.values.rows() == rows,
           "a mask and an action for each row");
  SG_CHECK(std::ssize(samples.log_probabilities) == rows &&
               std::ssize(samples.advantages) == rows && std::ssize(samples.targets) == rows,
           "what each action brought");
  std::vector<float> advantages = samples.advantages;
  if (options_.normalised) Normalise(advantages);
  const Tensors all = {ViewOf(samples.rows),   ViewOf(samples.masks),
                       ViewOf(samples.values), ViewOf(samples.log_probabilities),
                       ViewOf(advantages),     ViewOf(samples.targets)};
  PpoReport report;
  for (int epoch = 0; epoch < options_.epochs; ++epoch) {
    const at::Tensor order = at::tensor(ShuffledRows(rows));
    for (int first = 0; first < rows; first += options_.batch) {
      const int count = std::min(options_.batch, rows - first);
      if (!Step(all.Of(order.narrow(0, first, count)), report)) return std::nullopt;
    }
  }
  const double share = 1 / static_cast<double>(report.steps);
  for (double* mean : {&report.policy, &report.value, &report.entropy, &report.total,
                       &report.gradient, &report.clipped}) {
    *mean *= share;
  }
  return report;
}

bool Ppo::Step(const Tensors& tensors, PpoReport& report) {
  const auto [logits, values] = network_.Forward(tensors.rows);
  const ActionHeads& heads = network_.shape().heads;
  const at::Tensor logs = HeadLogProbabilities(heads, logits, tensors.masks);
  const at::Tensor now = ActionLogProbabilities(heads, logs, tensors.values);
  const at::Tensor policy =
      ClippedPolicyLoss(now, tensors.log_probabilities, tensors.advantages, options_.clip);
  const at::Tensor value = ValueLoss(values, tensors.targets);
  const at::Tensor entropy = HeadEntropies(logs).mean();
  const at::Tensor total =
      policy + options_.value_weight * value - options_.entropy_weight * entropy;
  total.backward();
  const double length =
      std::hypot(GradientNorm(actor_.parameters()), GradientNorm(critic_.parameters()));
  const bool is_finite = std::isfinite(total.item<double>()) && std::isfinite(length);
  if (is_finite) {
    const double most = options_.longest_gradient.value_or(length);
    for (Adam* adam : {&actor_, &critic_}) {
      if (length > most) ScaleGradients(adam->parameters(), most / length);
      adam->Step();
    }
  }
  actor_.Clear();
  critic_.Clear();
  report.policy += policy.item<double>();
  report.value += value.item<double>();
  report.entropy += entropy.item<double>();
  report.total += total.item<double>();
  report.gradient += length;
  report.clipped += ClippedShare(now.detach(), tensors.log_probabilities, options_.clip);
  ++report.steps;
  return is_finite;
}

// Fisher and Yates's.
std::vector<int64_t> Ppo::ShuffledRows(int rows) {
  std::vector<int64_t> order(static_cast<size_t>(rows));
  std::iota(order.begin(), order.end(), int64_t{0});
  for (size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<size_t>(rng_.Below(static_cast<int64_t>(i)))]);
  }
  return order;
}

void Ppo::Resume(const Rng& rng, int64_t actor_steps, int64_t critic_steps) {
  rng_ = rng;
  actor_.set_steps(actor_steps);
  critic_.set_steps(critic_steps);
}

}  // namespace schedulegym
