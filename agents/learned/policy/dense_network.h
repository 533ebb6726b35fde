// DenseNetwork: layers of weights with a nonlinearity between them.
#pragma once

#include <vector>

#include "env/base/rng.h"

namespace at {
class Tensor;
}

namespace schedulegym {

enum class Activation : unsigned char { kRelu, kTanh };

// Move-only: a copy would share the weights.
class DenseNetwork {
 public:
  // `sizes`: of the input, the hidden layers and the output. Initial weights are orthogonal, with
  // gain sqrt(2), and `last_gain` in the last layer. That layer has no nonlinearity unless
  // `activates_last`. Initial biases are 0.
  DenseNetwork(const std::vector<int>& sizes, Activation activation, double last_gain,
               bool activates_last, Rng& rng);
  ~DenseNetwork();
  DenseNetwork(DenseNetwork&&) noexcept;
  DenseNetwork& operator=(DenseNetwork&&) noexcept;

  // [rows, inputs] to [rows, outputs].
  at::Tensor Forward(const at::Tensor& rows) const;

  // Weights [outputs, inputs] and biases [outputs] of each layer in turn; they require gradients.
  const std::vector<at::Tensor>& parameters() const { return parameters_; }

 private:
  at::Tensor Activate(const at::Tensor& rows) const;

  Activation activation_;
  bool activates_last_;
  std::vector<at::Tensor> parameters_;
};

// [rows, columns] floats; rows, or columns if these are fewer, have length `gain` and are
// orthogonal to one another, from a uniform random rotation (Saxe, McClelland and Ganguli, ICLR
// 2014).
at::Tensor OrthogonalWeights(int rows, int columns, double gain, Rng& rng);

}  // namespace schedulegym
