#include "agents/learned/policy/ppo_terms.h"

#include "agents/learned/policy/torch_internal.h"

namespace schedulegym {

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

}  // namespace schedulegym
