#include "agents/learned/policy/dense_network.h"

#include <cmath>

#include "agents/learned/policy/torch_internal.h"
#include "agents/normal.h"
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

at::Tensor OrthogonalWeights(int rows, int columns, double gain, Rng& rng) {
  SG_CHECK(rows >= 1 && columns >= 1, "weights between something");
  const bool is_wide = rows < columns;
  const int tall = is_wide ? columns : rows, narrow = is_wide ? rows : columns;
  at::Tensor drawn = at::empty({tall, narrow}, at::TensorOptions().dtype(at::kDouble));
  double* values = drawn.data_ptr<double>();
  for (int64_t i = 0; i < drawn.numel(); ++i) values[i] = DrawNormal(rng);
  const auto [q, r] = at::linalg_qr(drawn);
  // Otherwise the rotation would depend on the library's choice of signs.
  const at::Tensor turned = q * r.diagonal().sign() * gain;
  return (is_wide ? turned.t() : turned).to(at::kFloat).contiguous();
}

}  // namespace schedulegym
