// The terms that proximal policy optimization makes small or large, each a function of numbers.
#pragma once

namespace at {
class Tensor;
}

namespace schedulegym {

// Schulman et al., "Proximal policy optimization algorithms", arXiv 1707.06347, equation 7, as a
// loss: minus the mean of min(r a, clip(r, 1 - clip, 1 + clip) a), where r is how much likelier the
// actions are by now. All are [rows]; gradients are those of `log_probabilities`.
at::Tensor ClippedPolicyLoss(const at::Tensor& log_probabilities,
                             const at::Tensor& log_probabilities_then, const at::Tensor& advantages,
                             double clip);

// The share of rows whose r is beyond the clip.
double ClippedShare(const at::Tensor& log_probabilities, const at::Tensor& log_probabilities_then,
                    double clip);

// Mean squared error of the critic. It is not clipped.
at::Tensor ValueLoss(const at::Tensor& values, const at::Tensor& targets);

}  // namespace schedulegym
