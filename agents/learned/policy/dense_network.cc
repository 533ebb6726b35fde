#include "agents/learned/policy/dense_network.h"

#include <numbers>

#include "agents/learned/policy/orthogonal.h"
#include "agents/learned/policy/torch_internal.h"
#include "env/base/check.h"

namespace schedulegym {

DenseNetwork::DenseNetwork(const std::vector<int>& sizes, Activation activation, double last_gain,
                           bool activates_last, Rng& rng)
    : activation_(activation), activates_last_(activates_last) {
  SG_CHECK(sizes.size() >= 2, "a network has an input and an output");
  for (size_t layer = 0; layer + 1 < sizes.size(); ++layer) {
    const bool is_last = layer + 2 == sizes.size();
    const double gain = is_last ? last_gain : std::numbers::sqrt2;
    parameters_.push_back(OrthogonalWeights(sizes[layer + 1], sizes[layer], gain, rng));
    parameters_.push_back(at::zeros({sizes[layer + 1]}));
  }
  for (at::Tensor& parameter : parameters_) parameter.set_requires_grad(true);
}

DenseNetwork::~DenseNetwork() = default;
DenseNetwork::DenseNetwork(DenseNetwork&&) noexcept = default;
DenseNetwork& DenseNetwork::operator=(DenseNetwork&&) noexcept = default;

at::Tensor DenseNetwork::Forward(const at::Tensor& rows) const {
  at::Tensor current = rows;
  for (size_t i = 0; i < parameters_.size(); i += 2) {
    current = at::linear(current, parameters_[i], parameters_[i + 1]);
    const bool is_last = i + 2 == parameters_.size();
    if (!is_last || activates_last_) current = Activate(current);
  }
  return current;
}

at::Tensor DenseNetwork::Activate(const at::Tensor& rows) const {
  return activation_ == Activation::kRelu ? at::relu(rows) : at::tanh(rows);
}

}  // namespace schedulegym
