// Masked categorical heads: from a network's numbers to the probabilities of legal values.
#pragma once

#include "agents/learned/action_heads.h"

namespace at {
class Tensor;
}

namespace schedulegym {

// `logits`: [rows, columns of the heads], `mask`: the same, bytes, 1 where legal; each head has a
// legal value in each row. The result: logarithms of probabilities, each head's summing up to 1
// over its legal values; of others far below any that a probability has, with no gradient.
at::Tensor HeadLogProbabilities(const ActionHeads& heads, const at::Tensor& logits,
                                const at::Tensor& mask);

// [rows]: of whole actions, `values` [rows, heads] of 64-bit integers counted within each head.
at::Tensor ActionLogProbabilities(const ActionHeads& heads, const at::Tensor& log_probabilities,
                                  const at::Tensor& values);

// [rows]: in nats, the sum over the heads, as they are independent.
at::Tensor HeadEntropies(const at::Tensor& log_probabilities);

}  // namespace schedulegym
