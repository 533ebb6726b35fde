// Proximal policy optimization (Schulman et al., arXiv 1707.06347) on given samples, with several
// heads:
//   loss = -mean(min(r A, clip(r, 1 - c, 1 + c) A)) + value_weight * mean((V - target)^2)
//          - entropy_weight * mean(entropy),    r = exp(log pi - log pi_old)
// For each epoch the rows are shuffled (Fisher-Yates) and cut in batches; the gradient of both
// networks is scaled to at most `longest_gradient`; actor and critic have an Adam each (Kingma and
// Ba, ICLR 2015) with their own rates. A loss or gradient that is not finite ends the update
// without that step. Checkpoints hold weights, moments, step counts and the random state; moments
// that no gradients could produce are refused.
// Cost: epochs * rows forward and backward passes.
#include "agents/learned/policy/ppo.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "agents/learned/checkpoint_parts.h"
#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/policy/torch_internal.h"
#include "agents/learned/rollout.h"
#include "env/base/check.h"
#include "env/base/fault.h"
#include "env/base/text.h"

namespace schedulegym {
namespace {

// A tensor and the name of its checkpoint entry.
struct KeptTensor {
  std::string name;
  at::Tensor tensor;
};

void Add(std::vector<KeptTensor>& kept, const std::string& name,
         const std::vector<at::Tensor>& tensors) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    kept.push_back({name + "." + std::to_string(i), tensors[i]});
  }
}

std::vector<KeptTensor> WeightsOf(const std::string& name, const Ppo& ppo) {
  std::vector<KeptTensor> kept;
  Add(kept, name + ".actor", ppo.actor().parameters());
  Add(kept, name + ".critic", ppo.critic().parameters());
  return kept;
}

std::vector<KeptTensor> MomentsOf(const std::string& name, const Ppo& ppo) {
  std::vector<KeptTensor> kept;
  for (const auto& [part, adam] : {std::pair(".actor", &ppo.actor()), {".critic", &ppo.critic()}}) {
    Add(kept, name + part + ".first", adam->first_moments());
    Add(kept, name + part + ".second", adam->second_moments());
  }
  return kept;
}

void Put(Checkpoint& checkpoint, const std::vector<KeptTensor>& kept) {
  for (const KeptTensor& each : kept) {
    checkpoint.Put(each.name,
                   Checkpoint::Floats{each.tensor.sizes().vec(), NumbersOf(each.tensor)});
  }
}

// Finds all entries before it fills the first tensor.
void Fill(const Checkpoint& checkpoint, const std::vector<KeptTensor>& kept) {
  std::vector<const std::vector<float>*> found;
  for (const KeptTensor& each : kept) {
    found.push_back(&checkpoint.FloatsOf(each.name, each.tensor.sizes().vec()).values);
  }
  const c10::NoGradGuard guard;
  for (size_t i = 0; i < kept.size(); ++i) {
    const at::Tensor& tensor = kept[i].tensor;
    tensor.copy_(ViewOf(std::span(*found[i])).view(tensor.sizes()));
  }
}

// Adam's first moment is at most 7.3 roots of the second for any gradients, up to rounding to 0.
// Other moments in a file could lead to NaN.
void CheckMoments(const Checkpoint& checkpoint, const std::string& name, const Adam& adam) {
  constexpr double kMostRoots = 10, kRounding = 1e-12;
  for (size_t i = 0; i < adam.first_moments().size(); ++i) {
    const std::vector<int64_t> shape = adam.first_moments()[i].sizes().vec();
    const auto moments = [&](const char* which) -> const std::vector<float>& {
      return checkpoint.FloatsOf(name + which + std::to_string(i), shape).values;
    };
    const std::vector<float>& first = moments(".first.");
    const std::vector<float>& second = moments(".second.");
    for (size_t j = 0; j < first.size(); ++j) {
      const double most = kMostRoots * std::sqrt(static_cast<double>(second[j])) + kRounding;
      if (std::abs(first[j]) <= most) continue;  // never if the second is below 0
      throw InputError("the checkpoint's '" + name + ".first." + std::to_string(i) +
                       "' and its second are no moments of gradients");
    }
  }
}

