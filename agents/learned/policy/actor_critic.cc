#include "agents/learned/policy/actor_critic.h"

#include <cstdint>
#include <numbers>

#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/policy/torch_internal.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

constexpr double kPolicyGain = 0.01, kValueGain = 1;

// Makes the hidden layers; the last one is activated, too.
DenseNetwork MakeTrunk(const NetworkShape& shape, Rng& rng) {
  SG_CHECK(!shape.hidden.empty(), "a network has a hidden layer");
  std::vector<int> sizes = {shape.inputs};
  sizes.insert(sizes.end(), shape.hidden.begin(), shape.hidden.end());
  return {sizes, shape.activation, std::numbers::sqrt2, true, rng};
}

DenseNetwork MakeHead(const NetworkShape& shape, int outputs, double gain, Rng& rng) {
  return {{shape.hidden.back(), outputs}, shape.activation, gain, false, rng};
}

void Append(std::vector<at::Tensor>& all, const DenseNetwork& network) {
  all.insert(all.end(), network.parameters().begin(), network.parameters().end());
}

// Logarithm for an illegal value, instead of minus infinity: 0 times it is 0, so that sums and
// gradients stay finite.
constexpr float kNever = -1e30F;

}  // namespace

ActorCritic::ActorCritic(const NetworkShape& shape, Rng rng)
    : shape_(shape),
      trunk_(MakeTrunk(shape, rng)),
      policy_head_(MakeHead(shape, shape.heads.columns(), kPolicyGain, rng)),
      critic_trunk_(shape.shared_trunk ? std::nullopt : std::optional(MakeTrunk(shape, rng))),
      value_head_(MakeHead(shape, 1, kValueGain, rng)) {}

std::pair<at::Tensor, at::Tensor> ActorCritic::Forward(const at::Tensor& rows) const {
  const at::Tensor hidden = trunk_.Forward(rows);
  const at::Tensor said = policy_head_.Forward(hidden);
  return {shape_.temperature == 1 ? said : said / shape_.temperature, ValuesOf(rows, hidden)};
}

at::Tensor ActorCritic::ValuesOf(const at::Tensor& rows, const at::Tensor& hidden) const {
  return value_head_.Forward(critic_trunk_ ? critic_trunk_->Forward(rows) : hidden).squeeze(1);
}

Evaluation ActorCritic::Evaluate(const RowBatch& rows, const MaskBatch& masks) const {
  SG_CHECK(rows.columns() == shape_.inputs && masks.columns() == shape_.heads.columns(),
           "rows and masks of the network's shape");
  SG_CHECK(rows.rows() == masks.rows(), "a mask for each row");
  const c10::InferenceMode guard;
  const auto [logits, values] = Forward(ViewOf(rows));
  Evaluation evaluation = {RowBatch(masks.columns(), masks.rows()), NumbersOf(values)};
  const at::Tensor logs = HeadLogProbabilities(shape_.heads, logits, ViewOf(masks));
  ViewOf(evaluation.log_probabilities).copy_(logs);
  return evaluation;
}

std::vector<float> ActorCritic::Values(const RowBatch& rows) const {
  SG_CHECK(rows.columns() == shape_.inputs, "rows of the network's shape");
  const c10::InferenceMode guard;
  const at::Tensor seen = ViewOf(rows);
  return NumbersOf(ValuesOf(seen, critic_trunk_ ? seen : trunk_.Forward(seen)));
}

std::vector<at::Tensor> ActorCritic::ActorParameters() const {
  std::vector<at::Tensor> all;
  Append(all, trunk_);
  Append(all, policy_head_);
  return all;
}

std::vector<at::Tensor> ActorCritic::CriticParameters() const {
  std::vector<at::Tensor> all;
  if (critic_trunk_) Append(all, *critic_trunk_);
  Append(all, value_head_);
  return all;
}

at::Tensor HeadLogProbabilities(const ActionHeads& heads, const at::Tensor& logits,
                                const at::Tensor& mask) {
  const at::Tensor masked = logits.masked_fill(mask.eq(0), kNever);
  std::vector<int64_t> choices;
  for (int head = 0; head < heads.heads(); ++head) choices.push_back(heads.choices(head));
  // Splits in one operation: its gradient is one `cat`; a slice's gradient would have full width.
  std::vector<at::Tensor> parts = masked.split_with_sizes(choices, 1);
  for (at::Tensor& part : parts) part = at::log_softmax(part, 1);
  return parts.size() == 1 ? parts[0] : at::cat(parts, 1);
}

at::Tensor ActionLogProbabilities(const ActionHeads& heads, const at::Tensor& log_probabilities,
                                  const at::Tensor& values) {
  at::Tensor firsts = at::empty({heads.heads()}, at::TensorOptions().dtype(at::kLong));
  for (int head = 0; head < heads.heads(); ++head) {
    firsts.data_ptr<int64_t>()[head] = heads.first(head);
  }
  return log_probabilities.gather(1, values + firsts).sum(1);
}

at::Tensor HeadEntropies(const at::Tensor& log_probabilities) {
  return -(log_probabilities.exp() * log_probabilities).sum(1);
}

}  // namespace schedulegym
