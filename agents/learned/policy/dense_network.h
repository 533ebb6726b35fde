// DenseNetwork: layers of weights with a nonlinearity between them.
#pragma once

#include <vector>

#include "env/base/rng.h"

namespace at {
class Tensor;
}

namespace schedulegym {

enum class Activation : unsigned char { kRelu, kTanh };

// Copying it would share its weights: it is moved.
class DenseNetwork {
 public:
  // `sizes`: of the input, of what stands between, of the output. Weights start orthogonal, with a
  // gain of sqrt(2) before a nonlinearity and of `last_gain` in the last layer, which has none
  // unless `activates_last`; biases start at 0.
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

// [rows, columns] floats; rows, or columns where they are fewer, are of length `gain` and
// orthogonal to one another, of a uniformly drawn rotation (Saxe, McClelland and Ganguli, ICLR
// 2014).
at::Tensor OrthogonalWeights(int rows, int columns, double gain, Rng& rng);

}  // namespace schedulegym