void CheckShape(const Checkpoint& checkpoint, const std::string& name, const Ppo& ppo) {
  const std::string expected = DescribeShape(ppo.network().shape());
  const std::string& found = checkpoint.Text(name + ".shape");
  if (found == expected) return;
  throw InputError("the checkpoint's network '" + name + "' is of another shape: found " + found +
                   ", expected " + expected);
}

}  // namespace

// Tensors of the samples, or of some of their rows.
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
      actor_(network_.ActorParameters(), {.rate = options.actor_rate, .epsilon = options.epsilon}),
      critic_(network_.CriticParameters(),
              {.rate = options.critic_rate, .epsilon = options.epsilon}) {
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

// Shuffles by Fisher and Yates.
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

at::Tensor ClippedPolicyLoss(const at::Tensor& log_probabilities,
                             const at::Tensor& log_probabilities_then, const at::Tensor& advantages,
                             double clip) {
  const at::Tensor ratio = (log_probabilities - log_probabilities_then).exp();
  const at::Tensor held = ratio.clamp(1 - clip, 1 + clip);
  return -at::minimum(ratio * advantages, held * advantages).mean();
}

double ClippedShare(const at::Tensor& log_probabilities, const at::Tensor& log_probabilities_then,
                    double clip) {
  const at::Tensor ratio = (log_probabilities - log_probabilities_then).exp();
  return (ratio - 1).abs().gt(clip).to(at::kDouble).mean().item<double>();
}

at::Tensor ValueLoss(const at::Tensor& values, const at::Tensor& targets) {
  return (values - targets).square().mean();
}

std::string DescribeShape(const NetworkShape& shape) {
  const auto join = [](const std::vector<int>& sizes) {
    return Join(std::vector<int64_t>(sizes.begin(), sizes.end()), "-");
  };
  return "inputs " + std::to_string(shape.inputs) + ", hidden " + join(shape.hidden) + ", heads " +
         join(shape.heads.all_choices()) +
         (shape.activation == Activation::kRelu ? ", relu" : ", tanh") +
         (shape.shared_trunk ? ", one trunk" : ", own trunks");
}

void PutPpo(Checkpoint& checkpoint, const std::string& name, const Ppo& ppo) {
  checkpoint.Put(name + ".shape", DescribeShape(ppo.network().shape()));
  Put(checkpoint, WeightsOf(name, ppo));
  Put(checkpoint, MomentsOf(name, ppo));
  checkpoint.Put(name + ".steps", Checkpoint::Words{{2},
                                                    {static_cast<uint64_t>(ppo.actor().steps()),
                                                     static_cast<uint64_t>(ppo.critic().steps())}});
  PutRng(checkpoint, name + ".rng", ppo.rng());
}

void ResumePpo(const Checkpoint& checkpoint, const std::string& name, Ppo& ppo) {
  CheckShape(checkpoint, name, ppo);
  const Rng rng = ReadRng(checkpoint, name + ".rng");
  const std::vector<uint64_t>& steps = checkpoint.WordsOf(name + ".steps");
  constexpr uint64_t kMost = uint64_t{1} << 62;
  if (steps.size() != 2 || steps[0] > kMost || steps[1] > kMost) {
    throw InputError("the checkpoint's '" + name + ".steps' are no two counts");
  }
  CheckMoments(checkpoint, name + ".actor", ppo.actor());
  CheckMoments(checkpoint, name + ".critic", ppo.critic());
  std::vector<KeptTensor> kept = WeightsOf(name, ppo);
  const std::vector<KeptTensor> moments = MomentsOf(name, ppo);
  kept.insert(kept.end(), moments.begin(), moments.end());
  Fill(checkpoint, kept);
  ppo.Resume(rng, static_cast<int64_t>(steps[0]), static_cast<int64_t>(steps[1]));
}

void ReadPolicy(const Checkpoint& checkpoint, const std::string& name, Ppo& ppo) {
  CheckShape(checkpoint, name, ppo);
  Fill(checkpoint, WeightsOf(name, ppo));
}

}  // namespace schedulegym
