// Q-learning with a copy of the network as its target:
//   loss = mean (Q(s, a) - r - discount * Q'(s', a'))^2, a' the best action by Q', or by Q
//   if it is double.
// Cost: an epoch is one forward over all next actions and a step for each batch.
#include "agents/learned/policy/q_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "agents/learned/policy/tensor_views.h"
#include "agents/learned/policy/torch_internal.h"

namespace schedulegym {
namespace {

std::vector<int> SizesOf(int inputs, const QNetworkOptions& options) {
  std::vector<int> sizes = {inputs};
  sizes.insert(sizes.end(), options.hidden.begin(), options.hidden.end());
  sizes.push_back(1);
  return sizes;
}

DenseNetwork NewNetwork(int inputs, const QNetworkOptions& options, Rng& rng) {
  return {SizesOf(inputs, options), Activation::kRelu, 1.0, /*activates_last=*/false, rng};
}

std::vector<float> Say(const DenseNetwork& network, const RowBatch& rows) {
  if (rows.rows() == 0) return {};
  const c10::InferenceMode guard;
  return NumbersOf(network.Forward(ViewOf(rows)));
}

constexpr double kDecay = 0.9, kLeast = 1e-6;  // PyTorch's of Adadelta

}  // namespace

Adadelta::Adadelta(const std::vector<at::Tensor>& parameters, double rate)
    : rate_(rate), parameters_(parameters) {
  for (const at::Tensor& parameter : parameters_) {
    gradients_.push_back(at::zeros_like(parameter.detach()));
    steps_.push_back(at::zeros_like(parameter.detach()));
  }
}

Adadelta::~Adadelta() = default;
Adadelta::Adadelta(Adadelta&&) noexcept = default;
Adadelta& Adadelta::operator=(Adadelta&&) noexcept = default;

void Adadelta::Step() {
  const c10::NoGradGuard guard;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& gradient = parameters_[i].grad();
    if (!gradient.defined()) continue;
    gradients_[i].mul_(kDecay).addcmul_(gradient, gradient, 1 - kDecay);
    const at::Tensor step =
        (steps_[i] + kLeast).sqrt_() / (gradients_[i] + kLeast).sqrt_() * gradient;
    steps_[i].mul_(kDecay).addcmul_(step, step, 1 - kDecay);
    parameters_[i].add_(step, -rate_);
  }
}

QNetwork::QNetwork(int inputs, const QNetworkOptions& options, Rng rng)
    : options_(options),
      rng_(rng),
      inputs_(inputs),
      network_(NewNetwork(inputs, options, rng_)),
      copy_(NewNetwork(inputs, options, rng_)),
      adam_(network_.parameters(), {.rate = options.rate}) {
  if (options.has_adadelta) adadelta_.emplace(network_.parameters(), options.rate);
  CopyWeights();
}

std::vector<float> QNetwork::Values(const RowBatch& actions) const {
  return Say(network_, actions);
}

std::vector<double> QNetwork::TargetsOf(const std::vector<QTransition>& transitions) const {
  RowBatch rows(inputs_);
  for (const QTransition& one : transitions) {
    for (const std::vector<float>& next : one.next) {
      rows.Resize(rows.rows() + 1);
      std::ranges::copy(next, rows[rows.rows() - 1].begin());
    }
  }
  const std::vector<float> worth = Say(copy_, rows);
  const std::vector<float> by = options_.is_double ? Say(network_, rows) : worth;
  std::vector<double> targets;
  size_t begin = 0;
  for (const QTransition& one : transitions) {
    double target = one.reward;
    if (!one.next.empty()) {
      const auto first = by.begin() + static_cast<std::ptrdiff_t>(begin);
      const auto best = std::max_element(first, first + std::ssize(one.next)) - by.begin();
      target += options_.discount * static_cast<double>(worth[static_cast<size_t>(best)]);
    }
    begin += one.next.size();
    targets.push_back(target);
  }
  return targets;
}

bool QNetwork::Learn(const std::vector<QTransition>& transitions) {
  std::vector<size_t> order(transitions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (int epoch = 0; epoch < options_.epochs; ++epoch) {
    const std::vector<double> targets = TargetsOf(transitions);
    for (size_t i = order.size(); i > 1; --i) {
      std::swap(order[i - 1], order[static_cast<size_t>(rng_.Below(static_cast<int64_t>(i)))]);
    }
    for (size_t begin = 0; begin < order.size(); begin += static_cast<size_t>(options_.batch)) {
      const size_t end = std::min(order.size(), begin + static_cast<size_t>(options_.batch));
      RowBatch rows(inputs_, static_cast<int>(end - begin));
      std::vector<float> wanted;
      for (size_t i = begin; i < end; ++i) {
        std::ranges::copy(transitions[order[i]].action, rows[static_cast<int>(i - begin)].begin());
        wanted.push_back(static_cast<float>(targets[order[i]]));
      }
      const at::Tensor said = network_.Forward(ViewOf(rows)).reshape({-1});
      const at::Tensor loss = (said - ViewOf(wanted)).square().mean();
      loss.backward();
      const bool is_finite =
          std::isfinite(loss.item<double>()) && std::isfinite(GradientNorm(adam_.parameters()));
      if (is_finite) adadelta_ ? adadelta_->Step() : adam_.Step();
      adam_.Clear();
      if (!is_finite) return false;
    }
    CopyWeights();
  }
  return true;
}

void QNetwork::CopyWeights() {
  const c10::NoGradGuard guard;
  for (size_t i = 0; i < network_.parameters().size(); ++i) {
    at::Tensor to = copy_.parameters()[i].detach();
    to.copy_(network_.parameters()[i].detach());
  }
}

}  // namespace schedulegym
