#include "agents/learned/policy/adam.h"

#include <cmath>
#include <utility>

#include "agents/learned/policy/torch_internal.h"
#include "env/base/check.h"

namespace schedulegym {
namespace {

// Returns the gradient of a parameter that has one.
at::Tensor DecayedGradient(const at::Tensor& parameter, double decay) {
  return decay == 0 ? parameter.grad() : parameter.grad().add(parameter, decay);
}

}  // namespace

Adam::Adam(std::vector<at::Tensor> parameters, const AdamOptions& options)
    : options_(options), parameters_(std::move(parameters)) {
  SG_CHECK(options.rate > 0, "a rate above 0");
  for (const at::Tensor& parameter : parameters_) {
    first_.push_back(at::zeros_like(parameter.detach()));
    second_.push_back(at::zeros_like(parameter.detach()));
  }
}

Adam::~Adam() = default;
Adam::Adam(Adam&&) noexcept = default;
Adam& Adam::operator=(Adam&&) noexcept = default;

void Adam::Step() {
  const c10::NoGradGuard guard;
  ++steps_;
  const double steps = static_cast<double>(steps_);
  const double first_scale = 1 - std::pow(options_.first, steps);
  const double second_scale = 1 - std::pow(options_.second, steps);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    if (!parameters_[i].grad().defined()) continue;
    const at::Tensor gradient = DecayedGradient(parameters_[i], options_.decay);
    first_[i].mul_(options_.first).add_(gradient, 1 - options_.first);
    second_[i].mul_(options_.second).addcmul_(gradient, gradient, 1 - options_.second);
    const at::Tensor root = (second_[i] / second_scale).sqrt_().add_(options_.epsilon);
    parameters_[i].addcdiv_(first_[i], root, -options_.rate / first_scale);
  }
}

void Adam::Clear() {
  for (at::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
}

void DescendGradients(std::span<const at::Tensor> parameters, double rate, double decay) {
  const c10::NoGradGuard guard;
  for (const at::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) parameter.add_(DecayedGradient(parameter, decay), -rate);
  }
}

double GradientNorm(std::span<const at::Tensor> parameters) {
  double square = 0;
  for (const at::Tensor& parameter : parameters) {
    if (!parameter.grad().defined()) continue;
    const double length = parameter.grad().norm().item<double>();
    square += length * length;
  }
  return std::sqrt(square);
}

void ScaleGradients(std::span<const at::Tensor> parameters, double factor) {
  const c10::NoGradGuard guard;
  for (const at::Tensor& parameter : parameters) {
    if (parameter.grad().defined()) parameter.grad().mul_(factor);
  }
}

}  // namespace schedulegym
