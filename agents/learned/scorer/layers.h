// Layers: network layers as functions of one list of weights.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/base/rng.h"

namespace at {
class Tensor;
}

namespace schedulegym {

// Appends weights [outputs, inputs] and biases [outputs], uniform within 1 / sqrt(fan_in), as in
// PyTorch's linear layers. `fan_in` is `inputs` unless other layers add to the same outputs. They
// require gradients. Returns the position of the weights.
int AddLinear(int inputs, int outputs, std::vector<at::Tensor>& weights, Rng& rng, int fan_in = 0);

// Output of such a layer.
at::Tensor Linear(const at::Tensor& rows, std::span<const at::Tensor> weights, int layer);

// [count, columns]: sums of the rows of each group. `groups`: [rows], the group of each row.
at::Tensor SumByGroup(const at::Tensor& rows, const at::Tensor& groups, int count);

// TenSet's layers of a statement: relu(W2 relu(W1 row + Wt task + b1) + b2), without Wt if tasks
// have no columns. Holds positions of layers; -1: none.
struct StatementLayers {
  int input = -1, task = -1, hidden = -1;
};
StatementLayers AddStatementLayers(int columns, int task_columns, int width,
                                   std::vector<at::Tensor>& weights, Rng& rng);
// [programs, width], summed over the rows of each; `tasks` has a row for each program.
at::Tensor SumOfStatements(const at::Tensor& rows, const at::Tensor& groups,
                           const at::Tensor& tasks, std::span<const at::Tensor> weights,
                           const StatementLayers& layers);

// Batch normalisation as in PyTorch: appends scale and shift, and sets the buffers to the running
// mean and variance. Returns the position of the scale.
int AddNormalisation(int width, std::vector<at::Tensor>& weights, std::vector<at::Tensor>& buffers);
at::Tensor Normalised(const at::Tensor& rows, std::span<const at::Tensor> weights, int first,
                      const std::vector<at::Tensor>& buffers, bool trains);

// `count` residual blocks x + relu(linear(x)), whose layers are consecutive from `first` on.
at::Tensor ResidualBlocks(at::Tensor rows, std::span<const at::Tensor> weights, int first,
                          int count);

// Multi-head attention of tokens [programs, length, width] over those of `mask` [programs, length],
// 1 or 0: four linear layers from `first` on: queries, keys, values, output (Vaswani et al.,
// NeurIPS 2017). A program without a token gives 0.
at::Tensor Attention(const at::Tensor& tokens, const at::Tensor& mask,
                     std::span<const at::Tensor> weights, int first, int heads);

// Dropout (Srivastava et al., JMLR 2014): sets each number to 0 with probability `chance`, below 1,
// and scales the others so that the expectation stays. Returns `values` if `chance` is 0.
at::Tensor DroppedOut(const at::Tensor& values, double chance, Rng& rng);

// The last state of an LSTM over each list of rows (Hochreiter and Schmidhuber, 1997; gates in
// PyTorch's order: input, forget, cell, output); 0 for an empty list. Layer `lstm` maps a row to
// the gates, the next layer the state. `constant` [lists, gates] is added if it is defined.
at::Tensor LstmOver(const at::Tensor& rows, const std::vector<std::vector<int64_t>>& lists,
                    std::span<const at::Tensor> weights, int lstm, const at::Tensor& constant);

}  // namespace schedulegym
