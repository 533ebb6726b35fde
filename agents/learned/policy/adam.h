// Adam: the optimizer Adam, and gradient descent, for parameters in place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace at {
class Tensor;
}

namespace schedulegym {

// Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1, with its
// constants except for the rate.
struct AdamOptions {
  double rate = 1e-3;
  double first = 0.9, second = 0.999;  // decay rates of the moments
  double epsilon = 1e-8;
  // L2 penalty: decay * weight is added to each gradient, as in PyTorch's Adam.
  double decay = 0;
};

// Used instead of LibTorch's Adam, since its whole state can be read and saved.
class Adam {
 public:
  // `parameters` require gradients; steps change them in place.
  Adam(std::vector<at::Tensor> parameters, const AdamOptions& options);
  ~Adam();
  Adam(Adam&&) noexcept;
  Adam& operator=(Adam&&) noexcept;

  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  int64_t steps() const { return steps_; }
  // Moments of the gradients and of their squares, one tensor per parameter. To resume another
  // Adam, fill them in place.
  const std::vector<at::Tensor>& first_moments() const { return first_; }
  const std::vector<at::Tensor>& second_moments() const { return second_; }
  void set_steps(int64_t steps) { steps_ = steps; }
  // For all later steps.
  void set_rate(double rate) { options_.rate = rate; }

  // Updates the parameters by their gradients; one without a gradient does not change.
  void Step();
  // Clears the gradients.
  void Clear();

 private:
  AdamOptions options_;
  std::vector<at::Tensor> parameters_, first_, second_;
  int64_t steps_ = 0;
};

// A step of plain gradient descent with the same decay. Parameters without a gradient stay.
void DescendGradients(std::span<const at::Tensor> parameters, double rate, double decay);

// L2 norm of all gradients together.
double GradientNorm(std::span<const at::Tensor> parameters);
// Multiplies the gradients by `factor`.
void ScaleGradients(std::span<const at::Tensor> parameters, double factor);

}  // namespace schedulegym
