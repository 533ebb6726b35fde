// Adam: a step of weights along their gradients, each scaled by what its gradients were like so
// far.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace at {
class Tensor;
}

namespace schedulegym {

// Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015, algorithm 1, with its
// constants but for the rate.
struct AdamOptions {
  double rate = 1e-3;
  double first = 0.9, second = 0.999;  // how much of the moments is kept at each step
  double epsilon = 1e-8;
  // Added to each gradient, times the weight (L2), as PyTorch's Adam has it.
  double decay = 0;
};

// Ours instead of LibTorch's: its moments lie open, to be saved, and they are what there is.
class Adam {
 public:
  // Of parameters that require gradients; they are changed where they lie.
  Adam(std::vector<at::Tensor> parameters, const AdamOptions& options);
  ~Adam();
  Adam(Adam&&) noexcept;
  Adam& operator=(Adam&&) noexcept;

  const std::vector<at::Tensor>& parameters() const { return parameters_; }
  int64_t steps() const { return steps_; }
  // Of the gradients and of their squares, one for each parameter. To go on where another one
  // stood, they are filled where they lie.
  const std::vector<at::Tensor>& first_moments() const { return first_; }
  const std::vector<at::Tensor>& second_moments() const { return second_; }
  void set_steps(int64_t steps) { steps_ = steps; }
  // Of the steps from now on.
  void set_rate(double rate) { options_.rate = rate; }

  // By the gradients that the parameters hold; one without a gradient stays.
  void Step();
  // Forgets the gradients.
  void Clear();

 private:
  AdamOptions options_;
  std::vector<at::Tensor> parameters_, first_, second_;
  int64_t steps_ = 0;
};

// A step of plain gradient descent instead, with the same decay. Parameters without a gradient
// stay.
void DescendGradients(std::span<const at::Tensor> parameters, double rate, double decay);

// Length of the gradients of all parameters together.
double GradientNorm(std::span<const at::Tensor> parameters);
// Multiplies them.
void ScaleGradients(std::span<const at::Tensor> parameters, double factor);

}  // namespace schedulegym
