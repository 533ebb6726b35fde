#include "agents/learned/policy/masked_heads.h"

#include "agents/learned/policy/torch_internal.h"

#include <cstdint>
#include <vector>

namespace schedulegym {
namespace {

// Of an illegal value, instead of minus infinity: 0 times it is 0, so that sums and gradients stay
// numbers.
constexpr float kNever = -1e30F;

}  // namespace

at::Tensor HeadLogProbabilities(const ActionHeads& heads, const at::Tensor& logits,
                                const at::Tensor& mask) {
  const at::Tensor masked = logits.masked_fill(mask.eq(0), kNever);
  std::vector<int64_t> choices;
  for (int head = 0; head < heads.heads(); ++head) choices.push_back(heads.choices(head));
  // All cut in one operation: its gradient is one `cat`, that of a slice would be as wide as all.
  std::vector<at::Tensor> parts = masked.split_with_sizes(choices, 1);
  for (at::Tensor& part : parts) part = at::log_softmax(part, 1);
  return parts.size() == 1 ? parts[0] : at::cat(parts, 1);
}

at::Tensor ActionLogProbabilities(const ActionHeads& heads, const at::Tensor& log_probabilities,
                                  const at::Tensor& values) {
  at::Tensor firsts = at::empty({heads.heads()}, at::TensorOptions().dtype(at::kLong));
  for (int head = 0; head < heads.heads(); ++head) {
    firsts.data_ptr<int64_t>()[head] = heads.first(head);
  }
  return log_probabilities.gather(1, values + firsts).sum(1);
}

at::Tensor HeadEntropies(const at::Tensor& log_probabilities) {
  return -(log_probabilities.exp() * log_probabilities).sum(1);
}

}  // namespace schedulegym
